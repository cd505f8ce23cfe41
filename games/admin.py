"""What the admin shows of games; Django looks for it here."""

from games import report_admin as report_admin
