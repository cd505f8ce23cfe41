"""The lists of reports by each filter, and the log by who acted. Made while the server runs.

And what an older server, which knows no such columns, leaves to the database when it opens a table.
"""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

WAITING = models.Q(decided_at__isnull=True)


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0009_thinning"), ("admin", "0003_logentry_add_action_flag_choices")]

    operations = [
        migrations.AlterField("table", "hints", models.BooleanField(default=False, db_default=False)),
        migrations.AlterField("table", "revision", models.PositiveIntegerField(default=0, db_default=0)),
        AddIndexConcurrently(
            "report",
            models.Index(fields=["reason", "id"], name="report_queue_by_reason", condition=WAITING),
        ),
        AddIndexConcurrently("report", models.Index(fields=["decision", "id"], name="report_by_decision")),
        AddIndexConcurrently("report", models.Index(fields=["reason", "id"], name="report_by_reason")),
        AddIndexConcurrently(
            "report", models.Index(fields=["decision", "reason", "id"], name="report_by_both")
        ),
        migrations.RunSQL(
            "CREATE INDEX CONCURRENTLY admin_log_by_user ON django_admin_log (user_id, id)",
            "DROP INDEX admin_log_by_user",
        ),
    ]
