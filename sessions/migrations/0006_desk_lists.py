"""The desk's lists of bans by kind, of words by how they begin, and of names in question in their order."""

from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently
from django.db import migrations, models


class Migration(migrations.Migration):
    # Names are entered while the indexes grow.
    atomic = False
    dependencies = [("players", "0005_sweep_size")]

    operations = [
        AddIndexConcurrently("ban", models.Index(fields=["kind", "-id"], name="ban_by_kind")),
        AddIndexConcurrently(
            "refusedname",
            models.Index(fields=["form"], name="refused_name_begins", opclasses=["text_pattern_ops"]),
        ),
        AddIndexConcurrently(
            "player",
            models.Index(fields=["id"], name="names_in_question", condition=models.Q(name_state="question")),
        ),
        RemoveIndexConcurrently("player", "name_in_question"),
    ]
