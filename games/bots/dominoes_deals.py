"""What a seat sees of a round of dominoes, and deals of the hidden tiles that agree with all of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256, shake_128
from itertools import count

import msgspec

from games.bots.dominoes_rounds import Round
from games.bots.dominoes_tiles import EVERY, FIT, NO_ROW, Bits, Ends, bits_of, each, ends_of, having
from games.rules.dominoes import HAND_SIZE, TILES, View
from games.rules.game import Seat
from games.rules.hidden import AtMost

FIRST_EXCHANGES = 10
"""How often, on average, each place is asked to exchange its tile before the first deal."""

EXCHANGES = 2
"""The same between two deals."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A round as its seat to move sees it. `rooms` are the hidden places: who holds one, what it can hold.

    The holder of covered tiles is the number of seats; their places come last.
    """

    seat: Seat
    seats: int
    ends: Ends
    hand: Bits
    outside: Bits
    rooms: tuple[tuple[Seat, Bits], ...]
    seed: bytes

    @property
    def unseen(self) -> Bits:
        """The tiles that another seat holds, or nobody."""
        return self.outside & ~self.hand

    def stops(self, ends: Ends) -> float:
        """The chance that nothing of the next seat's hand fits these ends, its places taken one by one."""
        following = (self.seat + 1) % self.seats
        chance = 1.0
        for holder, room in self.rooms:
            if holder == following:
                possible = room & self.unseen
                chance *= (possible & ~FIT[ends]).bit_count() / possible.bit_count()
        return chance

    def deals(self, at_once: bool) -> Iterator[Round]:
        """Rounds without end that look like this one; all are equally likely, and always the same come.

        Hands agree with what draws and passes have told. `at_once`: a dead row blocks the round.
        """
        owners = [holder for holder, _ in self.rooms]
        held = sum(holder < self.seats for holder in owners)
        for tiles in _arrangements([room for _, room in self.rooms], self.unseen, self.seed):
            hands = [0] * self.seats
            hands[self.seat] = self.hand
            for holder, tile in zip(owners[:held], tiles, strict=False):
                hands[holder] |= tile
            yield Round(self.ends, tuple(hands), tuple(tiles[held:]), self.outside, self.seat, at_once)


def seen(view: View, seat: Seat) -> Seen:
    """What the bots read in a view of the seat to move."""
    hand = bits_of(view.hand or ())
    outside = EVERY & ~bits_of(placed.tile for placed in view.row)
    rooms = [
        (other, _room(at_most, place))
        for other, (size, at_most) in enumerate(zip(view.hand_sizes, view.at_most, strict=True))
        for place in range(1, size + 1)
        if other != seat
    ]
    seats = len(view.hand_sizes)
    rooms += [(seats, EVERY)] * ((outside & ~hand).bit_count() - len(rooms))
    ends = ends_of(*(end.pips for end in view.ends)) if view.ends else NO_ROW
    seed = sha256(msgspec.json.encode((seat, view))).digest()
    return Seen(seat, seats, ends, hand, outside, tuple(rooms), seed)


def fresh(seats: int, at_once: bool) -> Iterator[Round]:
    """Newly dealt rounds without end that seat 0 begins, always the same ones."""
    for tiles in _arrangements([EVERY] * len(TILES), EVERY, f"{seats} seats".encode()):
        hands = tuple(sum(tiles[HAND_SIZE * seat : HAND_SIZE * (seat + 1)]) for seat in range(seats))
        yield Round(NO_ROW, hands, tuple(tiles[HAND_SIZE * seats :]), EVERY, 0, at_once)


def _room(at_most: AtMost, place: int) -> Bits:
    """What can lie at a place of a hand, counted from the newest, which is 1."""
    return EVERY & ~having(*(pips for pips, count in enumerate(at_most) if count < place))


def _arrangements(rooms: Sequence[Bits], tiles: Bits, seed: bytes) -> Iterator[list[Bits]]:
    """The tiles, one to each room, in other orders without end; the list is the same one each time.

    A walk over all arrangements that the rooms allow: two rooms exchange their tiles, if both can take the
    other's. To go is as likely as to return, so that each arrangement comes equally often.
    """
    order = _first(rooms, tiles)
    index = bytes(byte * len(order) >> 8 for byte in range(256))
    for number in count():
        asked = len(order) * (EXCHANGES if number else FIRST_EXCHANGES)
        luck = shake_128(seed + number.to_bytes(4, "big")).digest(2 * asked).translate(index)
        for one, other in zip(luck[:asked], luck[asked:], strict=True):
            first, second = order[one], order[other]
            if rooms[one] & second and rooms[other] & first:
                order[one], order[other] = second, first
        yield order


def _first(rooms: Sequence[Bits], tiles: Bits) -> list[Bits]:
    """One arrangement that the rooms allow: room by room, moving tiles on where one is in the way.

    Kuhn's matching by augmenting paths.
    """
    taken: dict[Bits, int] = {}
    for room in range(len(rooms)):
        if not _placed(room, rooms, each(tiles), taken, set()):
            raise ValueError("the tiles do not agree with what is known of the hands")
    return sorted(taken, key=taken.__getitem__)


def _placed(
    room: int, rooms: Sequence[Bits], tiles: Sequence[Bits], taken: dict[Bits, int], tried: set[Bits]
) -> bool:
    """Whether a room gets a tile, perhaps from a room that gets another."""
    for tile in tiles:
        if rooms[room] & tile and tile not in tried:
            tried.add(tile)
            if tile not in taken or _placed(taken[tile], rooms, tiles, taken, tried):
                taken[tile] = room
                return True
    return False
