"""Around a table: invitations, the lobby, names as they are, absence, a network that fails."""

import re
from collections.abc import Callable

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.conftest import Visit
from tests.browser.visitor import PHONE

HOSTILE = ["<img src=x onerror=a()>", "\u05d0bc</bdi><b>x</b>"]


def test_a_hostile_name_stays_text_everywhere(visit: Visit) -> None:
    people = [visit(name) for name in HOSTILE]
    host, guest = people
    link = host.open("7776")
    watcher = visit()
    expect(watcher.page.locator("a.table bdi", has_text=HOSTILE[0])).to_be_visible()
    guest.page.goto(link)
    guest.button("Sit down").click()
    for person in people:
        expect(person.page.locator(".board")).to_be_visible()
    host.act_when_lit()
    guest.act_when_lit()
    watcher.page.goto(link)
    expect(watcher.page.locator(".board")).to_be_visible()
    for person in (*people, watcher):
        expect(person.page.locator(".seat bdi")).to_have_text(HOSTILE)
        assert person.page.locator("img").count() == 1  # the brand's
        assert person.page.locator("main b").count() == person.page.locator(".code, .scores b").count()
    if guest.can_report:
        guest.button("Report a player").click()
        expect(guest.page.get_by_label("Who", exact=True)).to_contain_text(HOSTILE[0])
        guest.button("Send").click()
        expect(guest.page.get_by_text("Reported. Thank you.")).to_be_visible()
    guest.button("Leave the table").click()
    guest.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(host.heading("You won!")).to_be_visible()


def test_a_name_of_wide_letters_fits_a_phone(visit: Visit) -> None:
    host, guest = (visit(letter * 24, viewport=PHONE) for letter in "WM")
    guest.page.goto(host.open("pickomino", Seats="2"))
    guest.button("Sit down").click()
    for person in (host, guest):
        expect(person.page.locator(".board")).to_be_visible()
        assert person.page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
        tools = "[...document.querySelectorAll('.tools > *')]"
        assert person.page.evaluate(
            f"{tools}.every((tool) => tool.scrollWidth <= tool.clientWidth + 2 || tool.matches('.person'))"
        )


def test_who_is_removed_is_told_and_the_focus_stays_at_the_table(visit: Visit) -> None:
    host, guest = visit(), visit()
    guest.allowed = re.compile("403")
    guest.page.goto(host.open("dominoes", Seats="3"))
    guest.button("Sit down").click()
    host.button(re.compile("^Remove")).click()
    host.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(host.page.locator(".seat")).to_have_count(1)
    expect(host.heading("Dominoes")).to_be_focused()
    guest.button("Sit down").click()
    expect(guest.page.get_by_text("The host removed you")).to_be_visible()


def test_a_record_that_was_changed_is_found_out(visit: Visit) -> None:
    ann, bob = visit(), visit()
    bob.page.goto(ann.open("7776"))
    bob.button("Sit down").click()
    ann.act_when_lit()
    bob.act_when_lit()
    bob.button("Leave the table").click()
    bob.page.get_by_role("dialog").get_by_role("button", name="Leave the table").click()
    expect(ann.heading("You won!")).to_be_visible()

    def verdict_of(change: Callable[[str], str]) -> Locator:
        def altered(route: Route) -> None:
            answer = route.fetch()
            route.fulfill(response=answer, body=change(answer.text()))

        ann.page.unroute_all()
        ann.page.route("**/record", altered)
        ann.button("Verify this game").click()
        return ann.page.locator(".verdict")

    changes: list[Callable[[str], str]] = [
        lambda record: re.sub(
            r'"roll",\[\d', lambda roll: roll[0][:-1] + str(int(roll[0][-1]) % 6 + 1), record, count=1
        ),
        lambda record: record.replace('"winners":[', '"winners":[9,'),
        lambda record: record[:-20],
        lambda record: "[]",
    ]
    for change in changes:
        expect(verdict_of(change)).to_have_text("Something is wrong with this record.")
        ann.button("Close").click()
    expect(verdict_of(str)).to_have_text("All of it is true.")


def test_a_private_link_invites_and_nothing_else_does(visit: Visit) -> None:
    host, guest, stranger = visit(), visit(enter=False), visit()
    link = host.open("dominoes", Seats="2", Who_can_come="private")
    assert re.search(r"#table/[0-9a-f-]{36}/code/[0-9A-Z]{8}$", link)
    guest.page.goto(link)
    expect(guest.heading("You are invited to a table")).to_be_visible()
    guest.page.get_by_label("Name", exact=True).fill(f"{host.name} too")
    guest.button("Enter").click()
    stranger.allowed = re.compile("404")
    stranger.page.goto(link.split("/code/")[0])
    expect(stranger.heading("Not here")).to_be_visible()
    guest.button("Sit down").click()
    expect(host.page.locator(".board")).to_be_visible()
    expect(guest.page.locator(".board")).to_be_visible()


def test_a_mangled_link_leads_somewhere(visit: Visit) -> None:
    visitor = visit()
    visitor.allowed = re.compile("400|404")
    visitor.page.goto("/#table/01a22e1b-293b-762a-9103-765e49305171/code/0%E0%A4%A")
    expect(visitor.heading("Not here")).to_be_visible()
    visitor.page.goto("/#table/..")
    expect(visitor.heading("Pick a game")).to_be_visible()


def test_quick_match_brings_two_together_and_a_third_watches(visit: Visit) -> None:
    ann, bob, cid = visit(), visit(), visit()
    ann.button("Find players: Pickomino").click()
    expect(ann.heading("Waiting for players")).to_be_visible()
    bob.button("Find players: Pickomino").click()
    expect(ann.page.locator(".board")).to_be_visible()
    expect(bob.page.locator(".board")).to_be_visible()
    address = ann.page.url
    cid.page.goto(address)
    expect(cid.page.get_by_text("You are watching")).to_be_visible()
    assert cid.page.locator(".board [data-move]").count() == 0


def test_a_double_tap_is_one_move(visit: Visit) -> None:
    visitor = visit()
    sent: list[str] = []
    visitor.page.on("request", lambda request: sent.append(request.url) if "/moves" in request.url else None)
    visitor.play_bots("7776")
    visitor.page.locator(".board [data-move]").first.dblclick()
    expect(visitor.page.locator(".lines li.chose").first).to_be_attached()
    assert len(sent) == 1


def test_a_move_whose_answer_is_lost_is_sent_again_and_made_once(visit: Visit) -> None:
    visitor = visit()
    visitor.allowed = re.compile("ERR_FAILED")
    visitor.play_bots("7776")
    keys: list[str] = []
    lose_first_answer(visitor.page, keys)
    visitor.page.locator(".board [data-move]").first.click()
    expect(visitor.page.locator(".lines li.chose", has_text="You chose")).to_have_count(1)
    expect(visitor.page.locator("#offline")).to_be_hidden()
    expect(visitor.page.locator(".board [data-move]")).to_have_count(15)
    visitor.wait_until(lambda: len(keys) == 2)
    assert keys[0] == keys[1]


def lose_first_answer(page: Page, keys: list[str]) -> None:
    """The first move reaches the server; its answer does not reach the page."""

    def pass_on(route: Route) -> None:
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) == 1:
            route.fetch()
            route.abort()
        else:
            route.continue_()

    page.route("**/moves", pass_on)


def test_without_streams_the_page_goes_by_long_polls(visit: Visit) -> None:
    visitor = visit()
    visitor.allowed = re.compile("ERR_FAILED|stream")
    visitor.page.route(re.compile(r"/stream\?"), lambda route: route.abort())
    visitor.play_bots("7776")
    for _ in range(2):
        visitor.act_when_lit()
    expect(visitor.page.locator(".lines li.revealed").first).to_be_attached()
    visitor.wait_until(lambda: any("wait=" in url for url in visitor.requested))
    visitor.act_when_lit()


def test_a_stand_in_gives_the_seat_back(visit: Visit) -> None:
    ann, bob = visit(), visit()
    table = ann.post("tables", {"game": "7776", "turn_seconds": 10})["id"]
    for person in (bob, ann):
        person.page.goto(f"/#table/{table}")
    bob.button("Sit down").click()
    expect(ann.page.locator(".clock")).to_have_text(re.compile("0:(0[0-9]|10)"))
    bob.act_when_lit()
    ann.button("Take my seat back").click()
    expect(ann.button("Take my seat back")).to_have_count(0)
    expect(bob.page.locator(".lines li.returned")).to_have_text(re.compile("came back"))


def test_hints_tell_what_each_choice_is_worth(visit: Visit) -> None:
    visitor = visit()
    visitor.page.locator("#hints-7776").check()
    visitor.play_bots("7776")
    expect(visitor.page.locator(".board .best").first).to_be_visible()
    assert sum(url.endswith("/odds") for url in visitor.requested) == 1
