"""The queue of reports, for moderators: oldest first, each decided for a reason."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from config.errors import NotFound
from games import reports
from games.models import Report
from sessions.admin import LONGEST_HOURS, Form, Served, banned
from sessions.models import Player

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

    decision = forms.ChoiceField(choices=Report.Decision.choices, widget=forms.RadioSelect)
    because = forms.CharField(max_length=reports.REASON_LENGTH, widget=forms.Textarea(attrs={"rows": 3}))
    ban_hours = forms.IntegerField(
        min_value=1,
        max_value=LONGEST_HOURS,
        required=False,
        help_text="Empty for no ban. Else the player's session ends, and its name is kept out for so long.",
    )
    ban_address = forms.BooleanField(required=False, label="The addresses that it entered from too")

    class Meta:
        model = Report
        fields = ("decision",)


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
    list_display = ("created_at", "game", "table_id", "seat", "reported", "reason", "version", "decision")
    list_filter = (Decided, "reason")
    list_per_page = 50
    ordering = ("id",)
    search_fields = ("id__exact", "table__id__exact")
    search_help_text = "A report's or a table's id"
    actions = ("uphold", "dismiss")
    told = (
        "created_at",
        "game",
        "table_id",
        "seat",
        "reported",
        "version",
        "reason",
        "told_text",
        "reported_by",
    )
    made = ("decision", "decided_because", "decided_by", "decided_at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        joined = super().get_queryset(request).select_related("table", "player", "reporter", "decided_by")
        return joined.only(*SHOWN)

    def get_fields(self, request: HttpRequest, obj: Report | None = None) -> Any:
        if obj is None or obj.decided_at or not self.has_change_permission(request, obj):
            return self.told + self.made
        ban = (
            ("ban_hours", "ban_address") if obj.player_id and request.user.has_perm("players.add_ban") else ()
        )
        return (*self.told, "decision", "because", *ban)

    def get_readonly_fields(self, request: HttpRequest, obj: Report | None = None) -> Any:
        return self.told

    @admin.display(description="game")
    def game(self, report: Report) -> str:
        return report.table.game

    @admin.display(description="table")
    def table_id(self, report: Report) -> str:
        return str(report.table_id)

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
        if given.get("ban_hours"):
            try:
                banned(
                    obj.player_id, request, given["because"], given["ban_hours"], address=given["ban_address"]
                )
            except NotFound:
                self.message_user(request, "The player is gone: nobody was banned.", messages.WARNING)

    def construct_change_message(self, request: Any, form: Any, formsets: Any, add: bool = False) -> Any:
        return form.instance.decided_because

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Of two moderators who decide at once, the later one is told."""
        try:
            return super().changeform_view(request, *args, **kwargs)
        except reports.AlreadyDecided:
            self.message_user(request, "Another moderator was faster: nothing has changed.", messages.ERROR)
            return self.response_post_save_change(request, None)

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

        self.do_each(request, chosen.filter(decided_at__isnull=True), act, "Reports decided")


def _here(player: Player | None) -> str:
    return player.name if player else "(gone)"
