"""How a row lies: the paragraph on corners, sentence by sentence, and random rows against a slow oracle."""

from itertools import pairwise, product

import pytest

from games.rules import layout
from games.rules.dominoes import Options, State, View
from games.rules.game import Move, play
from tests.games.rules.seeded import SeededChance
from tests.games.rules.test_dominoes import (
    DEAD_END,
    DIRECTIONS,
    EVERY_OPTION,
    Played,
    any_of,
    game,
    legal,
    plain,
    position,
    random_game,
    row_of,
    step,
    told,
    walk,
)

FAR_CELL_TAKEN = "6-5, 6-1 left, 5-4 right cw, 4-3 right, 3-2 right cw, 2-0 right cw"
"""The right end heads up; of the next two cells the second belongs to the 6-1."""


def shown(lays: str) -> list[dict[str, object]]:
    shown: list[dict[str, object]] = plain(layout.placed(row_of(lays)))
    return shown


def end(lays: str, name: str) -> layout.End:
    return layout.ends(row_of(lays))[layout.ENDS.index(name)]


# The paragraph


def test_the_first_tile_lies_at_0_0_and_1_0_greater_half_first() -> None:
    assert shown("6-4") == [{"tile": "6-4", "x": 0, "y": 0, "facing": "right"}]
    assert row_of("6-4")[0].cells == ((0, 0), (1, 0))


def test_the_left_end_heads_left_and_the_right_end_heads_right() -> None:
    assert layout.ends(row_of("6-4")) == (layout.End(6, 0, 0, "left"), layout.End(4, 1, 0, "right"))


def test_a_straight_lay_covers_the_next_two_cells_in_the_heading() -> None:
    assert shown("6-4, 4-3 right")[1] == {"tile": "4-3", "x": 2, "y": 0, "facing": "right"}
    assert shown("6-4, 6-3 left")[0] == {"tile": "6-3", "x": -1, "y": 0, "facing": "left"}


@pytest.mark.parametrize(
    ("lays", "heading"),
    [
        ("6-4, 4-3 right cw", "down"),
        ("6-4, 4-3 right cw, 3-2 right cw", "left"),
        ("6-4, 4-3 right cw, 3-2 right cw, 2-1 right cw", "up"),
        ("6-4, 4-3 right ccw", "up"),
        ("6-4, 4-3 right ccw, 3-2 right ccw", "left"),
        ("6-4, 4-3 right ccw, 3-2 right ccw, 2-1 right ccw", "down"),
        ("6-4, 4-3 right ccw, 3-2 right cw", "right"),
    ],
)
def test_with_a_corner_the_right_heading_turns_a_quarter(lays: str, heading: str) -> None:
    assert end(lays, "right").heading == heading


@pytest.mark.parametrize(
    ("lays", "heading"),
    [
        ("6-4, 6-3 left cw", "up"),
        ("6-4, 6-3 left cw, 3-2 left cw", "right"),
        ("6-4, 6-3 left cw, 3-2 left cw, 2-1 left cw", "down"),
        ("6-4, 6-3 left ccw", "down"),
        ("6-4, 6-3 left ccw, 3-2 left ccw", "right"),
        ("6-4, 6-3 left ccw, 3-2 left ccw, 2-1 left ccw", "up"),
        ("6-4, 6-3 left ccw, 3-2 left cw", "left"),
    ],
)
def test_with_a_corner_the_left_heading_turns_a_quarter(lays: str, heading: str) -> None:
    assert end(lays, "left").heading == heading


def test_around_a_corner_the_two_cells_follow_from_the_ends_last_cell() -> None:
    """The example that the ruling gives."""
    assert shown("6-4, 6-1 left cw, 4-3 right, 3-3 right ccw") == [
        {"tile": "6-1", "x": 0, "y": -1, "facing": "up"},
        {"tile": "6-4", "x": 0, "y": 0, "facing": "right"},
        {"tile": "4-3", "x": 2, "y": 0, "facing": "right"},
        {"tile": "3-3", "x": 3, "y": -1, "facing": "up"},
    ]


@pytest.mark.parametrize(
    ("lays", "left", "right"),
    [
        ("6-5", ["cw", "ccw"], ["cw", "ccw"]),
        # The nearer cell is the first tile's.
        ("6-5, 5-4 right cw, 4-3 right cw, 3-2 right cw", ["cw"], ["ccw"]),
        # The nearer cell is free, the farther one is the first tile's.
        ("6-5, 5-4 right, 4-3 right cw, 3-2 right cw", ["cw", "ccw"], ["ccw"]),
        # The nearer cell is the left end's.
        ("6-5, 6-1 left ccw, 5-4 right cw", ["cw"], ["ccw"]),
    ],
)
def test_a_corner_is_legal_only_where_both_cells_are_free(
    lays: str, left: list[str], right: list[str]
) -> None:
    assert layout.open_corners(row_of(lays)) == (left, right)


@pytest.mark.parametrize("lays", [DEAD_END, FAR_CELL_TAKEN])
def test_a_straight_lay_is_legal_even_where_one_of_its_cells_is_taken(lays: str) -> None:
    assert layout.is_dead_end(row_of(lays), "right")
    assert not layout.is_dead_end(row_of(lays), "left")
    pips = end(lays, "right").pips
    state = position(f"6-{pips} 1-1", "0-0", row=lays)
    assert f"lay 6-{pips} right" in legal(state)


@pytest.mark.parametrize("lays", [DEAD_END, FAR_CELL_TAKEN])
def test_at_a_dead_end_the_row_is_first_straightened_then_the_tile_is_laid(lays: str) -> None:
    pips = end(lays, "right").pips
    state, events = step(position(f"6-{pips} 3-3", "0-0", row=lays), f"lay 6-{pips} right")
    assert told(events)[:2] == [("straightened", None), ("laid", 0)]
    assert [laid.y for laid in state.row] == [0] * len(state.row)
    assert plain(layout.placed(state.row[:-1])) == events[0].data["row"]
    assert state.row[-1].cells[0][0] == state.row[-2].cells[1][0] + 1


def test_straightened_is_one_horizontal_line_with_the_first_tile_staying_where_it_is() -> None:
    row = layout.straightened(row_of(FAR_CELL_TAKEN))
    assert [(laid.left, laid.right, laid.x, laid.y, laid.heading) for laid in row] == [
        (1, 6, -2, 0, "right"),
        (6, 5, 0, 0, "right"),
        (5, 4, 2, 0, "right"),
        (4, 3, 4, 0, "right"),
        (3, 2, 6, 0, "right"),
        (2, 0, 8, 0, "right"),
    ]


def test_straightening_turns_both_headings_back() -> None:
    left, right = layout.ends(layout.straightened(row_of(DEAD_END)))
    assert (left.heading, right.heading) == ("left", "right")
    assert (left.pips, right.pips) == (1, 2)


def test_a_corner_at_an_end_that_is_a_dead_end_straightens_nothing() -> None:
    _, events = step(position("2-0 1-1", "6-0", row=DEAD_END), "lay 2-0 right ccw")
    assert told(events)[0] == ("laid", 0)


def test_a_lay_at_the_other_end_straightens_nothing() -> None:
    _, events = step(position("4-1 0-0", "6-0 2-2", row=DEAD_END), "lay 4-1 left")
    assert told(events)[0] == ("laid", 0)


def test_x_y_is_the_cell_of_the_greater_half_and_facing_the_direction_to_the_lesser() -> None:
    assert shown("5-4, 6-4 right cw, 6-1 right ccw") == [
        {"tile": "5-4", "x": 0, "y": 0, "facing": "right"},
        {"tile": "6-4", "x": 1, "y": 2, "facing": "up"},
        {"tile": "6-1", "x": 2, "y": 2, "facing": "right"},
    ]


def test_a_double_faces_from_the_half_nearer_to_the_left_end_to_the_other() -> None:
    assert shown("6-6, 6-5 left cw, 5-5 left")[0] == {"tile": "5-5", "x": 0, "y": -4, "facing": "down"}
    assert shown("6-6, 6-5 right cw, 5-5 right")[-1] == {"tile": "5-5", "x": 1, "y": 3, "facing": "down"}


def test_the_row_and_its_ends_are_told_from_left_to_right() -> None:
    row = row_of("6-4, 4-3 right, 6-5 left, 5-5 left, 3-2 right")
    assert [placed.tile for placed in layout.placed(row)] == ["5-5", "6-5", "6-4", "4-3", "3-2"]
    assert [last.pips for last in layout.ends(row)] == [5, 2]


def test_with_the_option_off_only_straight_lays_are_offered() -> None:
    for played in random_game(3, Options(corners=False, target=50), seed=1):
        assert not played.move.endswith(("cw", "ccw"))
        assert all(placed.y == 0 for placed in game.view(played.after, None).row)
        assert "straightened" not in [event.kind for event in played.events]


@pytest.mark.parametrize("seed", range(20))
def test_corners_never_change_what_fits_or_scores(seed: int) -> None:
    """A game with corners, and the same game with every lay straight."""
    chance, straight_chance = SeededChance(seed), SeededChance(seed)
    state, _ = game.start(3, Options(target=0), chance)
    straight, _ = game.start(3, Options(target=0, corners=False), straight_chance)
    while state.seat is not None:
        assert list(dict.fromkeys(map(without_corner, legal(state)))) == legal(straight)
        move = any_of(legal(state), chance)
        state, _ = play(game, state, state.seat, move, chance)
        straight, _ = step(straight, without_corner(move))
        assert (state.hands, state.seat, state.scores) == (straight.hands, straight.seat, straight.scores)
    assert straight.seat is None


def without_corner(move: Move) -> Move:
    return move.removesuffix(" cw").removesuffix(" ccw")


# The oracle: cells as complex numbers, a quarter clockwise is a factor 1j


def ends_by_walking(view: View) -> list[tuple[int, complex, complex]]:
    """Pips, cell and heading of both ends, from the two halves of the outermost tiles."""
    tiles = walk(view)
    ends = []
    for inner, outer in (tiles[0][::-1], tiles[-1]):
        ends.append((outer[0], outer[1], outer[1] - inner[1]))
    return ends


def lays_by_trying(state: State) -> list[Move]:
    """Every tile of the hand at every end in every direction, kept if it fits and lies on free cells."""
    assert state.seat is not None
    view = game.view(state, state.seat)
    taken = {cell for tile in walk(view) for _, cell in tile}
    corners = {"": 1, " cw": 1j, " ccw": -1j}
    lays = []
    for tile in view.hand or ():
        for name, (pips, cell, heading) in zip(("left", "right"), ends_by_walking(view), strict=True):
            for corner, turn in corners.items():
                room = not taken & {cell + heading * turn, cell + 2 * heading * turn}
                if str(pips) in tile.split("-") and (not corner or (room and state.options.corners)):
                    lays.append(f"lay {tile} {name}{corner}")
    return lays


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_legal_moves_agree_with_trying_every_tile_at_every_cell(seats: int, options: Options) -> None:
    for seed in range(15):
        for played in random_game(seats, options, seed):
            if played.before.row:
                assert legal(played.before) == (lays_by_trying(played.before) or ["draw"])


@pytest.mark.parametrize("options", EVERY_OPTION)
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_halves_lie_side_by_side_and_no_two_tiles_share_a_cell(seats: int, options: Options) -> None:
    for seed in range(15):
        for played in random_game(seats, options, seed):
            tiles = walk(game.view(played.after, None))
            for (_, one), (other, _) in pairwise(tiles):
                assert one[0] == other[0]
                assert abs(one[1] - other[1]) == 1
            cells = [cell for tile in tiles for _, cell in tile]
            assert len(set(cells)) == 2 * len(tiles)
            assert cells.count(0) == cells.count(1) == 1


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ends_tell_the_open_half_its_cell_and_where_the_row_would_go_on(seats: int) -> None:
    for seed in range(30):
        for played in random_game(seats, Options(target=0), seed):
            view = game.view(played.after, None)
            ends = [(e.pips, complex(e.x, e.y), DIRECTIONS[e.heading]) for e in view.ends]
            assert ends == ends_by_walking(view)


def test_a_row_is_straightened_exactly_where_a_straight_lay_has_no_room() -> None:
    straightenings = 0
    for seats, seed in product((2, 3, 4), range(40)):
        for played in random_game(seats, Options(target=0), seed):
            lines = [event for event in played.events if event.kind == "straightened"]
            assert bool(lines) is runs_into_itself(played)
            for line in lines:
                straightenings += 1
                assert line.data["row"] == line_by_hand(played.before)
    assert straightenings > 20


def runs_into_itself(played: Played) -> bool:
    """Whether the move goes straight on into a cell that is taken."""
    match played.move.split():
        case ["lay", _, name]:
            view = game.view(played.before, None)
            _, cell, heading = ends_by_walking(view)[("left", "right").index(name)]
            taken = {cell for tile in walk(view) for _, cell in tile}
            return bool(taken & {cell + heading, cell + 2 * heading})
    return False


def line_by_hand(state: State) -> list[dict[str, object]]:
    """The row as one line, tile by tile to both sides of the first."""
    tiles = walk(game.view(state, None))
    origin = next(index for index, (left, _) in enumerate(tiles) if left[1] == 0)
    line: list[dict[str, object]] = []
    for index, ((left, _), (right, _)) in enumerate(tiles):
        x = 2 * (index - origin)
        turned = right > left
        tile = f"{max(left, right)}-{min(left, right)}"
        line.append({"tile": tile, "x": x + turned, "y": 0, "facing": "left" if turned else "right"})
    return line
