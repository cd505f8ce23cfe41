import django.db.models.deletion
from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Moves are made while the index grows.
    atomic = False

    dependencies = [("games", "0008_desk_lists")]

    operations = [
        migrations.AlterField(
            model_name="idempotencykey",
            name="table",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="games.table",
            ),
        ),
        AddIndexConcurrently(
            model_name="table",
            index=models.Index(
                condition=models.Q(over_at__isnull=False), fields=["over_at"], name="table_over"
            ),
        ),
    ]
