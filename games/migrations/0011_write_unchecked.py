"""What every move writes is checked by no constraint but keys and nulls: `games.models` says why."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models, transaction


class FreeOfTable(migrations.AlterField):
    """What takes a foreign key to a table from a field, or gives it one.

    PostgreSQL would hold the events first and then wait for the tables, a move the other way round; it ends
    one of two that wait in a circle.
    """

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        with transaction.atomic(using=schema_editor.connection.alias):
            schema_editor.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
            super().database_forwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    # Moves are made meanwhile: each step holds its tables for a moment, and taken again it does nothing.
    atomic = False

    dependencies = [("games", "0010_report_lists")]

    operations = [
        migrations.AlterField(
            model_name="event",
            name="number",
            field=models.IntegerField(),
        ),
        migrations.AlterField(
            model_name="event",
            name="seat",
            field=models.SmallIntegerField(null=True),
        ),
        FreeOfTable(
            model_name="event",
            name="table",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="games.table",
            ),
        ),
        migrations.AlterField(
            model_name="move",
            name="first_version",
            field=models.IntegerField(),
        ),
        migrations.AlterField(
            model_name="move",
            name="last_version",
            field=models.IntegerField(),
        ),
        migrations.AlterField(
            model_name="move",
            name="number",
            field=models.IntegerField(),
        ),
        migrations.AlterField(
            model_name="move",
            name="seat",
            field=models.SmallIntegerField(),
        ),
        FreeOfTable(
            model_name="move",
            name="table",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="games.table",
            ),
        ),
        migrations.AlterField(
            model_name="table",
            name="capacity",
            field=models.SmallIntegerField(),
        ),
        migrations.AlterField(
            model_name="table",
            name="host",
            field=models.SmallIntegerField(default=0, null=True),
        ),
        migrations.AlterField(
            model_name="table",
            name="looks",
            field=models.SmallIntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="table",
            name="moves",
            field=models.IntegerField(default=0),
        ),
        migrations.AlterField(
            model_name="table",
            name="revision",
            field=models.IntegerField(db_default=0, default=0),
        ),
        migrations.AlterField(
            model_name="table",
            name="rules_version",
            field=models.SmallIntegerField(),
        ),
        migrations.AlterField(
            model_name="table",
            name="turn_seconds",
            field=models.IntegerField(null=True),
        ),
        migrations.AlterField(
            model_name="table",
            name="version",
            field=models.IntegerField(default=0),
        ),
    ]
