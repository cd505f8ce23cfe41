"""Two kinds of views: for those who have entered, and for everybody.

Apart from the authentication, which DRF loads before it has views.
"""

from typing import Any, TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config.addresses import client_address
from config.errors import Refusal
from config.throttles import Limit, throttle
from config.wire import JSONRenderer
from sessions import services
from sessions.authentication import shown_token
from sessions.models import Player
from sessions.secrecy import hide_address

T = TypeVar("T")

ANYTHING = "*/*"
RENDERER = JSONRenderer()


class View(APIView):
    """OPTIONS is for preflights, which never get here: it is not among the methods allowed."""

    @property
    def allowed_methods(self) -> list[str]:
        return [method for method in super().allowed_methods if method != "OPTIONS"]

    @property
    def default_response_headers(self) -> dict[str, str]:
        """Which methods there are is said to who used another, and not with each answer."""
        return {}

    def initialize_request(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Request:
        """What is asked for again and again is at hand: DRF looks for it in vain at first, each time."""
        made = super().initialize_request(request, *args, **kwargs)
        made.META, made.method = request.META, request.method
        return made

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let go at the end of what holds a view and its request in circles, for the collector to find."""
        response = super().dispatch(request, *args, **kwargs)
        self.request.parser_context.clear()
        vars(self).pop("head", None)
        return response

    def count(self, limit: Limit) -> None:
        """Count this request for a limit, and say with the answer what is left. Raises Throttled."""
        self.headers.update(throttle.admit(self.counted(limit)))

    def counted(self, limit: Limit) -> dict[Limit, str]:
        """By whom a request is counted: by the address, where there is no session."""
        return {limit: hide_address(client_address(self.request))}

    def perform_content_negotiation(self, request: Request, force: bool = False) -> Any:
        """Where JSON is all there is, there is nothing to negotiate with those who take it."""
        accepted = request.META.get("HTTP_ACCEPT", ANYTHING) in (ANYTHING, JSONRenderer.media_type)
        if accepted and [*self.renderer_classes] == [JSONRenderer]:
            return RENDERER, RENDERER.media_type
        return super().perform_content_negotiation(request, force)


class PlayerView(View):
    """A view for those who have entered."""

    def counted(self, limit: Limit) -> dict[Limit, str]:
        """By the session first, then by the address with all its others."""
        return {limit: str(self.player.pk), **super().counted(limit.neighbours)}

    @property
    def player(self) -> Player:
        """Whose request this is."""
        player: Player = self.request.user  # type: ignore[assignment]  # Django expects its own users
        return player


class VisitorView(View):
    """A view for those who have entered, which recognises them together with what they ask for.

    Whoever shows no live session learns that first all the same, whatever else is wrong.
    """

    permission_classes = ()
    _is_admitted = False

    def perform_authentication(self, request: Request) -> None:
        """Not yet: that would be a question to the database of its own."""

    @property
    def token(self) -> str:
        """What the request shows. Raises NotAuthenticated when it shows none."""
        return shown_token(self.request)

    def admitted(self, visit: T) -> T:
        """Call it with what recognised the player."""
        self._is_admitted = True
        return visit

    def handle_exception(self, exc: Exception) -> Response:
        if not self._is_admitted and isinstance(exc, Refusal | APIException):
            try:
                services.authenticate(self.token)
            except Exception as failure:
                exc = failure
        return super().handle_exception(exc)


class OpenView(View):
    """A view for everybody: it does not even look at the Authorization header."""

    authentication_classes = ()
    permission_classes = ()
