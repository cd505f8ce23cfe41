"""What sessions tell and ask, so that they need not know who sits where."""

from django.dispatch import Signal

# A player goes: whoever keeps something of the player lets go of it now. Sends `player`
# and `by`: "player" for a logout, "server" for a session that ran out, "moderator" for a ban.
player_left = Signal()

# A player's time is over: receivers answer with the moment until which they still need it, or None.
# Sends `player`.
player_expiring = Signal()

# A session is about to be shown to its player: receivers answer with further members of its JSON.
# Sends `player`.
session_shown = Signal()

# A player asks what is new: receivers answer with members of JSON that are told once, and not again.
# Sends `player`.
news_told = Signal()
