"""A whole game over a real server: no byte of its answers, streams and logs holds the seed before the end."""

from contextlib import ExitStack
from random import Random

import pytest

from tests.live.guests import Guest, enter_all
from tests.live.listener import listen, told, watch
from tests.live.servers import start_server
from tests.live.stored import row_of
from tests.people import seat_all

pytestmark = pytest.mark.django_db(transaction=True)


def play_one(people: list[Guest], table: str, luck: Random) -> bytes:
    """A move by whoever may; its answer."""
    seat = luck.choice(people[0].see(table)["to_move"])
    answer = people[seat].move(table, luck.choice(people[seat].see(table)["legal_moves"]))
    assert answer.status == 201
    return repr((answer.json, answer.headers)).encode()


def test_the_seed_is_told_with_the_end_and_never_before(transactional_db: None) -> None:
    luck = Random("live")
    with (
        start_server({"ENTRIES_PER_MINUTE": "1000000", "LOG_LEVEL": "DEBUG"}) as server,
        ExitStack() as stack,
    ):
        *people, watcher = enter_all(3, server.url)
        table = seat_all("7776", [*people])
        streams = [stack.enter_context(watch(who, table)) for who in (*people, watcher)]
        streams += [stack.enter_context(listen(who, "stream")) for who in people]
        streams.append(stack.enter_context(listen(watcher, "lobby/stream")))
        answers = [play_one(people, table, luck) for _ in range(31)]
        answers += [
            repr(watcher.get(f"tables/{table}{path}").json).encode() for path in ("", "/events", "/record")
        ]
        version = people[0].see(table)["version"]
        for stream in streams[:5]:
            stream.wait_for(lambda message: (message.data or {}).get("table", {}).get("version") == version)
        seed = bytes(row_of(table).seed or b"")
        before = [bytes(stream.raw) for stream in streams] + answers + [server.log.encode()]
        assert not [text for text in before if seed.hex().encode() in text.lower() or seed in text]
        assert seed.hex().encode() in play_one(people, table, luck)
        for stream in streams[:5]:
            assert stream.wait_for(told("finished")).data["table"]["fairness"]["server_seed"] == seed.hex()
        assert seed.hex() not in server.log
