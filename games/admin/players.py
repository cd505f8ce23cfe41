"""Players: who is here, and taking somebody off all tables."""

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, QuerySet
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.views.decorators.http import require_POST

from config.acts import LONGEST_REASON
from config.errors import Invalid, NotFound
from config.lists import List
from config.staff import ReadOnlyAdmin, links_for, member
from games import moderation
from games.models import Report, Seat, Table
from sessions.admin import LONGEST_HOURS, ban_and_log
from sessions.directory import ids_beginning
from sessions.models import Player

MODERATE, BAN = "players.moderate_player", "players.add_ban"
LIVE = (Table.Status.OPEN, Table.Status.PLAYING)
TABLES_SHOWN = 100


def count_reports(ids: Iterable[UUID]) -> Mapping[UUID, int]:
    """How many reports about each of these players wait for a decision."""
    waiting = Report.objects.filter(player__in=list(ids), decided_at__isnull=True)
    return dict(waiting.values_list("player").annotate(Count("pk")).order_by())


class People(List):
    """A page of players, with what is known of all of them at once."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        ids = [player.pk for player in self.result_list]
        seats = Seat.objects.filter(player__in=ids, table__status__in=LIVE)
        tables = dict(seats.values_list("player").annotate(Count("table_id")).order_by())
        reports = count_reports(ids)
        for player in self.result_list:
            player.live_tables, player.waiting = tables.get(player.pk, 0), reports.get(player.pk, 0)


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    """Those who are here. A name is forgotten when its player goes, and with it this page."""

    list_display = ("shown_name", "since", "seen", "at_tables", "reported")
    list_display_links = ("shown_name",)
    search_fields = ("id",)
    search_help_text = "The id of a player, or the beginning of a name"

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[List]:
        return People

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return Player.objects.filter(leaving=False).only("id", "name", "bot", "created_at", "last_seen")

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        try:
            return rows.filter(pk=UUID(wanted))
        except ValueError:
            return rows.filter(pk__in=list(ids_beginning(wanted)))

    @admin.display(description="name")
    def shown_name(self, player: Player) -> SafeString:
        return format_html('<bdi class="name">{}</bdi>', player.name)

    @admin.display(description="here since")
    def since(self, player: Player) -> str:
        return timesince(player.created_at, depth=1)

    @admin.display(description="last seen")
    def seen(self, player: Player) -> str:
        return f"{timesince(player.last_seen, depth=1)} ago"

    @admin.display(description="tables")
    def at_tables(self, player: Any) -> int:
        return int(player.live_tables)

    @admin.display(description="reports")
    def reported(self, player: Any) -> int:
        return int(player.waiting)

    # --- one player

    def get_urls(self) -> list[URLPattern]:
        remove = self.admin_site.admin_view(require_POST(self.remove))
        ban = self.admin_site.admin_view(require_POST(self.ban))
        own = [
            path("<uuid:player_id>/remove/", remove, name="players_player_remove"),
            path("<uuid:player_id>/ban/", ban, name="players_player_ban"),
        ]
        return [*own, *super().get_urls()]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> Any:
        """Who it is, where it sits, and what can be done about it."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        player = _player(object_id)
        seats = Seat.objects.filter(player=player).select_related("table").defer(*HIDDEN)
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": "Player",
            "player": player,
            "seats": list(seats.order_by("-table_id")[:TABLES_SHOWN]),
            "reports": count_reports([player.pk]).get(player.pk, 0),
            "may_moderate": member(request).has_perm(MODERATE),
            "may_read_reports": member(request).has_perm("games.view_report"),
            "may_ban": member(request).has_perm(BAN),
            "longest_hours": LONGEST_HOURS,
            "links": links_for(request, player),
            "longest_reason": LONGEST_REASON,
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "desk/player.html", context)

    def remove(self, request: HttpRequest, player_id: UUID) -> HttpResponseBase:
        """Take the player off every table that is not over."""
        if not member(request).has_perm(MODERATE):
            raise PermissionDenied
        player, reason = _player(str(player_id)), request.POST.get("reason", "")
        try:
            number = moderation.remove_player(player=player, moderator=member(request), reason=reason)
        except Invalid as refused:
            messages.error(request, " ".join(refused.extra["errors"]["reason"]))
        else:
            messages.success(request, f"Removed from {number} table{'' if number == 1 else 's'}.")
        return HttpResponseRedirect(reverse("admin:players_player_change", args=[player_id]))

    def ban(self, request: HttpRequest, player_id: UUID) -> HttpResponseBase:
        """End the player's session everywhere, and keep its name out, and its addresses if so wished."""
        if not member(request).has_perm(BAN):
            raise PermissionDenied
        form = BanForm(request.POST)
        if not form.is_valid():
            messages.error(request, " ".join(str(told) for each in form.errors.values() for told in each))
            return HttpResponseRedirect(reverse("admin:players_player_change", args=[player_id]))
        given = form.cleaned_data
        try:
            ban_and_log(player_id, request, given["reason"], given["hours"], address=given["address"])
        except NotFound:
            raise Http404 from None
        messages.success(request, "The player is banned, and gone from every table.")
        return HttpResponseRedirect(reverse("admin:players_player_changelist"))


class BanForm(forms.Form):
    """For how long and why; and whether nobody else may enter from there."""

    hours = forms.IntegerField(min_value=1, max_value=LONGEST_HOURS)
    address = forms.BooleanField(required=False)
    reason = forms.CharField(max_length=LONGEST_REASON)


HIDDEN = ("table__state", "table__seed", "table__start_chance")


def _player(object_id: str) -> Player:
    try:
        return Player.objects.get(pk=UUID(object_id), leaving=False)
    except (ValueError, Player.DoesNotExist):
        raise Http404 from None
