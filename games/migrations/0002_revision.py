"""Tables count how often they are written, and leave room in their pages for it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.AddField("table", "revision", models.PositiveIntegerField(default=0)),
        # A move's update then stays in its page and touches no index (HOT).
        migrations.RunSQL(
            "ALTER TABLE games_table SET (fillfactor = 50)", "ALTER TABLE games_table RESET (fillfactor)"
        ),
    ]
