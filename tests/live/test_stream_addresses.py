"""What the streams' addresses answer before a stream begins is what the OpenAPI document promises."""

import pytest

from tests.documented import check
from tests.live.guests import PATIENCE, Guest, fresh_name
from tests.live.listener import Listener
from tests.live.servers import Server
from tests.people import API, Answer

STREAMS = ["stream", "lobby/stream", "tables/{}/stream", "tables/{}/events?wait=1"]
NOWHERE = "01990000-0000-7000-8000-000000000000"


@pytest.fixture
def ann(server: Server) -> Guest:
    guest = Guest(fresh_name(), url=server.url)
    assert guest.enter().status == 201
    return guest


def ask(who: Guest, method: str, path: str, **headers: str) -> Answer:
    """The answer, which must be documented where the method is."""
    answer = who.call(method, path, **headers)
    if method == "GET":
        check(method, f"{API}/{path}", answer)
    return answer


def test_answers_before_a_stream_begins(ann: Guest) -> None:
    table = ann.open()
    stranger = Guest(url=ann.url)
    for path in STREAMS:
        here = path.replace("{}", table)
        for method in ("POST", "PUT", "DELETE", "PATCH", "HEAD"):
            answer = ask(ann, method, here)
            assert (answer.status, answer.headers["Allow"]) == (405, "GET"), here
        assert ask(stranger, "GET", here).code == "not_authenticated"
        if here != path:
            assert ask(ann, "GET", path.replace("{}", NOWHERE)).code == "not_found"
    for wrong in (f"tables/{table}/events?wait=x", "lobby/stream?game=chess", f"tables/{table}/stream?x=1"):
        assert ask(stranger, "GET", wrong).code == "not_authenticated"
    assert ask(ann, "GET", "lobby/stream?game=chess").code == "invalid"
    assert ask(ann, "GET", f"tables/{table}/events?wait=26").code == "invalid"
    assert ask(ann, "GET", f"tables/{table}/events?after=0&wait=25")["version"] == 2


def test_a_ticket_stands_in_no_log(ann: Guest, server: Server) -> None:
    ticket = ann.post("stream-tickets")["ticket"]
    stranger = Guest(url=ann.url)
    table = ann.open()
    address = f"tables/{table}/events?wait=1&after=0&ticket={ticket}"
    assert ask(stranger, "GET", address).status in {200, 400}
    assert ask(stranger, "GET", f"stream?ticket={ticket}x").code == "not_authenticated"
    assert ask(stranger, "GET", f"lobby/stream?game=chess&ticket={ticket}").status in {400, 401}
    assert ticket not in server.log


@pytest.mark.parametrize("path", STREAMS)
def test_what_can_not_be_sent_is_not_acceptable(ann: Guest, path: str) -> None:
    here = path.replace("{}", ann.open())
    for accept in ("text/html", "image/png, text/css;q=0.5"):
        assert ask(ann, "GET", here, accept=accept).code == "not_acceptable"


@pytest.mark.parametrize("path", STREAMS)
def test_a_query_with_an_unknown_field_is_invalid(ann: Guest, path: str) -> None:
    here = path.replace("{}", ann.open())
    answer = ask(ann, "GET", here + ("&" if "?" in here else "?") + "afters=1")
    assert (answer.code, list(answer["errors"])) == ("invalid", ["afters"])


def test_a_refused_request_uses_up_no_ticket(ann: Guest) -> None:
    ticket = ann.post("stream-tickets")["ticket"]
    browser = Guest(url=ann.url)
    assert ask(browser, "GET", f"lobby/stream?game=chess&ticket={ticket}").code == "invalid"
    with Listener(ann.url, f"lobby/stream?ticket={ticket}") as stream:
        stream.listen(PATIENCE, messages=1)
        assert stream.status == 200
