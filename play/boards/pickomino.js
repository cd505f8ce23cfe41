/** Pickomino: the BBQ, the stacks, the dice. What can be taken or saved is lit and is a button. */

import { h } from "../dom.js";
import { acting, keepingFocus, roving } from "./acting.js";
import { describe, die, gliding, badge, hintOf, named, still, withNames, worms } from "./pieces.js";

export { describe } from "./pieces.js";

const DOMINOES = Array.from({ length: 16 }, (_, index) => 21 + index);
const FACES = [1, 2, 3, 4, 5, "W"];
const isBold = (kind) => ["busted", "collected", "stole"].includes(kind);

export function board(root, context) {
  const text = context.strings.pickomino;
  const acts = acting(root, context);
  let table = null;
  let thrown = []; // the dice of the last roll, for the line that explains a bust
  let news = null;
  let lost = []; // dice that busted, shown until the next roll

  function update(next, events) {
    table = next;
    acts.allow(table);
    const rolled = follow(events);
    gliding(root, () => keepingFocus(root, () => draw(rolled)));
  }

  function follow(events) {
    if (context.replaying) [news, lost] = [null, []];
    let rolled = false;
    for (const event of events) {
      if (event.kind === "rolled") [thrown, lost, rolled] = [event.data.dice, [], true];
      if (event.kind === "busted" && event.data.reason === "nothing_new") lost = thrown;
      if (isBold(event.kind)) news = describe(event, context, { kind: "rolled", data: { dice: thrown } });
    }
    return rolled && !context.replaying && !still();
  }

  function draw(rolled) {
    const view = table.view;
    root.className = "board pickomino felt";
    if (!view) return root.replaceChildren(h("p.prompt", { tabindex: "-1" }, text.notBegun));
    root.replaceChildren(stacks(view), bbq(view), tray(view, rolled));
    for (const group of root.querySelectorAll(".walk")) roving(group, "[data-move]")();
  }

  const can = (move) => table.legal_moves.includes(move);

  /** A button when the move is legal, else a mere picture of the same. */
  function choice(move, props, label, ...children) {
    const key = { "data-key": move, ...props };
    if (can(move)) {
      const hint = hintOf(move, context);
      const said = hint ? `${label.act}, ${context.strings.toWin(hint.value)}` : label.act;
      const lit = { class: `${props.class} lit`, type: "button", "data-move": move, "aria-label": said };
      return h("button", { ...key, ...lit }, ...children, badge(hint, context));
    }
    return h("span", { ...key, role: "img", "aria-label": label.see }, ...children);
  }

  const face = (one) => [h("span.number", { "aria-hidden": "true" }, String(one.domino)), worms(one.worms)];

  function stacks(view) {
    const seats = view.stacks.map((stack, seat) => {
      const top = stack.at(-1);
      const turn = view.seat === seat;
      const name = h("span.name", {}, ...withNames(named(context, seat)));
      const mine = table.you === seat;
      return h(
        "li",
        { class: `stack${turn ? " turn" : ""}${mine ? " mine" : ""}` },
        h("span.pile", { "data-height": Math.min(stack.length, 3) }, top ? topOf(top, seat, stack.length) : empty()),
        name,
        h("span.count", {}, text.worms(view.worms[seat])),
      );
    });
    return h(`ul.stacks.walk${seats.length > 4 ? ".many" : ""}`, { "aria-label": text.stacks }, ...seats);
  }

  function topOf(top, seat, height) {
    const { domino, worms: count } = top;
    const size = h("span.size", { "aria-hidden": "true" }, `×${height}`);
    const label = {
      act: text.steal(domino, named(context, seat), count),
      see: text.top(domino, count, height),
    };
    const props = { class: "domino", "data-piece": domino };
    return choice(`steal ${domino}`, props, label, ...face(top), height > 1 ? size : null);
  }

  const empty = () => h("span.slot", { role: "img", "aria-label": text.noDomino });

  function bbq(view) {
    const there = new Map(view.bbq.map((one) => [one.domino, one]));
    const items = DOMINOES.map((domino) => {
      const one = there.get(domino);
      if (one) {
        const label = { act: text.collect(domino, one.worms), see: text.domino(domino, one.worms) };
        const props = { class: "domino", "data-piece": domino };
        return h("li", {}, choice(`collect ${domino}`, props, label, ...face(one)));
      }
      if (view.face_down.includes(domino)) {
        const props = { "data-piece": domino, role: "img", "aria-label": text.turned(domino) };
        return h("li", {}, h("span.domino.turned", props, h("span", { "aria-hidden": "true" }, domino)));
      }
      return h("li", { "aria-hidden": "true" }, h("span.slot", {}));
    });
    return h("ul.bbq.walk", { "aria-label": text.bbq }, ...items);
  }

  function tray(view, rolled) {
    const dice = view.dice.length ? view.dice : lost;
    return h(
      "div",
      { class: "tray" },
      news ? h("p", { class: `news${lost.length ? " bust" : ""}` }, ...withNames(news)) : null,
      h("p.prompt", { tabindex: "-1" }, ...withNames(prompt(view))),
      view.phase === "over" ? null : h("div.turn-so-far", {}, saved(view), sums(view)),
      h(
        "div",
        { class: `dice walk${rolled ? " rolling" : ""}`, role: "group", "aria-label": text.dice },
        ...groups(view, dice),
        rollButton(view),
      ),
    );
  }

  function prompt(view) {
    if (view.phase === "over") return text.over;
    if (!table.legal_moves.length) return text.waiting(named(context, view.seat));
    if (view.phase !== "decide") return text[view.phase];
    if (!can("roll")) return text.take;
    return table.legal_moves.length > 1 ? text.decide : text.rollOn;
  }

  function groups(view, dice) {
    const present = FACES.filter((each) => dice.includes(each));
    return present.map((each) => {
      const count = dice.filter((one) => one === each).length;
      const isSaved = view.saved.some((one) => one.face === each) || !view.dice.length;
      const see = isSaved ? text.stale(count, each) : text.rolled(count, each);
      const label = { act: text.saveAll(count, each), see };
      const drawn = Array.from({ length: count }, () => die(each));
      return choice(`save ${each}`, { class: `group${isSaved ? " stale" : ""}` }, label, ...drawn);
    });
  }

  function saved(view) {
    const label = view.saved.length ? text.saved(view.saved) : text.nothingSaved;
    const drawn = view.saved.map(({ face: each, count }) =>
      h("span.kept", {}, ...Array.from({ length: count }, () => die(each))),
    );
    return h("div.saved", {}, h("span.saved-dice", { role: "img", "aria-label": label }, ...drawn));
  }

  function sums(view) {
    const worm = view.saved.some(({ face: each }) => each === "W");
    const sum = (value, caption, kind = "") =>
      h("div", { class: `sum ${kind}` }, h("dt", {}, caption), h("dd", {}, value));
    return h(
      "dl",
      { class: "sums" },
      sum(String(view.total), text.total, "total"),
      sum(String(view.dice_left), text.diceLeft(view.dice_left)),
      sum(worm ? text.yes : text.no, text.hasWorm, worm ? "has" : "lacks"),
    );
  }

  function rollButton(view) {
    if (!can("roll")) return null;
    const label = text.rollDice(view.dice_left);
    return choice("roll", { class: "act roll" }, { act: label }, label);
  }

  return {
    update,
    destroy() {
      acts.stop();
      root.replaceChildren();
    },
  };
}
