/** 7776: one's own dice, the sixteen combinations, what the last round revealed, and the score sheet. */

import { h } from "../dom.js";
import { acting, keepingFocus, roving } from "./acting.js";
import { die, gliding, hintOf, named, still, withNames } from "./pieces.js";

export { describe } from "./pieces.js";

const COMBINATIONS = [
  "1", "2", "3", "4", "5", "6",
  "two-of-a-kind", "three-of-a-kind", "four-of-a-kind", "poker", "2+2", "3+2",
  "minor-straight", "major-straight", "minor-sum", "major-sum",
];
const SEATS = [0, 1];

export function board(root, context) {
  const text = context.strings[7776];
  const acts = acting(root, context);
  let table = null;
  let open = false; // the score sheet, on a narrow screen

  function update(next, events) {
    table = next;
    acts.allow(table);
    const lively = !context.replaying && !still();
    const fresh = (kind) => lively && events.some((event) => event.kind === kind);
    gliding(root, () => keepingFocus(root, () => draw(fresh("threw"), fresh("revealed"))));
  }

  function draw(threw, revealed) {
    const view = table.view;
    root.className = "board seven felt";
    if (!view) return root.replaceChildren(h("p.prompt", { tabindex: "-1" }, text.notBegun));
    root.replaceChildren(
      h("div.play", {}, duel(view), reveal(view, revealed), own(view, threw), ...combinations(view)),
      sheet(view),
    );
    roving(root.querySelector(".combinations"), "[data-move]")();
  }

  const name = (seat) => withNames(named(context, seat));

  function duel(view) {
    const panels = SEATS.map((seat) => {
      const locked = view.locked[seat];
      const state = view.phase === "over" ? "" : locked ? text.locked : text.choosing;
      return h(
        "li",
        { class: `panel${locked ? " locked" : ""}` },
        h("span.name", {}, ...name(seat)),
        h("span.score", {}, text.points(view.scores[seat])),
        h("span.state", {}, state),
      );
    });
    return h("ul.duel", { "aria-label": text.scores }, ...panels);
  }

  function reveal(view, fresh) {
    const last = view.history.at(-1);
    if (!last) return null;
    const rows = SEATS.map((seat) => {
      const points = last.points[seat];
      return h(
        "div",
        { class: "shown" },
        h("span.name", {}, ...name(seat)),
        thrown(last.throws[seat], text.dice(last.throws[seat])),
        h("span.choice", {}, text.combinations[last.choices[seat]]),
        h("strong", { class: `points ${points < 0 ? "penalty" : ""}` }, text.signed(points)),
      );
    });
    const title = h("h2", { class: "title" }, text.revealed(view.history.length, view.rounds));
    return h("section", { class: `reveal${fresh ? " fresh" : ""}` }, title, ...rows);
  }

  const thrown = (dice, label) => h("span.thrown", { role: "img", "aria-label": label }, ...dice.map(die));

  function own(view, threw) {
    const dice = view.throw && thrown(view.throw, text.yourDice(view.throw));
    return h(
      "div",
      { class: `own${threw ? " rolling" : ""}` },
      h("p.prompt", { tabindex: "-1" }, prompt(view)),
      dice ? h("div.group", {}, dice) : null,
    );
  }

  function prompt(view) {
    if (view.phase === "over") return text.over;
    if (table.you === null) return text.watching(view.round);
    return view.choice ? text.waiting(text.combinations[view.choice]) : text.choose(view.round, view.rounds);
  }

  function combinations(view) {
    const items = COMBINATIONS.map((each) => combination(each, view));
    const others = SEATS.filter((seat) => seat !== table.you);
    const legend = others.map((seat) => h("span", {}, markOf(seat), withNames(text.usedBy(named(context, seat)))));
    const board = h("div.combinations", { role: "group", "aria-label": text.title }, ...items);
    return [board, h("p.legend", { "aria-hidden": "true" }, legend)];
  }

  const markOf = (seat) => h(`i.mark.seat-${seat}`, { "aria-hidden": "true" });

  function combination(each, view) {
    const move = `choose ${each}`;
    const label = text.combinations[each];
    const mine = table.you === null ? -1 : view.used[table.you].indexOf(each);
    const others = SEATS.filter((seat) => seat !== table.you && view.used[seat].includes(each));
    const mark = others.map(markOf);
    const said = [label, ...others.map((seat) => text.usedBy(named(context, seat)))];
    if (mine >= 0) {
      const points = view.history[mine].points[table.you];
      const all = [...said, text.used(points)].join(", ");
      const sum = h("span", { class: `sub ${points < 0 ? "penalty" : ""}` }, text.signed(points));
      return h("span.combination.used", { role: "img", "aria-label": all }, h("s", {}, label), sum, ...mark);
    }
    const chosen = view.choice === each;
    const hint = hintOf(move, context);
    const sub = hint ? text.expected(hint.detail.points) : text.failing[each];
    const kind = `combination${chosen ? " chosen" : ""}${hint?.best ? " best" : ""}`;
    const inside = [h("span", {}, label), h("span.sub", {}, chosen ? text.yourChoice : sub), ...mark];
    if (!table.legal_moves.includes(move)) {
      const all = [...said, chosen ? text.yourChoice : sub].join(", ");
      return h("span", { class: kind, role: "img", "aria-label": all, "data-key": move }, ...inside);
    }
    const all = [...said, hint ? text.hint(hint.detail.points, hint.detail.fails, hint.best) : sub];
    const props = { class: `${kind} lit`, type: "button", "data-move": move, "data-key": move };
    return h("button", { ...props, "aria-label": all.join(", ") }, ...inside);
  }

  function sheet(view) {
    const heads = SEATS.map((seat) => h("th", { scope: "colgroup", colspan: 2 }, ...name(seat)));
    const columns = SEATS.flatMap(() =>
      [text.choice, text.pointsHead].map((head) => h("th", { scope: "col" }, head)),
    );
    const sums = [0, 0];
    const rows = view.history.map((round, index) => {
      const cells = SEATS.flatMap((seat) => {
        sums[seat] += round.points[seat];
        const points = round.points[seat];
        return [
          h("td", {}, text.combinations[round.choices[seat]], h("small", {}, round.throws[seat].join(" "))),
          h(
            "td",
            { class: "number" },
            h("span", { class: points < 0 ? "penalty" : "" }, text.signed(points)),
            h("small", {}, text.points(sums[seat])),
          ),
        ];
      });
      return h("tr", {}, h("th", { scope: "row" }, String(index + 1)), ...cells);
    });
    const titles = h("tr", {}, h("th", { scope: "col", rowspan: 2 }, text.round), ...heads);
    const none = h("tr", {}, h("td", { colspan: 5, class: "none" }, text.noRound));
    const whole = h(
      "table",
      {},
      h("caption.visually-hidden", {}, text.sheet),
      h("thead", {}, titles, h("tr", {}, ...columns)),
      h("tbody", {}, ...(rows.length ? rows : [none])),
    );
    const scroll = { tabindex: "0", role: "region", "aria-label": text.sheet, "data-key": "sheet" };
    const unfolded = open || matchMedia("(min-width: 900px)").matches;
    return h(
      "details.sheet",
      { open: unfolded, ontoggle: (event) => (open = event.target.open) },
      h("summary", { "data-key": "summary" }, text.sheet),
      h("div.scroll", scroll, whole),
    );
  }

  return {
    update,
    destroy() {
      acts.stop();
      root.replaceChildren();
    },
  };
}
