"""The lobby of all games reads the newest live tables, however many are over."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("games", "0002_revision")]

    operations = [
        migrations.AddIndex(
            "table",
            models.Index(
                fields=["-id"],
                name="table_live",
                condition=Q(visibility="public", status__in=["open", "playing"]),
            ),
        ),
    ]
