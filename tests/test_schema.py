"""The OpenAPI document: complete, valid, and kept by every answer."""

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.core.management import call_command
from django.test import Client
from jsonschema import Draft202012Validator

from config import errors, urls
from config.openapi import CALLS, LIMITS, document, operations
from config.problems import STATUS
from games.rules.registry import GAMES
from sessions.views import OpenView
from tests.documented import Documented, validate
from tests.people import API, Person

OPERATIONS = {
    "root",
    "enter",
    "current_session",
    "log_out",
    "list_games",
    "get_game",
    "open_table",
    "list_tables",
    "get_table",
    "look_by_code",
    "sit_down",
    "stand_up",
    "return_to_seat",
    "remove_seat",
    "seat_bot",
    "start_table",
    "make_move",
    "list_events",
    "rematch",
    "quick_match",
    "get_odds",
    "get_analysis",
    "issue_ticket",
    "stream_table",
    "stream_mine",
    "stream_lobby",
    "put_client_seed",
    "get_record",
    "check_record",
    "replay_table",
    "report_seat",
}
STREAMS = {"stream_table", "stream_mine", "stream_lobby"}


def views() -> Iterator[tuple[str, str, Any]]:
    """Every method of every view of the API: the path as the document writes it, the method, the view."""
    for route, view in urls.V1.items():
        path = route.replace("<uuid:", "{").replace("<int:", "{").replace("<slug:", "{")
        for method in ("get", "post", "delete", "put", "patch"):
            if hasattr(view, method):
                yield f"{API}/{path.replace('>', '}')}", method, view


def test_the_document_is_valid_and_is_made_without_a_warning(capfd: pytest.CaptureFixture[str]) -> None:
    call_command("spectacular", "--validate", "--fail-on-warn", "--format", "openapi-json")
    assert not capfd.readouterr().err


def test_it_is_openapi_3_1() -> None:
    assert document()["openapi"].startswith("3.1.")


def test_every_call_is_in_it_and_nothing_else() -> None:
    documented = {(path, method) for path, calls in document()["paths"].items() for method in calls}
    assert documented == {(path, method) for path, method, _ in views()}


def test_the_names_of_the_operations_are_stable() -> None:
    assert {operation["operationId"] for operation in operations(document())} == OPERATIONS == CALLS.keys()


def test_a_token_is_asked_for_exactly_where_one_is_needed() -> None:
    for path, method, view in views():
        operation = document()["paths"][path][method]
        needed = not issubclass(view, OpenView)
        assert operation.get("security") == ([{"token": []}] if needed else None), operation["operationId"]
        assert ("401" in operation["responses"]) == needed


def test_every_operation_says_what_it_does_and_how_it_refuses() -> None:
    for operation in operations(document()):
        assert operation["summary"]
        assert operation["tags"]
        for status, answer in operation["responses"].items():
            assert answer["description"]
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"]


def test_every_code_has_a_status_a_component_and_a_section_on_the_page() -> None:
    kinds = set(subclasses(errors.Refusal))
    assert kinds == STATUS.keys()
    page = Client().get("/api/docs/errors").content.decode()
    codes = {
        schema["properties"]["code"]["const"]: schema["properties"]["status"]["const"]
        for name, schema in document()["components"]["schemas"].items()
        if name.endswith("Problem")
    }
    assert codes == {kind.code: STATUS[kind] for kind in kinds}
    for kind in kinds:
        assert page.count(f'<section id="{kind.code}">') == 1


def subclasses(kind: type[errors.Refusal]) -> Iterator[type[errors.Refusal]]:
    for below in kind.__subclasses__():
        yield below
        yield from subclasses(below)


def test_bodies_take_no_unknown_members_and_answers_may_grow() -> None:
    for name, schema in document()["components"]["schemas"].items():
        if schema["type"] == "object":
            closed = name.endswith(("Body", "OptionsAsked"))
            assert (schema.get("additionalProperties") is False) == closed, name


def test_limits_are_documented_for_the_calls_that_are_counted_and_for_no_other(
    people: list[Documented],
) -> None:
    host, guest = people
    table = host.open("pickomino", capacity=2, hints=True, options={"first": "seat_0"})
    guest.sit(table)
    asked = {
        "enter": Documented("Counted x").enter(),
        "open_table": host.post("tables", {"game": "7776"}),
        "look_by_code": host.post("tables/by-code", {"code": "00000000"}),
        "quick_match": host.post("matches", {"game": "dominoes"}),
        "issue_ticket": host.post("stream-tickets"),
        "check_record": host.post("records/check", {}),
        "get_odds": host.get(f"tables/{table}/odds"),
        "report_seat": host.post(f"tables/{table}/reports", {"seat": 1, "reason": "other"}),
        "rematch": host.post(f"tables/{table}/rematch"),
    }
    guest.delete(f"tables/{table}/seats/me")
    asked["get_analysis"] = host.get(f"tables/{table}/analysis")
    for operation, answer in asked.items():
        assert LIMITS.keys() <= answer.headers.keys(), operation
    counted = {
        operation["operationId"]
        for operation in operations(document())
        if any(LIMITS.keys() & answer.get("headers", {}).keys() for answer in operation["responses"].values())
    }
    assert counted == asked.keys()


def test_streams_are_event_streams_whose_messages_are_typed() -> None:
    schemas = document()["components"]["schemas"]
    found = {operation["operationId"]: operation for operation in operations(document())}
    for name in STREAMS:
        answers = found[name]["responses"]
        [(kind, media)] = answers["200"]["content"].items()
        assert kind == "text/event-stream"
        events = {event["properties"]["event"]["const"]: event for event in each(media["schema"])}
        assert events.keys() == CALLS[name].messages.keys()
        for event in events.values():
            data = event["properties"]["data"]["contentSchema"]
            assert data["$ref"].rpartition("/")[2] in schemas
        assert {"401", "429", "503"} <= answers.keys()
        assert "ticket" in {parameter["name"] for parameter in found[name]["parameters"]}
    assert {"204", "404"} <= found["stream_table"]["responses"].keys()


def each(schema: Any) -> list[Any]:
    return list(schema.get("oneOf", [schema]))


def test_the_data_of_their_examples_fits_too() -> None:
    shown = 0
    for operation in operations(document()):
        media = operation["responses"].get("200", {}).get("content", {}).get("text/event-stream", {})
        for event in each(media.get("schema", {})) if "example" in media else ():
            parts = event["properties"]
            if parts["event"]["const"] == media["example"]["event"]:
                validate(json.loads(media["example"]["data"]), parts["data"]["contentSchema"])
                shown += 1
    assert shown == 2


def test_seconds_are_whole_numbers_in_the_document_and_in_the_answer() -> None:
    told = Documented().get("/api/v1/")["defaults"]
    described = document()["components"]["schemas"]["Defaults"]["properties"]
    assert told.keys() == described.keys()
    for name, value in told.items():
        assert described[name]["type"] == "integer"
        assert type(value) is int


def test_every_component_is_a_json_schema() -> None:
    for schema in document()["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)


def test_the_examples_fit_what_they_are_examples_of() -> None:
    shown = 0
    for operation in operations(document()):
        for part in (operation.get("requestBody", {}), *operation["responses"].values()):
            for media in part.get("content", {}).values():
                for example in media.get("examples", {}).values():
                    validate(example["value"], media["schema"])
                    shown += 1
                if "example" in media:
                    validate(media["example"], media["schema"])
                    shown += 1
    assert shown >= 16


def test_views_and_options_of_every_game_are_typed() -> None:
    schemas = document()["components"]["schemas"]
    views = schemas["Table"]["properties"]["view"]["anyOf"]
    assert len(views) == len(GAMES) + 1
    assert {"type": "null"} in views
    assert len(schemas["OpenBody"]["properties"]["options"]["anyOf"]) == len(GAMES)


@pytest.mark.parametrize(
    ("accept", "kind"),
    [
        ("*/*", "application/json"),
        ("application/json", "application/json"),
        ("application/vnd.oai.openapi+json", "application/vnd.oai.openapi+json"),
        ("application/vnd.oai.openapi", "application/vnd.oai.openapi"),
        ("application/yaml", "application/yaml"),
    ],
)
def test_the_document_comes_as_it_is_asked_for_and_without_a_token(accept: str, kind: str) -> None:
    answer = Client().get("/api/schema", headers={"Accept": accept, "Authorization": "Bearer wrong"})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == kind
    assert yaml.safe_load(answer.content) == document()


def test_the_format_may_stand_in_the_address() -> None:
    assert Client().get("/api/schema?format=yaml").content.startswith(b"openapi: 3.1")
    assert Client().get("/api/schema?format=json").json() == document()


def test_refusals_of_the_document_are_problems_too() -> None:
    person = Person()
    assert person.get("/api/schema", accept="image/png").code == "not_acceptable"
    assert person.get("/api/schema?format=xml").code == "not_found"
    assert person.post("/api/schema", accept="application/yaml").code == "method_not_allowed"


def test_the_page_loads_nothing_from_elsewhere() -> None:
    page = Client().get("/api/docs")
    html = page.content.decode()
    assert "http:" not in html
    assert "https:" not in html
    assert "script-src 'self';" in page.headers["Content-Security-Policy"]
    start = Client().get("/api/docs/start.js")
    assert b"://" not in start.content
    assert start.headers["Content-Type"].startswith("text/javascript")


def test_what_the_page_loads_is_served_from_here(db: None) -> None:
    html = Client().get("/api/docs").content.decode()
    links = [part.split('"')[0] for mark in ('src="', 'href="') for part in html.split(mark)[1:]]
    assert len(links) == 5
    for link in links:
        answer = Client().get(link)
        assert answer.status_code == 200, link
        answer.close()


@pytest.fixture
def people(db: None) -> list[Documented]:
    found = [Documented(f"Reader {number}x") for number in range(2)]
    for person in found:
        assert person.enter().status == 201
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_answer_of_a_played_table_is_as_documented(people: list[Documented], game: str) -> None:
    luck = random.Random(7)
    host, guest = people
    watcher = Documented("Watcher x")
    watcher.enter()
    short = {"options": {"target": 20}} if game == "dominoes" else {}
    table = host.open(game, capacity=2, visibility="public", client_seed="c0ffee", **short)
    assert host.put(f"tables/{table}/seats/me/client-seed", {"hex": "C0FFEE"}).status == 204
    assert host.put(f"tables/{table}/seats/me/client-seed", {"hex": "no"}).status == 400
    assert guest.put(f"tables/{table}/seats/me/client-seed", {"hex": "1"}).status == 403
    assert host.get("tables").json["results"]
    assert guest.sit(table).status == 201
    assert guest.sit(table).status == 200
    assert host.put(f"tables/{table}/seats/me/client-seed", {"hex": "1"}).status == 409
    assert host.get(f"tables/{table}/record").status == 409
    assert host.get(f"tables/{table}/replay").status == 409
    shown = host.see(table)
    while shown["to_move"]:
        mover = people[luck.choice(shown["to_move"])]
        moves = mover.see(table)["legal_moves"]
        shown = mover.move(table, luck.choice(moves), version=mover.see(table)["version"]).json
        assert mover.move(table, "no such move").status in {409, 422}
        watcher.see(table)
        watcher.events(table, shown["version"] - 1)
    for person in (*people, watcher):
        person.see(table)
        person.events(table)
        record = person.get(f"tables/{table}/record")
        assert person.post("records/check", record.json)["ok"] is True
        for version in range(1, shown["version"] + 1, 7):
            assert person.get(f"tables/{table}/replay?version={version}&seat=1").status == 200
        assert person.get(f"tables/{table}/replay?version=0").status == 400
    for person in (*people, watcher):
        assert person.post(f"tables/{table}/rematch").status == (403 if person is watcher else 201)
    assert host.post(f"tables/{table}/rematch", idempotency_key="a").status == 200
    assert host.get("tables?mine=true").status == 200
    assert host.get("sessions/current").status == 200


def test_every_answer_around_a_private_table_is_as_documented(people: list[Documented]) -> None:
    host, guest = people
    table = host.open(visibility="private", capacity=3, turn_seconds=None)
    shown = host.see(table)
    etag = host.get(f"tables/{table}").headers["ETag"]
    assert host.get(f"tables/{table}", if_none_match=etag).status == 304
    assert guest.get(f"tables/{table}").status == 404
    assert guest.post("tables/by-code", {"code": shown["code"]}).status == 200
    assert guest.post("tables/by-code", {"code": "00000000"}).status == 404
    assert guest.sit(table, code=shown["code"]).status == 201
    assert guest.post(f"tables/{table}/start").status == 403
    assert host.post(f"tables/{table}/bots", {}, idempotency_key="a").status == 201
    assert host.post(f"tables/{table}/seats", {}, idempotency_key="a").status == 422
    assert host.post(f"tables/{table}/seats/me/return").status == 200
    assert guest.delete(f"tables/{table}/seats/me").status == 204
    assert host.delete(f"tables/{table}/seats/2").status == 409
    assert host.delete("sessions/current").status == 204
    assert host.get("sessions/current").status == 401


def test_every_answer_of_a_match_is_as_documented(people: list[Documented]) -> None:
    host, guest = people
    assert host.post("matches", {"game": "pickomino", "fill_with_bots_after": 60}).status == 201
    assert host.post("matches", {"game": "pickomino"}).status == 200
    assert host.post("matches", {"game": "chess"}).status == 400
    table = guest.post("matches", {"game": "pickomino"}, idempotency_key="a")["id"]
    assert guest.post("matches", {"game": "7776"}, idempotency_key="a").status == 422
    assert guest.post(f"tables/{table}/rematch").status == 409
    assert guest.post("stream-tickets").status == 201
    assert guest.post("stream-tickets", {"more": 1}).status == 400


@pytest.mark.parametrize("path", ["stream", "lobby/stream?game=7776", "tables/{}/stream?after=2"])
def test_where_nothing_streams_that_is_said(people: list[Documented], path: str) -> None:
    host, _ = people
    answer = host.get(path.replace("{}", host.open()), accept="text/event-stream")
    assert (answer.status, answer.code) == (503, "unavailable")
    assert Documented("Reader x").get(path.replace("{}", host.open())).status == 401


@pytest.mark.parametrize(("wait", "status"), [("0", 200), ("25", 200), ("26", 400), ("-1", 400), ("x", 400)])
def test_where_nothing_waits_the_events_come_at_once(
    people: list[Documented], wait: str, status: int
) -> None:
    host, _ = people
    assert host.get(f"tables/{host.open()}/events?after=2&wait={wait}").status == status


def test_every_answer_about_a_record_is_as_documented(people: list[Documented]) -> None:
    host, _ = people
    given: list[Any] = [{}, {"format": 1}, {"lines": [{}]}]
    for record in given:
        assert host.post("records/check", record).status == 200
    assert host.post("records/check", b"[]").status == 400
    assert host.post("records/check", b"{").status == 400
    assert host.post("records/check", b" " * 2_100_000).status == 413
    assert host.post("records/check", b"x", content_type="text/plain").status == 415


def test_a_record_can_be_had_as_text_too() -> None:
    [operation] = [each for each in operations(document()) if each["operationId"] == "get_record"]
    assert operation["responses"]["200"]["content"].keys() == {"application/json", "text/plain"}
    assert operation["responses"]["200"]["content"]["text/plain"]["schema"]["type"] == "string"


def test_every_answer_before_entering_is_as_documented(db: None) -> None:
    person = Documented("Reader x")
    assert person.get("/api/v1/").status == 200
    assert person.get("games").status == 200
    assert person.get(f"games/{next(iter(GAMES))}").status == 200
    assert person.get("games/chess").status == 404
    assert person.get("tables").status == 401
    assert person.post("sessions", b"{").status == 400
    assert person.post("sessions", {"name": 1, "more": 2}).status == 400
    assert person.post("sessions", b"x" * 70_000).status == 413
    assert person.post("sessions", b"x", content_type="text/plain").status == 415
    assert person.enter().status == 201
    assert person.enter().status == 200
    wrong = Documented(person.name, secret="another one")
    while (answer := wrong.enter()).status == 409:
        assert answer.code == "name_taken"
    assert answer.code == "throttled"
