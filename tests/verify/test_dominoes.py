"""The verifier's dominoes does what the worked examples in tests/vectors say."""

from typing import Any

import pytest

from tests.verify.program import VECTORS, luck, options, read, verifier

EXAMPLES = read(VECTORS / "dominoes.json")
LAYOUTS = read(VECTORS / "dominoes-layout.json")["rows"]
UNSHUFFLED = ["shuffle", list(range(28))]


def tile(name: str) -> tuple[int, int]:
    return int(name[0]), int(name[2])


def names(hand: list[tuple[int, int]]) -> list[str]:
    return [verifier.tile_name(some) for some in hand]


def order(seats: int, first: int) -> list[Any]:
    return ["shuffle", [first, *(seat for seat in range(seats) if seat != first)]]


def dealt(scenario: dict[str, Any]) -> Any:
    tiles = [tile(name) for part in [*scenario["hands"], scenario["stock"]] for name in part]
    deal = ["shuffle", [verifier.TILES.index(some) for some in tiles]]
    seats = len(scenario["hands"])
    chosen = options(verifier.Dominoes, **scenario["options"])
    return verifier.Dominoes(seats, chosen, luck(order(seats, scenario["starter"]), deal))


@pytest.mark.parametrize("scenario", EXAMPLES["scenarios"], ids=lambda scenario: scenario["note"])
def test_the_rounds_go_as_they_say(scenario: dict[str, Any]) -> None:
    game, then = dealt(scenario), scenario["then"]
    for made in scenario["moves"]:
        seat, move = made["seat"], made["move"]
        allowed = seat in game.to_move() and move in game.legal(seat)
        assert allowed is not made.get("refused", False)
        if allowed:
            game.apply(seat, move, luck())
    assert [[left[0], right[0]] for left, right in game.row.tiles] == then["row"]
    assert [game.row.open_half(end)[0] for end in (0, 1)] == then["ends"]
    assert [names(hand) for hand in game.hands] == then["hands"]
    assert (len(game.stock), game.over) == (then["stock"], then["round_over"])
    if result := then["result"]:
        assert (game.round_winner, game.pips()) == (result["winner"], result["pips"])
        assert game.scores() == result["points"]
        assert (game.hands[result["winner"]] == [] if result["how"] == "out" else all(game.hands)) is True


@pytest.mark.parametrize("table", EXAMPLES["tables"], ids=lambda table: table["note"])
def test_the_rounds_add_up_to_a_game(table: dict[str, Any]) -> None:
    seats = table["players"]
    chosen = options(verifier.Dominoes, target=table["target"])
    game = verifier.Dominoes(seats, chosen, luck(order(seats, 0), UNSHUFFLED))
    for of_round in table["rounds"]:
        assert game.starter == of_round["starter"]
        game.hands = [[(pips, 0)] if pips else [] for pips in of_round["pips"]]
        game.end_round(of_round["winner"], luck(*([] if of_round["game_over"] else [UNSHUFFLED])))
        assert (game.scores(), game.over) == (of_round["totals"], of_round["game_over"])
    expected = table["expect"]
    assert (game.over, game.scores()) == (expected["game_over"], expected["totals"])
    if game.over:
        assert game.winners(list(range(seats))) == [expected["winner"]]


class Watched(verifier.Row):  # type: ignore[misc]  # a class of a file without a package
    """A row that counts how often it was straightened."""

    straightened = 0

    def straighten(self) -> None:
        self.straightened += 1
        super().straighten()


def lay(row: Any, move: str) -> None:
    _, name, *where = move.split()
    if not where:
        row.lay_first(tile(name))
        return
    end, corner = verifier.ENDS.index(where[0]), "".join(where[1:])
    assert corner == "" or corner in row.corners(end)
    row.lay(tile(name), end, corner)


def placed(halves: tuple[Any, Any]) -> dict[str, Any]:
    greater, lesser = halves if halves[0][0] >= halves[1][0] else halves[::-1]
    (x, y), (to_x, to_y) = greater[1], lesser[1]
    facing = next(name for name, step in verifier.STEP.items() if step == (to_x - x, to_y - y))
    return {"tile": f"{greater[0]}-{lesser[0]}", "x": x, "y": y, "facing": facing}


def ends(row: Any) -> list[dict[str, Any]]:
    halves = [row.open_half(end) for end in (0, 1)]
    return [
        {"pips": pips, "x": x, "y": y, "heading": row.headings[end]}
        for end, (pips, (x, y)) in enumerate(halves)
    ]


@pytest.mark.parametrize("layout", LAYOUTS, ids=[str(number) for number in range(len(LAYOUTS))])
def test_the_tiles_lie_where_they_say(layout: dict[str, Any]) -> None:
    row = Watched()
    straightened_at = []
    for number, move in enumerate(layout["moves"]):
        before = row.straightened
        lay(row, move)
        straightened_at += [number] * (row.straightened - before)
    assert straightened_at == layout["straightened_at"]
    assert [placed(halves) for halves in row.tiles] == layout["row"]
    assert ends(row) == layout["ends"]


def test_without_corners_only_straight_lays_are_legal() -> None:
    scenario = EXAMPLES["scenarios"][0]
    scenario = scenario | {"options": scenario["options"] | {"corners": False}}
    game = dealt(scenario)
    game.apply(1, "lay 0-0", luck())
    assert game.legal(0) == ["lay 6-0 left", "lay 6-0 right", "lay 2-0 left", "lay 2-0 right"]


def over(winner: int | None, hands: list[list[str]]) -> Any:
    """A game of one round that this seat has won, and what the seats had left."""
    chosen = options(verifier.Dominoes)
    game = verifier.Dominoes(len(hands), chosen, luck(order(len(hands), 0), UNSHUFFLED))
    game.hands = [[tile(name) for name in hand] for hand in hands]
    game.end_round(winner, luck())
    return game


def test_in_one_round_who_is_out_wins_though_another_has_no_pips_either() -> None:
    assert over(1, [["0-0"], [], ["6-6"]]).winners([0, 1, 2]) == [1]


def test_in_one_round_the_fewest_pips_win_where_the_winner_had_left() -> None:
    assert over(1, [["3-2"], [], ["4-1"], ["6-6"]]).winners([0, 2, 3]) == [0, 2]


def test_a_drawn_round_draws_a_game_of_one_round() -> None:
    assert over(None, [["3-2"], ["6-6"], ["4-1"]]).winners([0, 1, 2]) == [0, 2]


def drawn(rounds: int, points: list[int], **chosen: Any) -> Any:
    game = verifier.Dominoes(
        len(points), options(verifier.Dominoes, target=100, **chosen), luck(order(len(points), 1), UNSHUFFLED)
    )
    game.points = points
    for _ in range(rounds):
        game.end_round(None, luck(UNSHUFFLED))
    return game


def test_a_hundred_drawn_rounds_end_the_game() -> None:
    game = drawn(99, [30, 40, 40])
    assert not game.over
    game.end_round(None, luck())
    assert game.over
    assert game.winners([0, 1, 2]) == [1, 2]


def test_after_a_drawn_round_the_same_seat_begins_where_winners_begin() -> None:
    assert drawn(3, [0, 0, 0], start="winner").to_move() == [1]
    assert drawn(1, [0, 0, 0], start="rotate").to_move() == [2]


def test_the_winner_begins_where_winners_begin() -> None:
    game = drawn(0, [0, 0, 0], start="winner")
    game.end_round(2, luck(UNSHUFFLED))
    assert game.to_move() == [2]
