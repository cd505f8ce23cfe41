"""What moves are worth, over HTTP: the odds of a decision, and the analysis of a game that is over."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from config.openapi import documented
from config.throttles import ANALYSES, ODDS, throttle
from games import advice_schema as schema
from games import analyses, hints, queries
from sessions.views import PlayerView

NO_STORE = {"Cache-Control": "no-store"}
ASK_AGAIN_SECONDS = 2


class OddsView(PlayerView):
    """What one's moves are worth."""

    @documented(schema.GET_ODDS)
    def get(self, request: Request, table_id: UUID) -> Response:
        asked = hints.asked_by(queries.table_for(table_id, self.player), self.player)
        throttle.admit(ODDS, str(self.player.pk))
        return Response(hints.odds_json(asked), headers=NO_STORE)


class AnalysisView(PlayerView):
    """How well a game was played, and how lucky."""

    @documented(schema.GET_ANALYSIS)
    def get(self, request: Request, table_id: UUID) -> Response:
        ledger = queries.table_for(table_id, self.player)
        analysis = analyses.find_analysis(ledger)
        if analysis and analysis.made_at:
            return Response(analyses.analysis_json(analysis), headers=NO_STORE)
        if analysis is None:
            throttle.admit(ANALYSES, str(self.player.pk))
            analyses.ask_for(ledger)
        headers = {**NO_STORE, "Retry-After": str(ASK_AGAIN_SECONDS)}
        return Response({"status": "being_made"}, status=202, headers=headers)
