"""`GET /tables/{id}`: the table as I may see it."""

from uuid import uuid4

import pytest

from tests.conftest import Enter
from tests.games.situations import be_away, begun, put_state, put_tables, row, turn
from tests.people import API, Answer, Person, _client


def raw(person: Person, table: str) -> tuple[bytes, Answer]:
    """The very bytes of the body, and the answer."""
    headers = {"HTTP_AUTHORIZATION": f"Bearer {person.token}"}
    response = _client.get(f"{API}/tables/{table}", **headers)
    return response.content, person.get(f"tables/{table}")


def test_a_seat_sees_its_own_view_and_its_legal_moves(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    mine, theirs = ann.see(table), bob.see(table)
    assert (mine["you"], theirs["you"]) == (0, 1)
    assert len(mine["view"]["throw"]) == len(theirs["view"]["throw"]) == 5
    assert mine["legal_moves"] == theirs["legal_moves"]
    assert len(mine["legal_moves"]) == 16
    assert mine["decision"] == mine["version"]


def test_a_seat_that_is_not_to_move_has_no_legal_moves_and_no_decision(ann: Person, bob: Person) -> None:
    shown = bob.see(begun("pickomino", [ann, bob]))
    assert shown["to_move"] == [0]
    assert (shown["legal_moves"], shown["decision"]) == ([], None)


def test_you_is_null_for_a_watcher_whose_legal_moves_are_empty(ann: Person, bob: Person, cid: Person) -> None:
    shown = cid.see(begun("7776", [ann, bob]))
    assert (shown["you"], shown["legal_moves"], shown["decision"]) == (None, [], None)
    assert (shown["view"]["throw"], shown["view"]["choice"]) == (None, None)


def test_the_code_is_shown_to_seated_players_only(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    code = ann.see(table)["code"]
    assert len(code) == 8
    assert bob.post("tables/by-code", {"code": code})["code"] is None
    bob.sit(table, code=code)
    assert bob.see(table)["code"] == code


def test_a_private_table_is_read_by_those_who_sit_at_it(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private")
    assert ann.get(f"tables/{table}").status == 200
    assert bob.get(f"tables/{table}").code == "not_found"


def test_private_tables_and_unknown_ones_are_not_found_alike_in_body(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private")
    hidden, missing = bob.get(f"tables/{table}"), bob.get(f"tables/{uuid4()}")
    assert hidden.status == missing.status == 404
    assert hidden.json == missing.json
    assert "ETag" not in hidden.headers


def test_who_was_at_a_private_table_and_left_reads_it_no_more(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes", visibility="private")
    bob.sit(table, code=ann.see(table)["code"])
    bob.delete(f"tables/{table}/seats/me")
    assert bob.get(f"tables/{table}").code == "not_found"


@pytest.mark.parametrize("table", ["x", "1", "00000000", "%00"])
def test_an_id_that_is_none_is_not_found(ann: Person, table: str) -> None:
    assert ann.get(f"tables/{table}").code == "not_found"


def test_seats_lists_the_taken_seats(ann: Person, bob: Person, cid: Person) -> None:
    table = ann.open("pickomino")
    bob.sit(table)
    cid.sit(table)
    ann.post(f"tables/{table}/bots", {})
    bob.delete(f"tables/{table}/seats/me")
    human = {"kind": "human", "connected": True, "stand_in": False, "left": False}
    bot = {"kind": "bot", "level": "easy", "connected": True, "stand_in": False, "left": False}
    assert ann.see(table)["seats"] == [
        {"seat": 0, "name": "Ann", **human},
        {"seat": 2, "name": "Cid", **human},
        {"seat": 3, "name": None, **bot},
    ]


def test_name_is_null_for_who_has_left_or_been_forgotten(ann: Person, bob: Person, cid: Person) -> None:
    table = begun("pickomino", [ann, bob, cid])
    bob.delete(f"tables/{table}/seats/me")
    cid.delete("sessions/current")
    told = [(seat["name"], seat["left"]) for seat in ann.see(table)["seats"]]
    assert told == [("Ann", False), (None, True), (None, True)]


def test_version_is_the_number_of_the_last_event(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    ann.move(table, "roll")
    assert ann.see(table)["version"] == ann.events(table)[-1]["version"]


def test_the_view_of_a_table_that_is_over_stays(ann: Person, bob: Person) -> None:
    table = begun("pickomino", [ann, bob])
    put_state(table, turn(0, face_up=[21], saved=[("W", 5)]))
    assert ann.move(table, "collect 21").status == 201
    shown = bob.see(table)
    assert (shown["status"], shown["to_move"], shown["deadline"]) == ("finished", [], None)
    assert (shown["view"]["phase"], shown["view"]["seat"]) == ("over", None)
    assert shown["outcome"] == {"winners": [0], "reason": "played_out", "scores": [1, 0]}


def test_each_viewer_has_an_etag_of_its_own_body(ann: Person, bob: Person) -> None:
    table = begun("dominoes", [ann, bob])
    seen = [raw(person, table)[1].headers["ETag"] for person in (ann, bob, ann, bob)]
    assert seen[:2] == seen[2:]
    assert seen[0] != seen[1]


def test_unchanged_is_304_without_a_body(ann: Person) -> None:
    table = ann.open("7776")
    etag = ann.get(f"tables/{table}").headers["ETag"]
    for names in (etag, f'"other", {etag}', f"W/{etag}", "*"):
        answer = ann.get(f"tables/{table}", if_none_match=names)
        assert (answer.status, answer.json) == (304, None)
        assert answer.headers["ETag"] == etag
        assert answer.headers["Cache-Control"] == "private, no-cache"
        assert "Authorization" in answer.headers["Vary"]


def test_other_conditions_are_none_of_ours(ann: Person) -> None:
    table = ann.open("7776")
    assert ann.get(f"tables/{table}", if_match='"other"').status == 200
    assert ann.get(f"tables/{table}", if_none_match="nonsense").status == 200


def test_changed_is_200_with_another_etag(ann: Person, bob: Person) -> None:
    table = ann.open("dominoes")
    etag = ann.get(f"tables/{table}").headers["ETag"]
    bob.sit(table)
    answer = ann.get(f"tables/{table}", if_none_match=etag)
    assert answer.status == 200
    assert answer.headers["ETag"] != etag
    assert ann.get(f"tables/{table}", if_none_match='"other"').status == 200


def test_a_connection_that_went_changes_the_etag_without_a_version(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    before = ann.get(f"tables/{table}")
    be_away(bob)
    after = ann.get(f"tables/{table}", if_none_match=before.headers["ETag"])
    assert (after.status, after["version"]) == (200, before["version"])


def test_a_name_that_was_forgotten_after_the_end_changes_the_etag_without_a_version(
    ann: Person, bob: Person, enter: Enter
) -> None:
    table = begun("7776", [ann, bob])
    bob.delete(f"tables/{table}/seats/me")
    watcher = enter()
    seen = watcher.get(f"tables/{table}")
    assert (seen["status"], seen["seats"][0]["name"]) == ("finished", ann.name)
    ann.delete("sessions/current")
    after = watcher.get(f"tables/{table}", if_none_match=seen.headers["ETag"])
    assert (after.status, after["version"], after["seats"][0]["name"]) == (200, seen["version"], None)


def test_the_same_body_has_the_same_etag(ann: Person) -> None:
    table = ann.open("7776")
    assert ann.get(f"tables/{table}").headers["ETag"] == ann.get(f"tables/{table}").headers["ETag"]


def test_only_private_caches_may_keep_it_and_must_ask(ann: Person) -> None:
    answer = ann.get(f"tables/{ann.open('7776')}")
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in [name.strip() for name in answer.headers["Vary"].split(",")]


def test_an_etag_is_of_no_use_at_a_table_that_is_not_ones_own(ann: Person, bob: Person) -> None:
    table = ann.open("7776", visibility="private")
    etag = ann.get(f"tables/{table}").headers["ETag"]
    assert bob.get(f"tables/{table}", if_none_match=etag).code == "not_found"


def test_connected_tells_whose_player_was_here_lately_and_is_true_for_bots(enter: Enter) -> None:
    ann, bob = enter(), enter()
    (table,) = put_tables(1, [ann, bob])
    assert [seat["connected"] for seat in ann.see(table)["seats"]] == [True, True]
    be_away(bob)
    version = ann.see(table)["version"]
    assert [seat["connected"] for seat in ann.see(table)["seats"]] == [True, False]
    assert ann.see(table)["version"] == version


def test_who_has_not_entered_sees_nothing(ann: Person) -> None:
    assert Person().get(f"tables/{ann.open('7776')}").code == "not_authenticated"


def test_pain_12_another_browser_with_name_and_secret_has_the_same_seat(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    elsewhere = Person("ANN", secret=ann.secret)
    assert elsewhere.enter().status == 200
    assert elsewhere.see(table) == ann.see(table)
    assert elsewhere.move(table, "choose poker").status == 201


def test_pain_11_an_id_is_no_key_to_a_seat(ann: Person, bob: Person) -> None:
    table = begun("7776", [ann, bob])
    for token in (table, str(row(table).seats.get(number=0).player_id), "", "0", "null", "Ann"):
        assert Person(token=token).get(f"tables/{table}").code == "not_authenticated"
        assert Person(token=token).move(table, "choose poker").code == "not_authenticated"
        assert Person(token=token).sit(table).code == "not_authenticated"
