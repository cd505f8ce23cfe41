"""Telling moderators of a seat, over HTTP."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from rest_framework.request import Request

from config.addresses import client_address
from config.openapi import documented
from config.shapes import Choice, Shape, Text, Whole, body
from config.wire import reply
from games import report_schema as schema
from games.api import once
from games.models import Report
from games.reports import report_json, report_seat
from games.visits import visit
from sessions.views import VisitorView


class ReportShape(Shape):
    seat = Whole(min_value=0)
    reason = Choice(choices=Report.Reason.values)
    text = Text(required=False, allow_blank=True, max_length=1000)


class ReportsView(VisitorView):
    """Report a seat."""

    @documented(schema.REPORT_SEAT, body=ReportShape)
    def post(self, request: Request, table_id: UUID) -> HttpResponse:
        given: dict[str, Any] = {"text": "", **body(request, ReportShape)}
        key = once(request)
        seen = self.admitted(visit(self.token, table_id, key.key if key else None))
        filed = report_seat(visit=seen, once=key, address=client_address(request), **given)
        self.headers.update(filed.headers)
        return reply(report_json(filed.report), 201 if filed.made else 200)
