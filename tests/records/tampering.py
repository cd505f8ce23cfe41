"""Ways to tamper with a record, each with what a check must say of it: also used on other verifiers."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from itertools import count
from typing import Any, Literal, TypeAlias

import msgspec

from games.rules.fair import commitment
from tests.records.play import record_of

JSONRecord: TypeAlias = dict[str, Any]
# Changes a record in place; the line that goes wrong by it, None where it is in none.
Change: TypeAlias = Callable[[JSONRecord], int | None]


@dataclass(frozen=True, slots=True)
class Tampering:
    """A change to a record of a game, the part that it breaks, and words that name it.

    `resealed`: who tampers writes a new hash too, so that the record is whole still.
    """

    name: str
    game: str
    part: Literal["whole", "rules", "seeds"]
    words: str
    change: Change
    resealed: bool = True

    def tampered(self) -> tuple[JSONRecord, int | None]:
        record = deepcopy(true_record(self.game))
        line = self.change(record)
        return (reseal(record) if self.resealed else record), line


@cache
def true_record(slug: str) -> JSONRecord:
    """A record with all that there is to tamper with: a bot, somebody who left, stand-ins, client seeds."""
    for seed in count():
        record: JSONRecord = msgspec.json.decode(msgspec.json.encode(record_of(slug, f"true {seed}")))
        if _is_rich(record):
            return record
    raise AssertionError


def _is_rich(record: JSONRecord) -> bool:
    """7776 is for two: if one leaves, or is a bot's opponent, it is over."""
    kinds = {seat["kind"] for seat in record["seats"]}
    left = [line["seat"] for line in record["lines"] if line["kind"] == "left"]
    several = len(record["seats"]) > 2
    return (
        record["outcome"]["reason"] == "played_out"
        and bool(record["outcome"]["winners"])
        and len(record["lines"]) > 20
        and any(record["fairness"]["client_seeds"])
        and bool(record["start"])
        and (not several or (kinds == {"human", "bot"} and len(left) == 1))
        and (several or record["game"] == "7776")
    )


def reseal(record: JSONRecord) -> JSONRecord:
    """With the hash of what it holds."""
    whole = {name: value for name, value in record.items() if name != "hash"}
    return {**whole, "hash": sha256(msgspec.json.encode(whole, order="sorted")).hexdigest()}


def moves(record: JSONRecord) -> Iterator[tuple[int, JSONRecord]]:
    """The moves with the numbers of their lines."""
    for number, line in enumerate(record["lines"], start=1):
        if line["kind"] == "move":
            yield number, line


def drawing(record: JSONRecord) -> tuple[int, JSONRecord]:
    """A move in the middle that drew something."""
    return [(number, line) for number, line in moves(record) if line["chance"]][3]


def a_die(record: JSONRecord) -> int:
    line, move = drawing(record)
    [_, faces] = move["chance"][0]
    faces[0] = faces[0] % 6 + 1
    return line


def two_dice_exchanged(record: JSONRecord) -> int:
    line, move = next((n, m) for n, m in moves(record) if m["chance"] and len(set(m["chance"][0][1])) > 1)
    faces = move["chance"][0][1]
    other = next(place for place, face in enumerate(faces) if face != faces[0])
    faces[0], faces[other] = faces[other], faces[0]
    return line


def the_first_seat(record: JSONRecord) -> int:
    order = record["start"][0][1]
    order[0], order[1] = order[1], order[0]
    return 0


def the_deal(record: JSONRecord) -> int:
    order = record["start"][1][1]
    order[20], order[21] = order[21], order[20]
    return 0


def a_later_deal(record: JSONRecord) -> int:
    line, move = next((number, move) for number, move in moves(record) if move["chance"])
    order = move["chance"][0][1]
    order[26], order[27] = order[27], order[26]
    return line


def a_move_that_is_not_legal(record: JSONRecord) -> int:
    line, move = list(moves(record))[7]
    move["move"] = "fly to the moon"
    return line


def another_legal_move(record: JSONRecord) -> int:
    """Its seat makes that move later, and can't then."""
    line, move = list(moves(record))[4]
    later, same = next((n, m) for n, m in moves(record) if n > line and m["seat"] == move["seat"])
    move["move"] = same["move"]
    return later


def two_lines_exchanged(record: JSONRecord) -> int:
    lines = record["lines"]
    lines[5], lines[6] = lines[6], lines[5]
    return 6


def two_moves_exchanged_and_renumbered(record: JSONRecord) -> int:
    """Of the same seat, what it rolled before what it saved."""
    line = next(number for number, move in moves(record) if move["move"].startswith("save"))
    lines = record["lines"]
    lines[line - 2], lines[line - 1] = lines[line - 1], lines[line - 2]
    lines[line - 2]["number"], lines[line - 1]["number"] = (
        lines[line - 1]["number"],
        lines[line - 2]["number"],
    )
    return line - 1


def a_removed_line(record: JSONRecord) -> int:
    line, _ = list(moves(record))[9]
    del record["lines"][line - 1]
    return next(number for number, move in moves(record) if number >= line)


def the_last_line_removed(record: JSONRecord) -> None:
    del record["lines"][-1]


def a_line_after_the_end(record: JSONRecord) -> int:
    last = deepcopy(list(moves(record))[-1][1])
    record["lines"].append({**last, "number": last["number"] + 1})
    return len(record["lines"])


def an_early_end(record: JSONRecord) -> int:
    record["lines"].insert(10, {"kind": "ended", "reason": "abandoned"})
    return 12


def cut_off_and_voided(record: JSONRecord) -> None:
    """The scores stay those of the whole game."""
    record["lines"] = [*record["lines"][:10], {"kind": "ended", "reason": "voided"}]
    record["outcome"].update(winners=[], reason="voided")


def a_score(record: JSONRecord) -> None:
    record["outcome"]["scores"][0] += 1


def a_winner(record: JSONRecord) -> None:
    winners = record["outcome"]["winners"]
    winners[0] = (winners[0] + 1) % len(record["seats"])


def the_reason(record: JSONRecord) -> None:
    record["outcome"]["reason"] = "forfeit"


def the_server_seed(record: JSONRecord) -> None:
    record["fairness"]["server_seed"] = "5a" * 32


def the_server_seed_with_its_commitment(record: JSONRecord) -> int:
    the_server_seed(record)
    record["fairness"]["commitment"] = commitment(bytes.fromhex("5a" * 32))
    return 0


def the_commitment(record: JSONRecord) -> None:
    record["fairness"]["commitment"] = "0" * 64


def a_client_seed(record: JSONRecord) -> int:
    seeds = record["fairness"]["client_seeds"]
    seeds[:] = [seed and f"{seed[:-1]}{int(seed[-1], 16) ^ 1:x}" for seed in seeds]
    return 0


def no_client_seed_for_a_seat(record: JSONRecord) -> None:
    record["fairness"]["client_seeds"].pop()


def the_table(record: JSONRecord) -> int:
    record["table"] = record["table"][:-1] + f"{int(record['table'][-1], 16) ^ 1:x}"
    return 0


def an_option(record: JSONRecord) -> int:
    record["options"]["first"] = "seat_0"
    return 0


def an_option_that_is_not_there(record: JSONRecord) -> None:
    record["options"]["stakes"] = 100


def an_option_removed(record: JSONRecord) -> None:
    record["options"].popitem()


def the_seat_of_a_move(record: JSONRecord) -> int:
    humans = [seat for seat, each in enumerate(record["seats"]) if each["kind"] == "human"]
    line, move = next((n, m) for n, m in moves(record) if m["seat"] not in humans[:1])
    move.update(seat=humans[0], by="stand_in")
    return line


def a_seat_that_is_not_there(record: JSONRecord) -> int:
    line, move = list(moves(record))[3]
    move["seat"] = len(record["seats"])
    return line


def a_human_made_a_bot(record: JSONRecord) -> int:
    line, move = next((n, m) for n, m in moves(record) if m["by"] != "bot")
    record["seats"][move["seat"]] = {"kind": "bot", "level": "easy"}
    return line


def too_few_seats(record: JSONRecord) -> None:
    record["seats"] = record["seats"][:1]


def who_moved_for_a_bot(record: JSONRecord) -> int:
    line, move = next((n, m) for n, m in moves(record) if m["by"] == "bot")
    move["by"] = "player"
    return line


def a_player_who_had_left(record: JSONRecord) -> int:
    left = next(number for number, line in enumerate(record["lines"], start=1) if line["kind"] == "left")
    gone = record["lines"][left - 1]["seat"]
    line, move = next((n, m) for n, m in moves(record) if n > left and m["seat"] == gone)
    move["by"] = "player"
    return line


def a_leave_told_twice(record: JSONRecord) -> int:
    left = next(number for number, line in enumerate(record["lines"], start=1) if line["kind"] == "left")
    record["lines"].insert(left, dict(record["lines"][left - 1]))
    return left + 1


def a_leave_of_a_bot(record: JSONRecord) -> int:
    bot = next(seat for seat, each in enumerate(record["seats"]) if each["kind"] == "bot")
    record["lines"].insert(5, {"kind": "left", "seat": bot})
    return 6


def the_winner_made_to_have_left(record: JSONRecord) -> int | None:
    """A record whose winner left before its last move needs another winner."""
    [winner] = record["outcome"]["winners"]
    record["lines"].insert(-1, {"kind": "left", "seat": winner})
    for move in record["lines"][-1:]:
        move["by"] = "stand_in" if move["seat"] == winner else move["by"]
    return None


def luck_removed(record: JSONRecord) -> int:
    line, move = drawing(record)
    move["chance"] = []
    return line


def luck_added(record: JSONRecord) -> int:
    line, move = drawing(record)
    move["chance"].append(["roll", [6]])
    return line


def luck_where_none_is_drawn(record: JSONRecord) -> int:
    line, move = next((number, move) for number, move in moves(record) if not move["chance"])
    move["chance"] = [["roll", []]]
    return line


def a_face_of_seven(record: JSONRecord) -> int:
    line, move = drawing(record)
    move["chance"][0][1][0] = 7
    return line


def the_game(record: JSONRecord) -> None:
    record["game"] = "dominoes"


def the_rules_version(record: JSONRecord) -> None:
    record["rules_version"] = 99


def the_hash(record: JSONRecord) -> None:
    record["hash"] = "0" * 64


def a_bots_level(record: JSONRecord) -> None:
    bot = next(seat for seat in record["seats"] if seat["kind"] == "bot")
    bot["level"] = "strong"


def a_stand_in_made_a_player(record: JSONRecord) -> None:
    left = {line["seat"] for line in record["lines"] if line["kind"] == "left"}
    move = next(m for _, m in moves(record) if m["by"] == "stand_in" and m["seat"] not in left)
    move["by"] = "player"


def the_format(record: JSONRecord) -> None:
    record["format"] = 2


def a_member_more(record: JSONRecord) -> None:
    record["note"] = "Ann won"


def a_member_less(record: JSONRecord) -> None:
    del record["seats"]


def a_broken_line(record: JSONRecord) -> int:
    del record["lines"][6]["kind"]
    return 7


TAMPERINGS = [
    Tampering("a die", "pickomino", "seeds", "does not follow from the seeds", a_die),
    Tampering("two dice exchanged", "7776", "seeds", "does not follow from the seeds", two_dice_exchanged),
    Tampering("the first seat", "pickomino", "seeds", "start drew does not follow", the_first_seat),
    Tampering("the deal", "dominoes", "seeds", "start drew does not follow", the_deal),
    Tampering("a later deal", "dominoes", "seeds", "does not follow from the seeds", a_later_deal),
    Tampering("an illegal move", "dominoes", "rules", "no legal move", a_move_that_is_not_legal),
    Tampering("another legal move", "7776", "rules", "no legal move", another_legal_move),
    Tampering("two lines exchanged", "pickomino", "rules", "should be move 6, not 7", two_lines_exchanged),
    Tampering(
        "two moves exchanged", "pickomino", "rules", "no legal move", two_moves_exchanged_and_renumbered
    ),
    Tampering("a removed line", "7776", "rules", "should be move 10, not 11", a_removed_line),
    Tampering("the last line removed", "dominoes", "rules", "not over", the_last_line_removed),
    Tampering("a line after the end", "7776", "rules", "over before this", a_line_after_the_end),
    Tampering("an early end", "dominoes", "rules", "over before this", an_early_end),
    Tampering("cut off and voided", "7776", "rules", "outcome should be", cut_off_and_voided),
    Tampering("a score", "7776", "rules", "outcome should be", a_score),
    Tampering("a winner", "pickomino", "rules", "outcome should be", a_winner),
    Tampering("the reason", "dominoes", "rules", "outcome should be", the_reason),
    Tampering("the server seed", "pickomino", "seeds", "committed to", the_server_seed),
    Tampering("seed and commitment", "7776", "seeds", "start drew", the_server_seed_with_its_commitment),
    Tampering("the commitment", "7776", "seeds", "committed to", the_commitment),
    Tampering("a client seed", "7776", "seeds", "start drew", a_client_seed),
    Tampering("no client seed for a seat", "7776", "seeds", "client seed", no_client_seed_for_a_seat),
    Tampering("the table", "dominoes", "seeds", "start drew", the_table),
    Tampering("an option", "pickomino", "rules", "start draws something else", an_option),
    Tampering("an unknown option", "7776", "rules", "options", an_option_that_is_not_there),
    Tampering("an option removed", "dominoes", "rules", "not complete", an_option_removed),
    Tampering("the seat of a move", "pickomino", "rules", "is not to move", the_seat_of_a_move),
    Tampering("an unknown seat", "dominoes", "rules", "no seat", a_seat_that_is_not_there),
    Tampering("a human made a bot", "7776", "rules", "is moved by: bot", a_human_made_a_bot),
    Tampering("too few seats", "7776", "rules", "not played by 1 seats", too_few_seats),
    Tampering("who moved for a bot", "dominoes", "rules", "not by: player", who_moved_for_a_bot),
    Tampering("a player who had left", "dominoes", "rules", "not by: player", a_player_who_had_left),
    Tampering("a leave told twice", "pickomino", "rules", "nobody on seat", a_leave_told_twice),
    Tampering("a leave of a bot", "pickomino", "rules", "nobody on seat", a_leave_of_a_bot),
    Tampering("a winner who left", "pickomino", "rules", "outcome should be", the_winner_made_to_have_left),
    Tampering("luck removed", "pickomino", "rules", "draws something else", luck_removed),
    Tampering("luck added", "7776", "rules", "draws something else", luck_added),
    Tampering("luck from nowhere", "dominoes", "rules", "draws something else", luck_where_none_is_drawn),
    Tampering("a face of seven", "pickomino", "rules", "no face", a_face_of_seven),
    Tampering("the game", "7776", "rules", "options", the_game),
    Tampering("the rules version", "7776", "rules", "No rules are known", the_rules_version),
    Tampering("the hash", "dominoes", "whole", "hash", the_hash, resealed=False),
    Tampering("a bot's level", "dominoes", "whole", "hash", a_bots_level, resealed=False),
    Tampering("a stand-in's move", "pickomino", "whole", "hash", a_stand_in_made_a_player, resealed=False),
    Tampering("the format", "7776", "whole", "no record", the_format),
    Tampering("a member more", "7776", "whole", "no record", a_member_more),
    Tampering("a member less", "7776", "whole", "no record", a_member_less),
    Tampering("a broken line", "dominoes", "whole", "no record", a_broken_line),
]
