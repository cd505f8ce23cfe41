"""A bearer token in the Authorization header, and nowhere else."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from config.errors import NotAuthenticated
from sessions import services
from sessions.models import Player, Token


def shown_token(request: Request) -> str:
    """The token that a request shows. Raises NotAuthenticated."""
    scheme, _, token = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    if scheme.lower() != "bearer" or not token:
        raise NotAuthenticated
    return str(token)


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`. Raises NotAuthenticated for any other header."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        if "HTTP_AUTHORIZATION" not in request.META:
            return None
        return services.authenticate(shown_token(request))

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
