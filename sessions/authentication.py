"""A bearer token in the Authorization header, and nowhere else."""

from rest_framework.authentication import BaseAuthentication
from rest_framework.request import Request

from config.errors import NotAuthenticated
from sessions import services
from sessions.models import Player, Token


class BearerAuthentication(BaseAuthentication):
    """`Authorization: Bearer TOKEN`. Raises NotAuthenticated for any other header."""

    def authenticate(self, request: Request) -> tuple[Player, Token] | None:
        header = request.META.get("HTTP_AUTHORIZATION")
        if header is None:
            return None
        scheme, _, token = header.partition(" ")
        if scheme.lower() != "bearer" or not token:
            raise NotAuthenticated
        return services.authenticate(token)

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"
