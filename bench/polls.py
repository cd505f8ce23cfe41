"""Long polls: how soon all who wait have their answer, beside a bare program that holds as many."""

import asyncio
from collections.abc import Iterable, Sequence

import uvloop

from bench.load import Answer, Unexpected, connected, request
from bench.marks import Bare, Marks, Ours
from bench.run import Line, Run
from bench.web import bare, serving

WAIT = 25  # seconds that a poll may wait
UNTIL_ALL_WAIT = 1.0
PATIENCE = 20


class Poll:
    """Asks once; the answer must be there."""

    def __init__(self, asking: bytes) -> None:
        self._asking: bytes | None = asking

    def next(self, answer: Answer | None) -> bytes | None:
        if answer is not None and answer.status != 200:
            raise Unexpected(f"{answer.status}: {answer.body.decode(errors='replace')[:500]}")
        asking, self._asking = self._asking, None
        return asking


def lines(run: Run) -> Iterable[Line]:
    count = run.size.polls
    with serving(run.starting) as web, serving(bare) as peer:
        ours, theirs = Ours(), Bare(peer.port, 500)
        times: tuple[list[float], list[float]] = [], []
        for _ in range(run.size.rounds * 2):
            path = f"{ours.path}/events?after={ours.version}&wait={WAIT}"
            polls = [request("GET", path, ours.token(number)) for number in range(count)]
            times[0].append(_told(web.port, polls, ours))
            times[1].append(_told(peer.port, [request("GET", "/poll")] * count, theirs))
    name = f"{count} long polls"
    yield Line.of(name, "ms to the last", times[0], "the bare program", times[1], "less")


def _told(port: int, polls: Sequence[bytes], marks: Marks) -> float:
    """Milliseconds from the commit to the last answer."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_last(port, polls, marks)) * 1_000


async def _last(port: int, polls: Sequence[bytes], marks: Marks) -> float:
    loop = asyncio.get_running_loop()
    clients = [await connected(port, Poll(asking)) for asking in polls]
    for client in clients:
        client.begin(float("inf"))
    await asyncio.sleep(UNTIL_ALL_WAIT)
    if any(client.done.done() for client in clients):
        raise Unexpected("a long poll did not wait")
    committed_at = await loop.run_in_executor(None, marks.commit)
    await asyncio.wait_for(asyncio.gather(*(client.done for client in clients)), PATIENCE)
    for client in clients:
        client.transport.abort()
    return max(client.ended_at for client in clients) - committed_at
