"""What the moderators' desk needs: how often somebody looked, who may do what, and the log by its object."""

from django.db import migrations, models

from config.groups import MODERATOR, OPERATOR, grant


def make_groups(apps, schema_editor):
    """Both may read the log; whoever moderates has no need to see the rest of an operator's desk."""
    grant(
        apps,
        MODERATOR,
        {
            "games.table": ["view_table", "moderate_table"],
            "games.report": ["view_report", "change_report"],
            "players.player": ["view_player", "moderate_player"],
            "players.ban": ["view_ban", "add_ban", "delete_ban"],
            "players.refusedname": ["view_refusedname", "add_refusedname", "delete_refusedname"],
            "players.nameinquestion": ["view_nameinquestion", "change_nameinquestion"],
            "admin.logentry": ["view_logentry"],
        },
    )
    grant(
        apps,
        OPERATOR,
        {
            "games.historycheck": ["view_historycheck"],
            "players.sweep": ["view_sweep"],
            "auth.user": ["view_user"],
            "admin.logentry": ["view_logentry"],
        },
    )


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0006_reports"),
        ("players", "0004_desk"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelOptions(
            name="table",
            options={
                "default_permissions": ("view",),
                "permissions": (
                    ("moderate_table", "Can close and void tables, remove seats and extend deadlines"),
                    ("look_at_hidden", "Can look at what is hidden at a running table"),
                ),
            },
        ),
        migrations.AddField(
            model_name="table",
            name="looks",
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        # The history of one table or player, however long the log.
        migrations.RunSQL(
            "CREATE INDEX admin_log_by_object ON django_admin_log (content_type_id, object_id, id)",
            "DROP INDEX admin_log_by_object",
        ),
        migrations.RunPython(make_groups, migrations.RunPython.noop),
    ]
