"""The first tables of the database."""

import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(max_length=24)),
                ("folded", models.CharField(max_length=96, unique=True)),
                ("secret_hash", models.CharField(max_length=160)),
                ("bot", models.BooleanField(default=False)),
                ("created_at", models.DateTimeField()),
                ("last_seen", models.DateTimeField()),
                ("expires_at", models.DateTimeField(db_index=True)),
                ("leaving", models.BooleanField(default=False)),
            ],
        ),
        migrations.CreateModel(
            name="Sweep",
            fields=[
                ("name", models.CharField(max_length=40, primary_key=True, serialize=False)),
                ("ran_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Guess",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player_id", "address", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("address", models.CharField(max_length=64)),
                ("entered", models.BooleanField(default=False)),
                ("guesses", models.PositiveIntegerField(default=0)),
                ("again_at", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Ticket",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("expires_at", models.DateTimeField(db_index=True)),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="players.player"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Token",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("created_at", models.DateTimeField()),
                ("last_used", models.DateTimeField()),
                (
                    "player",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="tokens",
                        to="players.player",
                    ),
                ),
            ],
        ),
    ]
