"""Tables: the list, and what can be done at one, each through the service that does it."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import SimpleListFilter
from django.core.exceptions import PermissionDenied
from django.db.models import Prefetch, QuerySet
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from unfold.decorators import display

from config import errors
from config.acts import LONGEST_REASON
from config.addresses import client_address
from config.staff import ReadOnlyAdmin, links_for, member
from games import moderation, queries
from games.admin.page import looked, page
from games.codes import read_code
from games.ledger import Ledger
from games.models import Seat, Table
from games.rules.registry import GAMES
from sessions import devices
from sessions.directory import ids_beginning

# What the list shows, and no more: the rest of a row is hidden, or long.
COLUMNS = ("id", "game", "status", "capacity", "visibility", "moves", "decisions", "created_at")
LABELS = {"open": "info", "playing": "success", "abandoned": "warning", "closed": "danger"}
# Of the people whose name begins as was asked.
MOST_FOUND = 500


class GameFilter(SimpleListFilter):
    title, parameter_name = "game", "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(slug, game.name) for slug, game in GAMES.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        return queryset.filter(game=self.value()) if self.value() else queryset


class StatusFilter(SimpleListFilter):
    title, parameter_name = "status", "status"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(status.value, status.value) for status in Table.Status]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Table]) -> QuerySet[Table]:
        return queryset.filter(status=self.value()) if self.value() else queryset


class ActForm(forms.Form):
    """An act, the seat that it is about, and why."""

    act = forms.ChoiceField(choices=[(act, act) for act in ("close", "void", "remove", "extend")])
    seat = forms.IntegerField(required=False, min_value=0, max_value=100)
    seconds = forms.IntegerField(required=False, min_value=1)
    reason = forms.CharField(max_length=LONGEST_REASON)


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    """What was and is played. Nothing is changed but by an act of its own, with its reason."""

    list_display = ("code_or_id", "game", "shown_status", "people", "age", "moves", "waiting_for")
    list_display_links = ("code_or_id",)
    list_filter = (StatusFilter, GameFilter)
    search_fields = ("id",)
    search_help_text = "The id or the code of a table, or the beginning of a player's name"

    ACTS: ClassVar[dict[str, Callable[..., None]]] = {
        "close": moderation.close_table,
        "void": moderation.void_table,
        "remove": moderation.remove_seat,
        "extend": moderation.extend_deadline,
    }
    DONE: ClassVar[dict[str, str]] = {
        "close": "The table is closed.",
        "void": "The table is voided: nobody has won.",
        "remove": "The seat is removed.",
        "extend": "The seat has more time.",
    }

    # --- the list

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        seats = Seat.objects.select_related("player").order_by("number")
        return Table.objects.only(*COLUMNS).prefetch_related(Prefetch("seats", seats))

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        try:
            return rows.filter(pk=UUID(wanted))
        except ValueError:
            ids = list(Table.objects.filter(code=read_code(wanted)).values_list("pk", flat=True))
        seats = Seat.objects.filter(player__in=list(ids_beginning(wanted)))
        tables = seats.order_by("-table_id").values_list("table_id", flat=True)[:MOST_FOUND]
        return rows.filter(pk__in=[*ids, *tables])

    @admin.display(description="table")
    def code_or_id(self, table: Table) -> str:
        return str(table.pk)

    @display(description="status", label=LABELS)  # type: ignore[untyped-decorator]  # unfold has no types
    def shown_status(self, table: Table) -> str:
        return table.status

    @admin.display(description="seats")
    def people(self, table: Table) -> SafeString:
        seats = list(table.seats.all())
        shown = format_html_join(", ", "{}", ((_who(seat),) for seat in seats))
        return format_html("{} of {}: {}", len(seats), table.capacity, shown)

    @admin.display()
    def age(self, table: Table) -> str:
        return timesince(table.created_at, depth=1)

    @admin.display()
    def waiting_for(self, table: Table) -> SafeString | str:
        asked = Ledger(table, list(table.seats.all()), timezone.now()).decisions
        waited = [(_who(seat),) for seat in table.seats.all() if seat.number in asked]
        return format_html_join(", ", "{}", waited) or "–"

    # --- one table

    def get_urls(self) -> list[URLPattern]:
        own = [
            path("<uuid:table_id>/act/", self._page(self.act), name="games_table_act"),
            path("<uuid:table_id>/look/", self._page(self.look), name="games_table_look"),
        ]
        return [*own, *super().get_urls()]

    def _page(self, view: Any) -> Any:
        """An act is posted; who comes back to its address by a link is shown the table."""

        def answer(request: HttpRequest, table_id: UUID) -> HttpResponseBase:
            if request.method == "POST":
                acted: HttpResponseBase = view(request, table_id)
                return acted
            page = reverse("admin:games_table_change", args=[table_id])
            return HttpResponseRedirect(f"{page}?{request.META.get('QUERY_STRING', '')}")

        return self.admin_site.admin_view(answer)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """The table as people see it: now, and at any moment before."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        context = page(_ledger(object_id), request.GET)
        return self._shown(request, context)

    def _shown(self, request: HttpRequest, context: dict[str, Any]) -> TemplateResponse:
        table = context["table"]
        whole = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": f"{context['game_name']}, {table.status}",
            "subtitle": str(table.pk),
            "may_moderate": member(request).has_perm(moderation.MODERATE),
            "may_look": member(request).has_perm(moderation.LOOK),
            "links": links_for(request, table),
            "longest_reason": LONGEST_REASON,
            **context,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "desk/table.html", whole)

    def act(self, request: HttpRequest, table_id: UUID) -> HttpResponseBase:
        """Do what was asked for, and show the table as it is then."""
        if not member(request).has_perm(moderation.MODERATE):
            raise PermissionDenied
        form = ActForm(request.POST)
        if form.is_valid():
            act = form.cleaned_data["act"]
            _told(request, self.DONE[act], lambda: self._do(request, table_id, form.cleaned_data))
        else:
            messages.error(request, " ".join(str(told) for each in form.errors.values() for told in each))
        return HttpResponseRedirect(reverse("admin:games_table_change", args=[table_id]))

    def _do(self, request: HttpRequest, table_id: UUID, given: dict[str, Any]) -> None:
        more: dict[str, Any] = {}
        if given["act"] in ("remove", "extend"):
            more["number"] = -1 if given["seat"] is None else given["seat"]
        if given["act"] == "extend":
            more["seconds"] = given["seconds"] or 0
        act = self.ACTS[given["act"]]
        act(table_id=table_id, moderator=member(request), reason=given["reason"], **more)

    def look(self, request: HttpRequest, table_id: UUID) -> HttpResponseBase:
        """What is hidden, once: whoever wants to see more asks again, and says why again."""
        seen: list[Ledger] = []

        def look() -> None:
            asked: Any = request  # of which DRF's own class is but a wrapping
            where = devices.Whereabouts(client_address(asked), devices.shown_cookie(request))
            reason = request.POST.get("reason", "")
            seen.append(
                moderation.look_at_hidden(
                    table_id=table_id, moderator=member(request), reason=reason, where=where
                )
            )

        if not member(request).has_perm(moderation.LOOK) or not self.has_view_permission(request):
            raise PermissionDenied
        _told(request, "You have looked at what is hidden. It will be told when the table is over.", look)
        if not seen:
            return HttpResponseRedirect(reverse("admin:games_table_change", args=[table_id]))
        context = {**page(_ledger(str(table_id)), {}), "looked": looked(seen[0])}
        return self._shown(request, context)


def _ledger(object_id: str) -> Ledger:
    try:
        return queries.table_by_id(UUID(object_id))
    except (ValueError, errors.NotFound):
        raise Http404 from None


def _told(request: HttpRequest, done: str, act: Callable[[], None]) -> None:
    """Act, and say what came of it."""
    try:
        act()
    except moderation.PlaysHere:
        messages.error(
            request,
            "You can't look: a player of this table enters from your address or your browser,"
            " or your browser keeps no cookies. That you tried is in the log.",
        )
    except errors.Invalid as refused:
        told = [text for texts in refused.extra["errors"].values() for text in texts]
        messages.error(request, " ".join(told))
    except errors.Refusal as refused:
        messages.error(request, f"Nothing was done. {refused.detail}")
    else:
        messages.success(request, done)


def _who(seat: Seat) -> SafeString:
    """A seat's name, which can neither be taken for markup nor turn what stands beside it around."""
    if seat.player:
        return format_html('<bdi class="name">{}</bdi>', seat.player.name)
    return format_html("<em>{}</em>", "gone" if seat.is_human else f"bot, {seat.level}")
