"""Bans, refused names and names in question, for moderators: all of it done by services."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.decorators import method_decorator
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_post_parameters
from unfold.forms import ActionForm
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanSwitchWidget,
)

from config.acts import write_down
from config.errors import Invalid, Refusal
from config.staff import ModelAdmin, member
from sessions import bans, names, wordlist
from sessions.directory import ids_beginning, words_beginning
from sessions.models import Ban, NameInQuestion, NameState, Player, RefusedName

DAY = 24
if TYPE_CHECKING:
    Form = forms.ModelForm[Any]
else:
    Form = forms.ModelForm

LONGEST_HOURS = settings.BAN_LONGEST.days * 24


def why_field(longest: int, help_text: str) -> forms.CharField:
    """The reason for what a form does."""
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 3})
    return forms.CharField(max_length=longest, widget=widget, label="Why", help_text=help_text)


def hours_field(**told: Any) -> forms.IntegerField:
    """For how long somebody is banned."""
    widget = UnfoldAdminIntegerFieldWidget()
    return forms.IntegerField(min_value=1, max_value=LONGEST_HOURS, widget=widget, **told)


class ReasonForm(ActionForm):  # type: ignore[misc]  # unfold has no types
    """An action for a reason."""

    reason = forms.CharField(
        max_length=bans.REASON_LENGTH, required=False, widget=UnfoldAdminTextInputWidget()
    )


class BanActionForm(ReasonForm):
    hours = hours_field(initial=DAY, required=False)


def name_of(player: Player) -> SafeString:
    """A name that leads to its player, is no markup, and does not turn around what stands beside it."""
    page = reverse("admin:players_player_change", args=[player.pk])
    return format_html('<a class="desk-link" href="{}"><bdi class="name">{}</bdi></a>', page, player.name)


def until(hours: int) -> datetime:
    return timezone.now() + timedelta(hours=hours)


def reason_of(request: HttpRequest) -> str:
    """The reason that goes with an action; empty when none was given."""
    return request.POST.get("reason", "").strip()[: bans.REASON_LENGTH]


class Served(ModelAdmin):
    """Rows that only services write: none is saved or deleted from here."""

    action_form = ReasonForm

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """What is sent is done: there is nothing to go on with."""
        once = {"show_save_and_continue": False, "show_save_and_add_another": False}
        shown: HttpResponse = super().changeform_view(
            request, object_id, form_url, {**(extra_context or {}), **once}
        )
        return shown

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        raise NotImplementedError

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_addition(request, obj, _in_one_line(message))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        return super().log_change(request, obj, _in_one_line(message))

    def do_each(
        self, request: HttpRequest, rows: Iterable[Any], act: Callable[[Any, str], str], done: str
    ) -> None:
        """An action on each of the rows; `act` gets the reason and answers with what goes into the log."""
        reason, count = reason_of(request), 0
        if not reason:
            self.message_user(request, "Say for what reason.", messages.ERROR)
            return
        for row in rows:
            try:
                # Neither the act nor its entry stands without the other.
                with transaction.atomic():
                    self.log_change(request, row, act(row, reason))
                count += 1
            except Refusal as refusal:
                self.message_user(request, f"{row}: {refusal.detail}", messages.WARNING)
        self.message_user(request, f"{done}: {count}.")


def _in_one_line(message: Any) -> Any:
    """A message of ours as the log's list takes it apart; Django's own are lists."""
    return " ".join(message.split()) if isinstance(message, str) else message


def ended(end: Callable[[int], None], what: str) -> Callable[[Any, str], str]:
    """The act that ends a row by its key, and what goes into the log."""

    def act(row: Any, reason: str) -> str:
        end(row.pk)
        return f"{what}: {reason}"

    return act


class BanForm(Form):
    """What is banned is typed, and hashed at once."""

    kind = forms.ChoiceField(
        choices=[(kind, kind.label) for kind in (Ban.Kind.NAME, Ban.Kind.ADDRESS)],
        widget=UnfoldAdminSelectWidget(),
        label="What is banned",
        help_text="Who is here under a banned name is banned with it;"
        " who is here from a banned address stays, and nobody else can enter from there.",
    )
    what = forms.CharField(
        max_length=64,
        strip=False,
        widget=UnfoldAdminTextInputWidget(attrs={"autocomplete": "off"}),
        label="The name or address",
        help_text="A player's name, or an IP address. It is not kept: only a keyed hash of it is.",
    )
    reason = why_field(
        bans.REASON_LENGTH, "It is written in the log, where the name or address is taken out of it."
    )
    hours = hours_field(
        initial=DAY,
        label="For how many hours",
        help_text=f"168 are a week, and {LONGEST_HOURS} the most.",
    )

    class Meta:
        model = Ban
        fields = ("kind", "reason")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        read = bans.read_name if given.get("kind") == Ban.Kind.NAME else bans.read_address
        try:
            if "what" in given:
                read(given["what"])
        except Invalid as error:
            self.add_error("what", [each for field in error.extra["errors"].values() for each in field])
        return given


@admin.register(Ban)
class BanAdmin(Served):
    form = BanForm
    fields = ("kind", "what", "reason", "hours")
    list_display = ("id", "kind", "reason", "by", "created_at", "expires_at")
    list_filter = ("kind",)
    list_select_related = ("by",)
    ordering = ("-id",)
    actions = ("lift",)

    def get_fields(self, request: HttpRequest, obj: Ban | None = None) -> Any:
        return self.fields if obj is None else ("kind", "reason", "by", "created_at", "expires_at")

    @method_decorator(sensitive_post_parameters())
    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        return super().add_view(request, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: Ban, form: Any, change: bool) -> None:
        given = form.cleaned_data
        asked = {"by": request.user, "reason": given["reason"], "until": until(given["hours"])}
        if given["kind"] == Ban.Kind.NAME:
            ban = bans.ban_name(name=given["what"], **asked)
        else:
            ban = bans.ban_address(address=given["what"], **asked)
        obj.pk, obj.reason = ban.pk, ban.reason

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        given = form.cleaned_data
        kind = "a name" if given["kind"] == Ban.Kind.NAME else "an address"
        return f"Banned {kind} for {given['hours']} hours: {form.instance.reason}"

    def has_lift_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("players.delete_ban"))

    @admin.action(permissions=["lift"], description="Take back, for the reason given")
    def lift(self, request: HttpRequest, chosen: QuerySet[Ban]) -> None:
        act = ended(lambda pk: bans.lift_ban(ban_id=pk), "Taken back")
        self.do_each(request, chosen, act, "Bans taken back")


class RefusedNameForm(Form):
    word = forms.CharField(
        max_length=64,
        widget=UnfoldAdminTextInputWidget(),
        help_text="No new name may hold it. Compared without case, accents, blanks and signs, look-alikes and"
        " digits read as letters. Who is here under such a name becomes a name in question.",
    )

    whole = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
        label="Only as the whole name",
        help_text="For a short word that other names hold by chance.",
    )

    class Meta:
        model = RefusedName
        fields = ("word", "whole")

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        try:
            if "word" in given:
                wordlist.read_word(given["word"], whole=given.get("whole", False))
        except Invalid as error:
            self.add_error("word", error.extra["errors"]["word"])
        return given


@admin.register(RefusedName)
class RefusedNameAdmin(Served):
    form = RefusedNameForm
    list_display = ("word", "whole", "by", "created_at")
    list_select_related = ("by",)
    search_fields = ("word",)
    search_help_text = "The beginning of a word"
    ordering = ("-id",)
    actions = ("remove",)

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        return rows.filter(pk__in=list(words_beginning(wanted)))

    def save_model(self, request: HttpRequest, obj: RefusedName, form: Any, change: bool) -> None:
        given = form.cleaned_data
        obj.pk = wordlist.add_word(word=given["word"], whole=given["whole"], by=request.user).pk

    def has_remove_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("players.delete_refusedname"))

    @admin.action(permissions=["remove"], description="Refuse no longer, for the reason given")
    def remove(self, request: HttpRequest, chosen: QuerySet[RefusedName]) -> None:
        act = ended(lambda pk: wordlist.remove_word(word_id=pk), "Refused no longer")
        self.do_each(request, chosen, act, "Words removed")


@admin.register(NameInQuestion)
class NameInQuestionAdmin(Served):
    """Who is here under a name that was refused since: each stays until it is decided."""

    list_display = ("shown_name", "created_at", "last_seen")
    list_display_links = None
    search_fields = ("name",)
    search_help_text = "The beginning of a name"
    ordering = ("id",)
    actions = ("ban", "keep")
    action_form = BanActionForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        waiting: QuerySet[Any] = (
            super().get_queryset(request).filter(name_state=NameState.QUESTION, leaving=False)
        )
        return waiting.only("name", "created_at", "last_seen")

    @admin.display(description="name")
    def shown_name(self, player: Player) -> SafeString:
        return name_of(player)

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        return rows.filter(pk__in=list(ids_beginning(wanted)))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_ban_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("players.add_ban"))

    def has_keep_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("players.change_nameinquestion"))

    @admin.action(permissions=["ban"], description="Ban session and name, so long and for the reason given")
    def ban(self, request: HttpRequest, chosen: QuerySet[NameInQuestion]) -> None:
        hours = int(request.POST.get("hours") or DAY)

        def act(player: NameInQuestion, reason: str) -> str:
            return banned(player.pk, request, reason, hours, address=False)

        self.do_each(request, chosen, act, "Players banned")

    @admin.action(permissions=["keep"], description="Let the names be, for the reason given")
    def keep(self, request: HttpRequest, chosen: QuerySet[NameInQuestion]) -> None:
        def act(player: NameInQuestion, reason: str) -> str:
            wordlist.keep_name(player_id=player.pk)
            return f"Let be: {names.without(reason, player.name, '[name]')}"

        self.do_each(request, chosen, act, "Names let be")


def banned(player_id: Any, request: HttpRequest, reason: str, hours: int, *, address: bool) -> str:
    """Ban a player with its name; what goes into the log. Raises NotFound when it is gone by itself."""
    ban = bans.ban_player(
        player_id=player_id, by=request.user, reason=reason, until=until(hours), address=address
    )
    return f"Banned for {hours} hours{', with its addresses' if address else ''}: {ban.reason}"


def ban_and_log(player_id: Any, request: HttpRequest, reason: str, hours: int, *, address: bool) -> None:
    """The same, with its entry in the log: neither stands without the other. Raises NotFound."""
    with transaction.atomic():
        what, _, why = banned(player_id, request, reason, hours, address=address).partition(": ")
        write_down(who=member(request), about=Player(pk=player_id), what=what, why=why)
