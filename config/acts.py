"""What staff did, in Django's log of the admin: who, what and why, written with the act itself."""

from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db.models import Model
from django.utils import timezone

from config.errors import Invalid

LONGEST_REASON = 500


def reason_of(text: str) -> str:
    """The reason as it is written down. Raises Invalid without one."""
    reason = " ".join(text.split())
    if not reason:
        raise Invalid({"reason": ["Say why: it is written down."]})
    if len(reason) > LONGEST_REASON:
        raise Invalid({"reason": [f"At most {LONGEST_REASON} characters."]})
    return reason


def write_down(*, who: User, about: Model, what: str, why: str) -> LogEntry:
    """Log an act, in the transaction of the act: neither stands without the other.

    `what` is one line; neither may hold a name, an address or what is hidden.
    Raises Invalid without a reason.
    """
    return LogEntry.objects.create(
        user=who,
        content_type=ContentType.objects.get_for_model(about),
        object_id=str(about.pk),
        object_repr=str(about)[:200],
        action_flag=CHANGE,
        change_message=f"{what}\n{reason_of(why)}",
        action_time=timezone.now(),
    )


def parts_of(entry: LogEntry) -> tuple[str, str]:
    """What was done and why. Django's own entries say no why."""
    text = entry.get_change_message()
    what, _, why = text.partition("\n" if "\n" in text else ": ")
    return what, why
