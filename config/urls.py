"""Every address of the server."""

from typing import Any

from django.contrib import admin
from django.urls import path, re_path

from config import api, docs, pages, problems
from games import advice
from games import api as games
from games import fair_api as fair
from games import report_api as reports
from sessions import api as sessions

handler400 = problems.bad_request
handler403 = problems.forbidden
handler404 = problems.not_found
handler500 = problems.server_error

V1 = {
    "": api.RootView,
    "sessions": sessions.SessionsView,
    "sessions/current": sessions.CurrentSessionView,
    "stream-tickets": sessions.TicketsView,
    "stream": games.MyStreamView,
    "lobby/stream": games.LobbyStreamView,
    "games": games.GamesView,
    "games/<slug:slug>": games.GameView,
    "matches": games.MatchesView,
    "tables": games.TablesView,
    "tables/by-code": games.ByCodeView,
    "tables/<uuid:table_id>": games.TableView,
    "tables/<uuid:table_id>/seats": games.SeatsView,
    "tables/<uuid:table_id>/seats/me": games.MySeatView,
    "tables/<uuid:table_id>/seats/me/return": games.ReturnView,
    "tables/<uuid:table_id>/seats/me/client-seed": fair.ClientSeedView,
    "tables/<uuid:table_id>/seats/<int:number>": games.SeatView,
    "tables/<uuid:table_id>/bots": games.BotsView,
    "tables/<uuid:table_id>/start": games.StartView,
    "tables/<uuid:table_id>/rematch": games.RematchView,
    "tables/<uuid:table_id>/moves": games.MovesView,
    "tables/<uuid:table_id>/events": games.EventsView,
    "tables/<uuid:table_id>/record": fair.RecordView,
    "tables/<uuid:table_id>/replay": fair.ReplayView,
    "tables/<uuid:table_id>/reports": reports.ReportsView,
    "records/check": fair.CheckView,
    "tables/<uuid:table_id>/odds": advice.OddsView,
    "tables/<uuid:table_id>/analysis": advice.AnalysisView,
    "tables/<uuid:table_id>/stream": games.TableStreamView,
}

# What is asked most is tried first.
USUAL = ("tables/<uuid:table_id>/moves", "tables/<uuid:table_id>", "tables/<uuid:table_id>/events", "tables")

# Flat, since each level of nesting costs every request as much as all the patterns of one level.
v1 = [path(f"api/v1/{route}", V1[route].as_view()) for route in dict.fromkeys((*USUAL, *V1))]

urlpatterns = [
    *v1,
    path("", pages.index),
    re_path(f"^play/{pages.NAME}$", pages.file),
    path("api/schema", docs.SchemaView.as_view()),
    path("api/docs", docs.docs),
    path("api/docs/start.js", docs.start),
    path("api/docs/errors", docs.error_page),
    path("api/v1", api.RootView.as_view()),
    path("healthz", api.healthz),
    path("readyz", api.readyz),
    path("metrics", api.metrics),
    path("admin/", admin.site.urls),
]


def in_order(endpoints: list[Any]) -> list[Any]:
    """The calls as the document tells them: by `V1`, not by what is tried first."""
    order = {view: number for number, view in enumerate(V1.values())}
    return sorted(endpoints, key=lambda endpoint: order.get(endpoint[3].cls, len(order)))
