"""The desk's lists of tables, newest first, of all that ever were. Made while the server runs."""

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    atomic = False
    dependencies = [("games", "0007_desk")]

    operations = [
        AddIndexConcurrently("table", models.Index(fields=["status", "-id"], name="table_by_status")),
        AddIndexConcurrently("table", models.Index(fields=["game", "-id"], name="table_by_game")),
        AddIndexConcurrently(
            "table", models.Index(fields=["game", "status", "-id"], name="table_by_game_and_status")
        ),
    ]
