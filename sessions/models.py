"""Who is here: a name held by a secret for a while."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from uuid_utils.compat import uuid7


class NameState(models.TextChoices):
    FINE = "fine"
    # It matches a word that was added since: a moderator has to decide.
    QUESTION = "question"
    # A moderator let it be.
    KEPT = "kept"


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
    # Logged out, expired or banned: the seats are being left, the row goes last.
    leaving = models.BooleanField(default=False)
    # What moderators think of the name, if it came into question after its player entered.
    name_state = models.CharField(
        max_length=8, choices=NameState, default=NameState.FINE, db_default=NameState.FINE
    )

    is_authenticated: ClassVar[bool] = True

    class Meta:
        default_permissions = ("view",)
        permissions = (("moderate_player", "Can take players off their tables"),)
        indexes = (models.Index(fields=["id"], name="names_in_question", condition=Q(name_state="question")),)

    def __str__(self) -> str:
        return str(self.pk)


class NameInQuestion(Player):
    """A player whose name matches what was refused since: a list of its own for moderators."""

    class Meta:
        proxy = True
        verbose_name = "name in question"
        verbose_name_plural = "names in question"


class Token(models.Model):
    """One device's way back to its player. Only the SHA-256 of the token is kept."""

    digest = models.CharField(primary_key=True, max_length=64)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    created_at = models.DateTimeField()
    last_used = models.DateTimeField()
    # The browser in which it was handed out, as a keyed hash of its cookie; see sessions.devices.
    device = models.CharField(max_length=64, null=True)

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


class StaffGuess(models.Model):
    """Wrong passwords of the admin tried for a name, from an address, or both: a keyed hash of which."""

    key = models.CharField(primary_key=True, max_length=64)
    entered = models.BooleanField(default=False)
    guesses = models.PositiveIntegerField(default=0)
    again_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return "guesses of a password"


class Ban(models.Model):
    """What may not be here until then: a name, an address, or the session of a player who was here.

    None of them can be read from it: the mark is a keyed hash.
    """

    class Kind(models.TextChoices):
        NAME = "name"
        ADDRESS = "address"
        SESSION = "session"

    kind = models.CharField(max_length=7, choices=Kind)
    mark = models.CharField(max_length=64)
    reason = models.CharField(max_length=500)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["kind", "mark"], name="one_ban_of_each"),)
        indexes = (models.Index(fields=["kind", "-id"], name="ban_by_kind"),)

    def __str__(self) -> str:
        return f"ban {self.pk} of a{'n' if self.kind == self.Kind.ADDRESS else ''} {self.kind}"


class BannedToken(models.Model):
    """A token of a session that was banned: whoever shows it is told so as long as the ban lasts."""

    digest = models.CharField(primary_key=True, max_length=64)
    ban = models.ForeignKey(Ban, on_delete=models.CASCADE, related_name="tokens")

    def __str__(self) -> str:
        return f"a token of ban {self.ban_id}"


class RefusedName(models.Model):
    """A word that no new name may hold, or be; `form` is what is compared."""

    word = models.CharField(max_length=64)
    whole = models.BooleanField(default=False)
    form = models.TextField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["form", "whole"], name="one_refused_name_of_each"),)
        # For those that begin so, whatever the order of the database's language.
        indexes = (models.Index(fields=["form"], name="refused_name_begins", opclasses=["text_pattern_ops"]),)

    def __str__(self) -> str:
        return f"refused name {self.pk}"


class Sweep(models.Model):
    """When a periodic sweep last ran to its end: the health of Celery as the database sees it."""

    name = models.CharField(primary_key=True, max_length=40)
    ran_at = models.DateTimeField()
    # How much it did.
    size = models.PositiveIntegerField(db_default=0)

    def __str__(self) -> str:
        return self.name
