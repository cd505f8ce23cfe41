"""Tables, seats, and the history of what happened at them.

What every move writes, a table's row, its moves and its events, no constraint checks but keys and nulls:
PostgreSQL reads a check anew for each statement and looks up a foreign key for each row, which would be a
third of a move's writing. One function writes them, from counters of its own, and only beside a row of the
table that it holds.
"""

import secrets
from collections.abc import Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Q
from django.db.models.base import ModelState
from uuid_utils.compat import uuid7

from games.rules.fair import SEED_BYTES
from sessions.models import Player

M = TypeVar("M", bound=models.Model)


def as_read(of: type[M], columns: Mapping[str, Any]) -> M:
    """An instance with just these columns, by their attributes' names, as if they had been read.

    What `from_db` does besides, signals and a setter for each column, costs a move more than its rules do.
    """
    made = of.__new__(of)
    made.__dict__.update(columns)
    made._state = ModelState()
    made._state.db, made._state.adding = DEFAULT_DB_ALIAS, False
    return made


def new_seed() -> bytes:
    return secrets.token_bytes(SEED_BYTES)


class Table(models.Model):
    """Where one game is played, from open to finished. Written under its row lock only."""

    class Status(models.TextChoices):
        OPEN = "open"
        PLAYING = "playing"
        FINISHED = "finished"
        ABANDONED = "abandoned"
        CLOSED = "closed"

    class Visibility(models.TextChoices):
        PUBLIC = "public"
        PRIVATE = "private"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    game = models.CharField(max_length=32)
    rules_version = models.SmallIntegerField()
    options = models.JSONField()
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    capacity = models.SmallIntegerField()
    host = models.SmallIntegerField(null=True, default=0)
    visibility = models.CharField(max_length=7, choices=Visibility)
    code = models.CharField(max_length=8, null=True, unique=True)
    turn_seconds = models.IntegerField(null=True)
    # Whether a seat may ask what its moves are worth.
    hints = models.BooleanField(default=False, db_default=False)
    # Players whom the host removed, by id: they can't sit here again.
    removed = ArrayField(models.UUIDField(), default=list)

    version = models.IntegerField(default=0)
    # How often the row was written: who writes it without the lock compares.
    revision = models.IntegerField(default=0, db_default=0)
    moves = models.IntegerField(default=0)
    state = models.JSONField(null=True)
    # {seat: {"version", "since", "deadline"}} of the seats that are to move.
    decisions = models.JSONField(default=dict)
    # What all luck of the table follows from: told to nobody before it is over. Null at tables that
    # started before there were seeds.
    seed = models.BinaryField(max_length=SEED_BYTES, null=True, default=new_seed)
    start_chance = models.JSONField(null=True)
    outcome = models.JSONField(null=True)

    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    over_at = models.DateTimeField(null=True)
    touched_at = models.DateTimeField()
    # Since when every human seat still in the game has a stand-in.
    paused_at = models.DateTimeField(null=True)
    # When bots take the seats to which nobody came.
    fill_at = models.DateTimeField(null=True)
    # The table at which the same people play again, and the seats that it keeps for them, by player.
    rematch = models.UUIDField(null=True)
    kept = models.JSONField(default=dict)
    kept_until = models.DateTimeField(null=True)
    # The one clock of a table: the server itself need not act before. See games.clock.
    wake_at = models.DateTimeField(null=True)
    # How often moderators looked at what is hidden: told at the table when it is over.
    looks = models.SmallIntegerField(default=0, db_default=0)

    class Meta:
        indexes = (
            models.Index(fields=["wake_at"], name="table_due", condition=Q(wake_at__isnull=False)),
            models.Index(
                fields=["-id"],
                name="table_live",
                condition=Q(visibility="public", status__in=["open", "playing"]),
            ),
            models.Index(
                fields=["game", "-id"],
                name="table_lobby",
                condition=Q(visibility="public", status__in=["open", "playing"]),
            ),
            # For those that are to be thinned; written once in the life of a table.
            models.Index(fields=["over_at"], name="table_over", condition=Q(over_at__isnull=False)),
            # The desk's lists, newest first, of all that ever were.
            models.Index(fields=["status", "-id"], name="table_by_status"),
            models.Index(fields=["game", "-id"], name="table_by_game"),
            models.Index(fields=["game", "status", "-id"], name="table_by_game_and_status"),
        )
        permissions = (
            ("moderate_table", "Can close and void tables, remove seats and extend deadlines"),
            ("look_at_hidden", "Can look at what is hidden at a running table"),
        )
        default_permissions = ("view",)

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def is_over(self) -> bool:
        return self.status not in (self.Status.OPEN, self.Status.PLAYING)


class Seat(models.Model):
    """A place at a table, counted from 0 in turn order."""

    class Kind(models.TextChoices):
        HUMAN = "human"
        BOT = "bot"

    pk = models.CompositePrimaryKey("table_id", "number")
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    # Null for a bot, and for a human who left or was forgotten. A player is forgotten only after
    # its seats were left in order.
    player = models.ForeignKey(Player, on_delete=models.PROTECT, null=True, related_name="seats")
    kind = models.CharField(max_length=5, choices=Kind)
    level = models.CharField(max_length=16, null=True)
    # The player's share of the luck, as hex digits; fixed from the start on.
    client_seed = models.CharField(max_length=64, null=True)
    # When the seat's time was over; since then the server moves for it, until its player is back.
    stand_in_since = models.DateTimeField(null=True)
    # When the seat was left during the game: since then it is out, and can't win.
    left_at = models.DateTimeField(null=True)
    # Who left it then, while that player is here: who misbehaves and leaves can still be reported.
    leaver = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+", db_index=False)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["table", "player"], name="one_seat_a_player"),)
        indexes = (models.Index(fields=["leaver"], name="seat_left_by", condition=Q(leaver__isnull=False)),)

    def __str__(self) -> str:
        return f"seat {self.number} of {self.table_id}"

    @property
    def is_human(self) -> bool:
        return self.kind == self.Kind.HUMAN

    @property
    def stand_in(self) -> bool:
        return self.stand_in_since is not None

    @property
    def is_out(self) -> bool:
        return self.left_at is not None

    @property
    def is_attended(self) -> bool:
        """A human plays here: neither a bot, nor out, nor with a stand-in."""
        return self.is_human and not self.is_out and not self.stand_in


class By(models.TextChoices):
    """Who decided."""

    PLAYER = "player"
    STAND_IN = "stand_in"
    BOT = "bot"
    SERVER = "server"
    MODERATOR = "moderator"


class Move(models.Model):
    """What a seat decided, with the luck that it used and the versions it made."""

    pk = models.CompositePrimaryKey("table_id", "number")
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    number = models.IntegerField()
    seat = models.SmallIntegerField()
    by = models.CharField(max_length=9, choices=By)
    move = models.CharField(max_length=64)
    chance = models.JSONField()
    first_version = models.IntegerField()
    last_version = models.IntegerField()
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"move {self.number} of {self.table_id}"


class Event(models.Model):
    """What happened: `data` for everybody, `own` for the seat alone. Its number is the table's version."""

    pk = models.CompositePrimaryKey("table_id", "number")
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    number = models.IntegerField()
    kind = models.CharField(max_length=16)
    seat = models.SmallIntegerField(null=True)
    by = models.CharField(max_length=9, choices=By)
    data = models.JSONField()
    own = models.JSONField(null=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"event {self.number} of {self.table_id}"


class Report(models.Model):
    """What a player tells moderators of a seat, and what they made of it."""

    class Reason(models.TextChoices):
        CHEATING = "cheating"
        NAME = "name"
        STALLING = "stalling"
        OTHER = "other"

    class Decision(models.TextChoices):
        UPHELD = "upheld"
        DISMISSED = "dismissed"

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="reports")
    # The seat's number at that version: a game's start numbers the seats anew.
    seat = models.PositiveSmallIntegerField()
    version = models.PositiveIntegerField()
    begun = models.BooleanField()
    reason = models.CharField(max_length=8, choices=Reason)
    # Null once its time is over.
    text = models.TextField(null=True)
    # Who tells it and whom it is about, each while that player is here.
    reporter = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.SET_NULL, null=True, related_name="reports")
    created_at = models.DateTimeField()

    decision = models.CharField(max_length=9, choices=Decision, null=True)
    decided_at = models.DateTimeField(null=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+"
    )
    decided_because = models.CharField(max_length=500, blank=True)
    # When the reporter was told of the decision.
    told_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["reporter", "table", "seat", "begun"],
                name="one_open_report",
                condition=Q(decided_at__isnull=True),
            ),
        )
        indexes = (
            models.Index(fields=["id"], name="report_queue", condition=Q(decided_at__isnull=True)),
            models.Index(
                fields=["reason", "id"], name="report_queue_by_reason", condition=Q(decided_at__isnull=True)
            ),
            models.Index(fields=["decision", "id"], name="report_by_decision"),
            models.Index(fields=["reason", "id"], name="report_by_reason"),
            models.Index(fields=["decision", "reason", "id"], name="report_by_both"),
            models.Index(fields=["created_at"], name="report_text", condition=Q(text__isnull=False)),
        )

    def __str__(self) -> str:
        return f"report {self.pk}"


class HistoryCheck(models.Model):
    """What came of replaying some stored tables: how many, and how many went another way than is stored."""

    at = models.DateTimeField()
    tables = models.PositiveIntegerField()
    moves = models.PositiveBigIntegerField()
    differing = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.differing} of {self.tables} tables differ"


class Analysis(models.Model):
    """How well a finished game was played and how lucky, made once, step by step, when somebody asks."""

    table = models.OneToOneField(Table, on_delete=models.CASCADE, primary_key=True, related_name="+")
    asked_at = models.DateTimeField()
    # When it is to be worked on next; null once it is made.
    due_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField(null=True)
    # What is made of it so far.
    made = models.JSONField(null=True)

    class Meta:
        verbose_name_plural = "analyses"
        indexes = (models.Index(fields=["due_at"], name="analysis_due", condition=Q(due_at__isnull=False)),)

    def __str__(self) -> str:
        return f"the analysis of {self.table_id}"


class IdempotencyKey(models.Model):
    """A request that a player made once, and what it made. Swept after a day."""

    pk = models.CompositePrimaryKey("player_id", "key")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    key = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    # No constraint: without an index, which each key would pay for, PostgreSQL would go through all keys
    # whenever a table is deleted.
    table = models.ForeignKey(
        Table, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    number = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"a key of {self.player_id}"
