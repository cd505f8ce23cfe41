"""Samples of names and secrets must not outlive them in the planner's statistics."""

from django.db import migrations

COLUMNS = ("name", "folded", "secret_hash")
ALTER = "ALTER TABLE players_player " + ", ".join(
    f"ALTER COLUMN {column} SET STATISTICS {{0}}" for column in COLUMNS
)


class Migration(migrations.Migration):
    dependencies = [("players", "0001_initial")]
    operations = [migrations.RunSQL(ALTER.format(0), ALTER.format(-1))]
