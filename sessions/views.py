"""Two kinds of views: for those who have entered, and for everybody.

Apart from the authentication, which DRF loads before it has views.
"""

from rest_framework.views import APIView

from sessions.models import Player


class View(APIView):
    """OPTIONS is for preflights, which never get here: it is not among the methods allowed."""

    @property
    def allowed_methods(self) -> list[str]:
        return [method for method in super().allowed_methods if method != "OPTIONS"]


class PlayerView(View):
    """A view for those who have entered."""

    @property
    def player(self) -> Player:
        """Whose request this is."""
        player: Player = self.request.user  # type: ignore[assignment]  # Django expects its own users
        return player


class OpenView(View):
    """A view for everybody: it does not even look at the Authorization header."""

    authentication_classes = ()
    permission_classes = ()
