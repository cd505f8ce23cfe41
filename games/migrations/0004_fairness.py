import secrets

from django.db import migrations, models

import games.models


def give_seeds(apps, schema_editor):
    """Tables that are open still get a seed of their own; at those that have started it would be too late."""
    table = apps.get_model("games", "Table")
    for pk in table.objects.filter(status="open").values_list("pk", flat=True).iterator():
        table.objects.filter(pk=pk).update(seed=secrets.token_bytes(32))


class Migration(migrations.Migration):
    dependencies = [("games", "0003_live_tables")]

    operations = [
        migrations.CreateModel(
            name="HistoryCheck",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("tables", models.PositiveIntegerField()),
                ("moves", models.PositiveBigIntegerField()),
                ("differing", models.PositiveIntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="seat",
            name="client_seed",
            field=models.CharField(max_length=64, null=True),
        ),
        # Without its default, which would be drawn once and given to every table that exists.
        migrations.AddField(
            model_name="table",
            name="seed",
            field=models.BinaryField(max_length=32, null=True),
        ),
        migrations.RunPython(give_seeds, migrations.RunPython.noop, elidable=True),
        migrations.AlterField(
            model_name="table",
            name="seed",
            field=models.BinaryField(default=games.models.new_seed, max_length=32, null=True),
        ),
    ]
