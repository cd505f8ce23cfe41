"""The queue of reports, for moderators: oldest first, each decided for a reason."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from unfold.widgets import (
    UnfoldAdminRadioSelectWidget,
    UnfoldBooleanSwitchWidget,
)

from config.errors import NotFound
from config.staff import Link, offers
from games import reports
from games.codes import read_code
from games.models import Report, Table
from sessions.admin import Form, Served, ban_and_log, hours_field, name_of, why_field
from sessions.directory import ids_beginning
from sessions.models import Player
from sessions.names import without

# What the list and the page show, and no more: a table's state is long, and not everybody's to see.
SHOWN = (
    "seat",
    "version",
    "begun",
    "reason",
    "text",
    "created_at",
    "decision",
    "decided_at",
    "decided_because",
    "table__game",
    "table__status",
    "player__name",
    "reporter__name",
    "decided_by__username",
)


class DecisionForm(Form):
    """The decision, and a ban that may go with it."""

    decision = forms.ChoiceField(
        choices=Report.Decision.choices,
        widget=UnfoldAdminRadioSelectWidget(),
        help_text="It stays as it is. The reporter is told which, and not why.",
    )
    because = why_field(
        reports.REASON_LENGTH, "It is written in the log, where the names of both are taken out of it."
    )
    ban_hours = hours_field(
        required=False,
        label="Ban the player, for how many hours",
        help_text="Empty for no ban. Else the player's session ends, and its name is kept out for so long.",
    )
    ban_address = forms.BooleanField(
        required=False,
        widget=UnfoldBooleanSwitchWidget(),
        label="Its addresses too",
        help_text="With a ban, nobody can enter from where the player has entered.",
    )

    class Meta:
        model = Report
        fields = ("decision",)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or self.cleaned_data
        if given.get("ban_address") and "ban_hours" in given and not given["ban_hours"]:
            self.add_error("ban_hours", "Say for how long.")
        return given


class Decided(admin.SimpleListFilter):
    """Those that wait, unless others are asked for."""

    title = "decision"
    parameter_name = "decided"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(decision.value, str(decision.label)) for decision in Report.Decision] + [("all", "All")]

    def choices(self, changelist: Any) -> Any:
        yield {
            "selected": self.value() is None,
            "query_string": changelist.get_query_string(remove=[self.parameter_name]),
            "display": "Waiting",
        }
        yield from list(super().choices(changelist))[1:]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        if self.value() is None:
            return queryset.filter(decided_at__isnull=True)
        return queryset if self.value() == "all" else queryset.filter(decision=self.value())


@admin.register(Report)
class ReportAdmin(Served):
    form = DecisionForm
    list_display = ("created_at", "game", "at_table", "seat", "reported", "reason", "decision")
    list_filter = (Decided, "reason")
    list_per_page = 50
    ordering = ("id",)
    search_fields = ("id",)
    search_help_text = "The id of a report, a table or a player, a code, or the beginning of a name"
    actions = ("uphold", "dismiss")
    told = (
        "created_at",
        "game",
        "at_table",
        "seat",
        "reported",
        "reason",
        "told_text",
        "reported_by",
    )
    made = ("decision", "decided_because", "decided_by", "decided_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        joined: QuerySet[Any] = (
            super().get_queryset(request).select_related("table", "player", "reporter", "decided_by")
        )
        return joined.only(*SHOWN)

    def found(self, rows: QuerySet[Any], wanted: str) -> QuerySet[Any]:
        try:
            sought = UUID(wanted)
        except ValueError:
            tables = list(Table.objects.filter(code=read_code(wanted)).values_list("pk", flat=True))
            return rows.filter(Q(table__in=tables) | Q(player__in=list(ids_beginning(wanted))))
        return rows.filter(Q(pk=sought) | Q(table=sought) | Q(player=sought))

    def get_fields(self, request: HttpRequest, obj: Report | None = None) -> Any:
        if obj is None or obj.decided_at or not self.has_change_permission(request, obj):
            return self.told + self.made
        ban = ("ban_hours", "ban_address") if _may_ban(request, obj) else ()
        return (*self.told, "decision", "because", *ban)

    def get_readonly_fields(self, request: HttpRequest, obj: Report | None = None) -> Any:
        return self.told

    @admin.display(description="game")
    def game(self, report: Report) -> str:
        return report.table.game

    @admin.display(description="table")
    def at_table(self, report: Report) -> str:
        """The table as it was then, if it may be seen so by then from the seat."""
        page = reverse("admin:games_table_change", args=[report.table_id])
        seat = f"&seat={report.seat}" if report.begun else ""
        url = f"{page}?version={report.version}{seat}"
        return format_html(
            '<a class="desk-link" href="{}">{}, version {}</a>', url, report.table_id, report.version
        )

    @admin.display(description="player")
    def reported(self, report: Report) -> str:
        return _here(report.player)

    @admin.display(description="reporter")
    def reported_by(self, report: Report) -> str:
        return _here(report.reporter)

    @admin.display(description="text")
    def told_text(self, report: Report) -> str:
        return "(deleted)" if report.text is None else report.text

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Report | None = None) -> bool:
        """Whether it may be decided, which happens once."""
        return super(Served, self).has_change_permission(request, obj) and not (obj and obj.decided_at)

    def save_model(self, request: HttpRequest, obj: Report, form: Any, change: bool) -> None:
        given = form.cleaned_data
        obj.decided_because = self._decide(request, obj, given["decision"], given["because"])
        # The form takes these fields even where they are not shown.
        if given.get("ban_hours") and _may_ban(request, obj):
            try:
                because = _without_reporter(given["because"], obj.reporter)
                ban_and_log(obj.player_id, request, because, given["ban_hours"], address=given["ban_address"])
            except NotFound:
                self.message_user(request, "The player is gone: nobody was banned.", messages.WARNING)

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        return form.instance.decided_because

    def changeform_view(
        self, request: HttpRequest, object_id: str | None = None, *args: Any, **kwargs: Any
    ) -> HttpResponse:
        """Of two moderators who decide, at once or from a page that is old by now, the later one is told."""
        shown: HttpResponse
        try:
            if request.method == "POST" and self.has_change_permission(request):
                self._check_waits(request, object_id)
            shown = super().changeform_view(request, object_id, *args, **kwargs)
        except reports.AlreadyDecided:
            self.message_user(request, "Another moderator was faster: nothing has changed.", messages.ERROR)
            shown = self.response_post_save_change(request, None)
        return shown

    def _check_waits(self, request: HttpRequest, object_id: str | None) -> None:
        report = self.get_object(request, object_id or "")
        if report is not None and report.decided_at is not None:
            raise reports.AlreadyDecided

    def _decide(self, request: HttpRequest, report: Report, decision: str, reason: str) -> str:
        """What goes into the log."""
        done = reports.decide_report(report_id=report.pk, by=request.user, decision=decision, reason=reason)
        return f"{decision}: {done.decided_because}"

    @admin.action(permissions=["change"], description="Uphold, for the reason given")
    def uphold(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._decide_each(request, chosen, Report.Decision.UPHELD)

    @admin.action(permissions=["change"], description="Dismiss, for the reason given")
    def dismiss(self, request: HttpRequest, chosen: QuerySet[Report]) -> None:
        self._decide_each(request, chosen, Report.Decision.DISMISSED)

    def _decide_each(self, request: HttpRequest, chosen: QuerySet[Report], decision: str) -> None:
        def act(report: Report, reason: str) -> str:
            try:
                return self._decide(request, report, decision, reason)
            except reports.AlreadyDecided:
                raise NotFound("Another moderator was faster.") from None

        self.do_each(request, chosen, act, "Reports decided")


def _without_reporter(reason: str, reporter: Player | None) -> str:
    """The reason of a ban, which takes out the name of the player itself."""
    return without(reason, reporter.name, "[reporter]", reports.REASON_LENGTH) if reporter else reason


def _may_ban(request: HttpRequest, report: Report) -> bool:
    return report.player_id is not None and bool(request.user.has_perm("players.add_ban"))


@offers("games.table")
def reports_about(request: HttpRequest, table: Table) -> Iterator[Link]:
    """The way from a table to what was told about it."""
    if request.user.has_perm("games.view_report"):
        yield Link("Reports", f"{reverse('admin:games_report_changelist')}?decided=all&q={table.pk}")


def _here(player: Player | None) -> str:
    return name_of(player) if player else "(gone)"
