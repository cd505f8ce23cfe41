"""The first tables of the database."""

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid_utils.compat
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("players", "0001_initial"),
    ]

    operations = [
        migrations.CreateModel(
            name="Table",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid_utils.compat.uuid7, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("game", models.CharField(max_length=32)),
                ("rules_version", models.PositiveSmallIntegerField()),
                ("options", models.JSONField()),
                (
                    "status",
                    models.CharField(
                        choices=[
                            ("open", "Open"),
                            ("playing", "Playing"),
                            ("finished", "Finished"),
                            ("abandoned", "Abandoned"),
                            ("closed", "Closed"),
                        ],
                        default="open",
                        max_length=9,
                    ),
                ),
                ("capacity", models.PositiveSmallIntegerField()),
                ("host", models.PositiveSmallIntegerField(default=0, null=True)),
                (
                    "visibility",
                    models.CharField(choices=[("public", "Public"), ("private", "Private")], max_length=7),
                ),
                ("code", models.CharField(max_length=8, null=True, unique=True)),
                ("turn_seconds", models.PositiveIntegerField(null=True)),
                (
                    "removed",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.UUIDField(), default=list, size=None
                    ),
                ),
                ("version", models.PositiveIntegerField(default=0)),
                ("moves", models.PositiveIntegerField(default=0)),
                ("state", models.JSONField(null=True)),
                ("decisions", models.JSONField(default=dict)),
                ("start_chance", models.JSONField(null=True)),
                ("outcome", models.JSONField(null=True)),
                ("created_at", models.DateTimeField()),
                ("started_at", models.DateTimeField(null=True)),
                ("over_at", models.DateTimeField(null=True)),
                ("touched_at", models.DateTimeField()),
                ("paused_at", models.DateTimeField(null=True)),
                ("fill_at", models.DateTimeField(null=True)),
                ("rematch", models.UUIDField(null=True)),
                ("kept", models.JSONField(default=dict)),
                ("kept_until", models.DateTimeField(null=True)),
                ("wake_at", models.DateTimeField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("wake_at__isnull", False)), fields=["wake_at"], name="table_due"
                    ),
                    models.Index(
                        condition=models.Q(("status__in", ["open", "playing"]), ("visibility", "public")),
                        fields=["game", "-id"],
                        name="table_lobby",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table_id", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("seat", models.PositiveSmallIntegerField()),
                (
                    "by",
                    models.CharField(
                        choices=[
                            ("player", "Player"),
                            ("stand_in", "Stand In"),
                            ("bot", "Bot"),
                            ("server", "Server"),
                            ("moderator", "Moderator"),
                        ],
                        max_length=9,
                    ),
                ),
                ("move", models.CharField(max_length=64)),
                ("chance", models.JSONField()),
                ("first_version", models.PositiveIntegerField()),
                ("last_version", models.PositiveIntegerField()),
                ("at", models.DateTimeField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="IdempotencyKey",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "player_id", "key", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("digest", models.CharField(max_length=64)),
                ("number", models.PositiveIntegerField(null=True)),
                ("created_at", models.DateTimeField(db_index=True)),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="players.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Event",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table_id", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("kind", models.CharField(max_length=16)),
                ("seat", models.PositiveSmallIntegerField(null=True)),
                (
                    "by",
                    models.CharField(
                        choices=[
                            ("player", "Player"),
                            ("stand_in", "Stand In"),
                            ("bot", "Bot"),
                            ("server", "Server"),
                            ("moderator", "Moderator"),
                        ],
                        max_length=9,
                    ),
                ),
                ("data", models.JSONField()),
                ("own", models.JSONField(null=True)),
                ("at", models.DateTimeField()),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.table",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "table_id", "number", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("number", models.PositiveSmallIntegerField()),
                ("kind", models.CharField(choices=[("human", "Human"), ("bot", "Bot")], max_length=5)),
                ("level", models.CharField(max_length=16, null=True)),
                ("stand_in_since", models.DateTimeField(null=True)),
                ("left_at", models.DateTimeField(null=True)),
                (
                    "player",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="seats",
                        to="players.player",
                    ),
                ),
                (
                    "table",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="seats",
                        to="games.table",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("table", "player"), name="one_seat_a_player")
                ],
            },
        ),
    ]
