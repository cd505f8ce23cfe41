"""Every address of the server."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from config import api, docs, problems
from games import advice
from games import api as games
from sessions import api as sessions

handler400 = problems.bad_request
handler403 = problems.forbidden
handler404 = problems.not_found
handler500 = problems.server_error

v1 = [
    path("", api.RootView.as_view()),
    path("sessions", sessions.SessionsView.as_view()),
    path("sessions/current", sessions.CurrentSessionView.as_view()),
    path("stream-tickets", sessions.TicketsView.as_view()),
    path("stream", games.MyStreamView.as_view()),
    path("lobby/stream", games.LobbyStreamView.as_view()),
    path("games", games.GamesView.as_view()),
    path("games/<slug:slug>", games.GameView.as_view()),
    path("matches", games.MatchesView.as_view()),
    path("tables", games.TablesView.as_view()),
    path("tables/by-code", games.ByCodeView.as_view()),
    path("tables/<uuid:table_id>", games.TableView.as_view()),
    path("tables/<uuid:table_id>/seats", games.SeatsView.as_view()),
    path("tables/<uuid:table_id>/seats/me", games.MySeatView.as_view()),
    path("tables/<uuid:table_id>/seats/me/return", games.ReturnView.as_view()),
    path("tables/<uuid:table_id>/seats/<int:number>", games.SeatView.as_view()),
    path("tables/<uuid:table_id>/bots", games.BotsView.as_view()),
    path("tables/<uuid:table_id>/start", games.StartView.as_view()),
    path("tables/<uuid:table_id>/rematch", games.RematchView.as_view()),
    path("tables/<uuid:table_id>/moves", games.MovesView.as_view()),
    path("tables/<uuid:table_id>/events", games.EventsView.as_view()),
    path("tables/<uuid:table_id>/odds", advice.OddsView.as_view()),
    path("tables/<uuid:table_id>/analysis", advice.AnalysisView.as_view()),
    path("tables/<uuid:table_id>/stream", games.TableStreamView.as_view()),
]

urlpatterns = [
    path("", RedirectView.as_view(url="/api/docs")),
    path("api/schema", docs.SchemaView.as_view()),
    path("api/docs", docs.docs),
    path("api/docs/start.js", docs.start),
    path("api/docs/errors", docs.error_page),
    path("api/v1", api.RootView.as_view()),
    path("api/v1/", include(v1)),
    path("healthz", api.healthz),
    path("readyz", api.readyz),
    path("admin/", admin.site.urls),
]
