"""Who is here: a name held by a secret for a while."""

from typing import ClassVar

from django.db import models
from uuid_utils.compat import uuid7


class Player(models.Model):
    """A name held by a secret for a while; not an account. Forgetting is deleting the row.

    Only this row knows the name, so nothing else, `__str__` included, may repeat it.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    name = models.CharField(max_length=24)
    folded = models.CharField(max_length=96, unique=True)
    secret_hash = models.CharField(max_length=160)
    bot = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    last_seen = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)
    # Logged out or expired: the seats are being left, the row goes last.
    leaving = models.BooleanField(default=False)

    is_authenticated: ClassVar[bool] = True

    def __str__(self) -> str:
        return str(self.pk)


class Token(models.Model):
    """One device's way back to its player. Only the SHA-256 of the token is kept."""

    digest = models.CharField(primary_key=True, max_length=64)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    created_at = models.DateTimeField()
    last_used = models.DateTimeField()

    def __str__(self) -> str:
        return f"a token of {self.player_id}"


class Ticket(models.Model):
    """One opening of a stream, for a browser's EventSource, which can't send headers."""

    digest = models.CharField(primary_key=True, max_length=64)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"a ticket of {self.player_id}"


class Guess(models.Model):
    """Wrong secrets tried for a player from one address, which is kept as a keyed hash.

    The empty address counts for all the addresses that never entered this name.
    """

    pk = models.CompositePrimaryKey("player_id", "address")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+", db_index=False)
    address = models.CharField(max_length=64)
    entered = models.BooleanField(default=False)
    guesses = models.PositiveIntegerField(default=0)
    again_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"guesses for {self.player_id}"


class Sweep(models.Model):
    """When a periodic sweep last ran to its end: the health of Celery as the database sees it."""

    name = models.CharField(primary_key=True, max_length=40)
    ran_at = models.DateTimeField()
    # How much it did.
    size = models.PositiveIntegerField(db_default=0)

    def __str__(self) -> str:
        return self.name
