"""GET /metrics: what is counted and timed, as Prometheus reads it, with labels from closed sets."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import yaml
from django.db import DatabaseError, connection
from django.urls import get_resolver
from django.utils import timezone
from prometheus_client.metrics import MetricWrapperBase
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample

from config import exposition, metrics, readiness, routes
from config.embedded.process import ROOT
from config.problems import STATUS
from games import census
from games.models import Table
from games.sweeps import sweep_tables
from tests.conftest import Enter
from tests.games.situations import put_tables
from tests.people import Person, seat_all
from tests.together import together


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    exposition.stored.forget()
    readiness.board.forget()
    yield
    exposition.stored.forget()
    readiness.board.forget()


def scrape() -> dict[str, list[Sample]]:
    """All samples by name; what is no exposition fails here."""
    answer = Person(address="127.0.0.1")
    text = raw(answer)
    families = list(text_string_to_metric_families(text))
    assert len({family.name for family in families}) == len(families)
    found: dict[str, list[Sample]] = {}
    for family in families:
        assert family.documentation or family.name.startswith("python_")
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample)
    return found


def raw(person: Person) -> str:
    from tests.people import _client

    response = _client.get("/metrics", REMOTE_ADDR=person.address)
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain; version=")
    assert response.headers["Cache-Control"] == "no-store"
    return str(response.content.decode())


def value(samples: dict[str, list[Sample]], name: str, **labels: str) -> float:
    return sum(each.value for each in samples.get(name, []) if labels.items() <= each.labels.items())


def test_only_who_is_allowed_reads_them(db: None) -> None:
    assert Person(address="203.0.113.9").get("/metrics").code == "not_found"


def test_moves_and_refusals_of_moves_are_counted_by_code(enter: Enter) -> None:
    people = [enter(), enter()]
    table = seat_all("7776", people)
    before = scrape()
    assert people[0].move(table, "choose 1").status == 201
    assert people[0].move(table, "choose 2").code == "not_your_turn"
    assert people[1].move(table, "fly").code == "illegal_move"
    after = scrape()

    def grown(name: str, **labels: str) -> float:
        return value(after, name, **labels) - value(before, name, **labels)

    assert grown("boneyard_moves_total", game="7776", by="player") == 1
    for code in ("not_your_turn", "illegal_move"):
        assert grown("boneyard_refusals_total", route=routes.MOVES, code=code) == 1


def test_tables_and_seats_are_told_by_state(enter: Enter) -> None:
    people = [enter(), enter(), enter()]
    seat_all("pickomino", people)
    with_bot = people[0].open("7776")
    people[0].post(f"tables/{with_bot}/bots", {})
    people[1].open("dominoes")
    found = scrape()
    assert {each.labels["status"]: each.value for each in found["boneyard_tables"]} == {
        "open": 1, "playing": 2, "finished": 0, "abandoned": 0, "closed": 0,
    }  # fmt: skip
    assert {each.labels["state"]: each.value for each in found["boneyard_seats"]} == {
        "human": 5, "bot": 1, "stand_in": 0, "out": 0,
    }  # fmt: skip


def test_many_tables_that_are_over_are_estimated_and_live_ones_counted(
    enter: Enter, monkeypatch: pytest.MonkeyPatch, transactional_db: None
) -> None:
    monkeypatch.setattr(census, "COUNTED", 100)
    ann = enter()
    ann.open()
    put_tables(300, [], status="finished", over_at=timezone.now(), wake_at=None)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_table")
    found = census.take()
    assert (found.tables["open"], found.tables["playing"]) == (1, 0)
    assert 250 <= found.tables["finished"] <= 350


def test_sweeps_tell_when_they_ran_and_how_much_they_did(ann: Person) -> None:
    Table.objects.filter(pk=ann.open()).update(wake_at=timezone.now(), touched_at=timezone.now())
    sweep_tables()
    found = scrape()
    assert value(found, "boneyard_sweep_age_seconds", sweep="tables") < 60
    assert value(found, "boneyard_sweep_seconds_count", sweep="tables") >= 1
    assert "boneyard_sweep_size" in found
    assert value(found, "boneyard_check", check="database") == 1


def test_without_the_database_what_the_process_knows_is_told(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away() -> None:
        raise DatabaseError

    monkeypatch.setattr(census, "take", away)
    found = scrape()
    assert "boneyard_requests_total" in found or "boneyard_lock_seconds_count" in found
    assert "boneyard_tables" not in found


@pytest.mark.parametrize(
    ("path", "address", "status"),
    [
        ("/metrics", "127.0.0.1", "200 OK"),
        ("/metrics", "203.0.113.9", "403 Forbidden"),
        ("/", "127.0.0.1", "404 Not Found"),
    ],
)
def test_a_worker_answers_at_a_port_of_its_own_and_keeps_no_connection(
    transactional_db: None, path: str, address: str, status: str
) -> None:
    def ask() -> tuple[str, str, bool]:
        told: list[str] = []
        body = exposition._answer(
            {"PATH_INFO": path, "REMOTE_ADDR": address}, lambda status, headers: told.append(status)
        )
        return told[0], b"".join(body).decode(), connection.connection is None

    [(said, text, is_free)] = together(ask)
    assert (said, is_free) == (status, True)
    assert ("boneyard_check" in text) == (status == "200 OK")


# --- labels


def test_routes_are_those_of_the_server_and_nothing_that_was_typed() -> None:
    some = "0197a000-0000-7000-8000-000000000000"
    assert routes.of_path(f"/api/v1/tables/{some}/moves") == routes.MOVES
    assert routes.of_path("/api/v1/games/Ann") == "/api/v1/games/{slug}"
    assert routes.of_path("/static/admin/css/base.css") == "/static/"
    assert routes.of_path("/admin/games/table/5/change/") == "/admin/"
    for typed in ("/Ann", "/api/v1/tables/Ann", "/api/v1/Ann/moves", "/api/v1//tables"):
        assert routes.of_path(typed) == metrics.OTHER


def test_what_nobody_knows_is_one_label(db: None) -> None:
    for typed in ("/Ann", "/.env", "/api/v1/nothing"):
        assert Person().get(typed).status == 404
    codes = {each.labels["code"] for each in scrape()["boneyard_refusals_total"]}
    known = {routes.label(str(pattern.pattern)) for pattern in get_resolver().url_patterns}
    told = {each.labels["route"] for each in scrape()["boneyard_refusals_total"]}
    assert codes <= {refusal.code for refusal in STATUS}
    assert told <= known | {metrics.OTHER, "/admin/", "/static/"}


def test_a_method_that_nobody_knows_is_one_label() -> None:
    metrics.answered("ANN", metrics.OTHER, 405)
    [family] = metrics.REQUESTS.collect()
    assert {each.labels["method"] for each in family.samples} <= metrics.METHODS | {metrics.OTHER}


# --- what the documents say of them


def names() -> set[str]:
    """Of all our metrics, as they are written in a rule."""
    found = {
        "boneyard_check", "boneyard_tables", "boneyard_seats", "boneyard_sweep_age_seconds",
        "boneyard_sweep_size", "boneyard_history_differences", "boneyard_database_connections",
    }  # fmt: skip
    for instrument in vars(metrics).values():
        if isinstance(instrument, MetricWrapperBase):
            [family] = instrument.collect()
            ends = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}.get(family.type, [""])
            found.update(family.name + end for end in ends)
    return found


ALERTS: dict[str, Any] = yaml.safe_load((ROOT / "docs" / "alerts.yml").read_text())
RULES = [rule for group in ALERTS["groups"] for rule in group["rules"]]


def test_every_metric_of_an_alert_exists() -> None:
    for rule in RULES:
        for name in re.findall(r"\bboneyard_\w+", rule["expr"]):
            assert name in names(), (rule["alert"], name)


def test_the_names_are_those_that_are_told(db: None) -> None:
    told = set(scrape())
    assert {name for name in told if name.startswith("boneyard_")} <= names()


def test_every_alert_says_what_is_wrong_and_what_to_do() -> None:
    for rule in RULES:
        assert rule["labels"]["severity"] in {"page", "ticket"}
        assert {"summary", "action"} <= rule["annotations"].keys(), rule["alert"]


def test_the_operators_page_explains_every_metric_and_names_every_alert() -> None:
    page = (ROOT / "docs" / "operators.md").read_text()
    for name in names():
        base = re.sub("_(bucket|count|sum|total)$", "", name)
        assert base in page, name
    for rule in RULES:
        assert rule["alert"] in page
