"""How likely each seat of a Pickomino table wins, judged by how the table stands between two turns."""

from math import exp

from games.rules.pickomino import DOMINOES, Pickomino, State, worms

GAME = Pickomino()

EXACTLY = dict(zip(DOMINOES, (
    0.440, 0.413, 0.416, 0.375, 0.336, 0.284, 0.248, 0.221,
    0.177, 0.136, 0.098, 0.072, 0.051, 0.031, 0.017, 0.009,
), strict=True))  # fmt: skip
"""By domino: how likely a turn that is played for it alone ends on exactly its total, with a W."""

# Found by letting bots with other numbers play each other, and by how often seats of such tables then won.
STOLEN = 1.3  # how often a top is lost before it is covered, for each time that one turn would steal it
LARGEST = 1.0  # what the largest domino of all is worth in worms, should there be a tie
LAST, EACH = 1.4, 0.17  # how many worms of lead are decisive: at the end, and more for each on the BBQ


def win_chances(state: State) -> tuple[float, ...]:
    """By seat, one in sum. `state` is one between two turns, or of a game that is over: then it is exact.

    A seat is as strong as the worms in its stack, less what it may lose of its top, and a little more for its
    largest domino. The chances are in proportion to the exponentials of the strengths, in which a worm counts
    the more the fewer are left on the BBQ.
    """
    outcome = GAME.outcome(state, frozenset())
    if outcome:
        return tuple((seat in outcome.winners) / len(outcome.winners) for seat in range(len(state.stacks)))
    decisive = LAST + EACH * sum(map(worms, state.face_up))
    parts = [exp(_strength(stack) / decisive) for stack in state.stacks]
    return tuple(part / sum(parts) for part in parts)


def _strength(stack: tuple[int, ...]) -> float:
    """In worms."""
    if not stack:
        return 0.0
    lost = STOLEN * EXACTLY[stack[-1]] * worms(stack[-1])
    return sum(map(worms, stack)) - lost + LARGEST * (max(stack) - DOMINOES[0] + 1) / len(DOMINOES)
