/** Dominoes: the row, one's own hand, the others' hands by their sizes, the stock, and how a round ended. */

import { h, replace } from "../dom.js";
import { acting, keepingFocus, roving } from "./acting.js";
import { draggable } from "./drag.js";
import { cross, waysOf } from "./layout.js";
import { badge, hintOf, named, tile as drawn, withNames } from "./pieces.js";

export { describe } from "./pieces.js";
import { rowOf } from "./row.js";

const ENDS = ["left", "right"];
const REACH = 110; // pixels from a place at which a dropped tile still falls there

export function board(root, context) {
  const text = context.strings.dominoes;
  const acts = acting(root, context);
  const row = rowOf(context);
  const parts = {
    players: h("div.around", {}),
    result: h("div.result-area", {}),
    ends: h("div.ends", {}),
    bar: h("div.bar", {}),
    hand: h("div.hand", { role: "group" }),
  };
  const settle = roving(parts.hand, "[data-tile]");
  let table = null;
  let chosen = null; // the tile of the hand that is to be laid
  let side = "left"; // the end that is looked at where both can't be shown at once
  let result = false; // whether the result of the last round is unfolded
  let dragging = false;
  let waiting = null; // an update that came while a tile was dragged

  root.className = "board dominoes felt";

  function update(next, events) {
    if (dragging) return void (waiting = [next, [...(waiting?.[1] ?? []), ...events]]);
    table = next;
    acts.allow(table);
    for (const { kind } of events) {
      if (kind === "round_over") result = true;
      if (kind === "laid" || kind === "drew") result = false;
    }
    if (chosen && !waysFor(chosen).length) chosen = null;
    const lively = !context.replaying && events.some(({ kind }) => kind === "laid");
    keepingFocus(root, () => draw(lively), '.hand [tabindex="0"]');
  }

  const waysFor = (tile) => waysOf(tile, table.legal_moves, table.view);

  function draw(lively) {
    const view = table.view;
    if (!view) return root.replaceChildren(h("p.prompt", { tabindex: "-1" }, text.notBegun));
    if (!row.element.parentNode) {
      root.replaceChildren(parts.players, parts.result, row.element, parts.ends, parts.bar, parts.hand);
    }
    replace(parts.players, players(view), stock(view));
    replace(parts.result, lastRound(view));
    drawHand(view);
    row.draw(view.row, lively);
    choose(chosen);
  }

  function players(view) {
    const seats = view.hand_sizes.map((size, seat) => {
      const backs = h("span.backs", { "aria-hidden": "true" }, ...Array.from({ length: size }, () => h("i")));
      return h(
        "li",
        { class: `player${view.seat === seat ? " turn" : ""}` },
        h("span.name", {}, ...withNames(named(context, seat))),
        h("span.holds", {}, h("span", { "aria-hidden": "true" }, String(size)), backs),
        h("span.visually-hidden", {}, text.holds(size)),
        h("span.points", {}, view.target ? text.score(view.scores[seat], view.target) : null),
      );
    });
    return h("ul.players", { "aria-label": text.players }, ...seats);
  }

  function stock(view) {
    return h("p.stock", {}, h("i", { "aria-hidden": "true" }), h("span", {}, text.stock(view.stock)));
  }

  function lastRound(view) {
    const last = view.last_round;
    if (!last) return null;
    const over = view.phase === "over";
    const winner = last.winner === null ? null : named(context, last.winner);
    const number = over ? view.round : view.round - 1;
    const told = text.result(number, winner, last.points, last.blocked);
    const hands = last.hands.map((hand, seat) =>
      h(
        "li",
        {},
        h("span.name", {}, ...withNames(named(context, seat))),
        h("span.shown-hand", { role: "img", "aria-label": text.hand(hand) }, ...hand.map(drawn)),
        h("span.left-over", {}, text.pips(last.pips[seat])),
      ),
    );
    return h(
      "details",
      { class: "result", open: result || over, ontoggle: (event) => (result = event.target.open) },
      h("summary", { "data-key": "result" }, withNames(told)),
      h("ul", {}, ...hands),
    );
  }

  function drawHand(view) {
    parts.hand.setAttribute("aria-label", view.hand ? text.yourHand(view.hand.length) : text.watching);
    replace(parts.hand, (view.hand ?? []).map(held));
    parts.hand.hidden = !view.hand?.length;
    settle();
  }

  function held(tile) {
    const ways = waysFor(tile);
    const turn = table.legal_moves.length > 0;
    const ends = [...new Set(ways.map((way) => way.end))];
    const label = ways.length ? text.fits(tile, ends) : turn ? text.fitsNot(tile) : tile;
    const hints = ways.map((way) => hintOf(way.move, context)).filter(Boolean);
    const hint = hints.sort((one, other) => other.value - one.value)[0];
    const button = h(
      "button",
      {
        class: `held${ways.length ? " lit" : turn ? " unfit" : ""}`,
        type: "button",
        tabindex: "-1",
        "aria-label": hint ? `${label}, ${context.strings.toWin(hint.value)}` : label,
        "aria-disabled": ways.length ? null : "true",
        "aria-pressed": ways.length > 1 ? "false" : null,
        "data-tile": tile,
        "data-key": tile,
      },
      drawn(tile),
      badge(hint, context),
    );
    if (!ways.length) return button;
    button.addEventListener("click", () => pick(tile, ways));
    draggable(button, dragOf(tile, ways));
    return button;
  }

  /** A tile was tapped or entered: laid where there is one way, else the ways are shown. */
  function pick(tile, ways) {
    if (ways.length === 1) return acts.send(ways[0].move);
    if (chosen === tile) return choose(null);
    choose(tile);
    row.ghosts()[0]?.focus({ preventScroll: true });
  }

  /** Shows where the chosen tile can go: at both ends if they can be told apart by a finger, else at one. */
  function choose(tile) {
    chosen = tile;
    const ways = tile ? waysFor(tile).filter((way) => way.end) : [];
    for (const each of parts.hand.children) {
      const on = each.dataset.tile === tile;
      each.classList.toggle("chosen", on);
      if (each.hasAttribute("aria-pressed")) each.setAttribute("aria-pressed", String(on));
    }
    const ends = [...new Set(ways.map((way) => way.end))];
    if (!ends.includes(side)) side = ends[0] ?? side;
    const apart = ends.length < 2 || crowded(ways);
    if (ways.length) row.offer(tile, ways, apart ? side : null);
    else row.clear();
    const switches = apart && ends.length > 1;
    const [left = h("span"), right = h("span")] = table.view.ends.map(({ pips }, index) =>
      endChip(ENDS[index], pips, ends, switches),
    );
    replace(parts.ends, left, row.lenses, right);
    replace(parts.bar, bar(table.view));
  }

  const crowded = (ways) => cross(ways) || row.sizeWith(ways.flatMap((way) => way.cells)) < row.least;

  function bar(view) {
    const prompt = h("p.prompt", { tabindex: "-1" }, ...withNames(promptFor(view)));
    if (!table.legal_moves.includes("draw")) return prompt;
    const keys = { "data-move": "draw", "data-key": "draw" };
    return [prompt, h("button.act.lit", { type: "button", ...keys }, text.draw)];
  }

  /** An end of the row; where only one end can be shown at a time, it is a button that shows this one. */
  function endChip(end, pips, ends, apart) {
    if (!apart) return h("span", { class: `end${ends.includes(end) ? " fits" : ""}` }, text.end(end, pips));
    const on = side === end;
    const keys = { "data-end": end, "data-key": `end-${end}`, "aria-pressed": String(on) };
    const props = { type: "button", ...keys, onclick: () => look(end) };
    return h(`button.end.fits${on ? ".on" : ""}`, props, text.end(end, pips));
  }

  function look(end) {
    side = end;
    keepingFocus(root, () => choose(chosen));
  }

  function promptFor(view) {
    if (view.phase === "over") return text.over;
    if (!table.legal_moves.length) return text.waiting(named(context, view.seat));
    if (table.legal_moves[0] === "draw") return text.mustDraw;
    if (chosen) return text.where(chosen);
    return view.row.length ? text.yourTurn : text.begin;
  }

  // Arrows walk through all ways, over to the other end too; Escape goes back to the hand.
  row.element.addEventListener("keydown", (event) => {
    const ghost = event.target.closest(".ghost");
    if (!ghost) return;
    if (event.key === "Escape") {
      const tile = chosen;
      choose(null);
      parts.hand.querySelector(`[data-tile="${tile}"]`)?.focus();
    }
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const ways = waysFor(chosen);
    const at = ways.findIndex((way) => way.move === ghost.dataset.move);
    const way = ways.at((at + by) % ways.length);
    if (!row.ghostOf(way.move)) {
      side = way.end;
      choose(chosen);
    }
    row.ghostOf(way.move).focus({ preventScroll: true });
  });

  function dragOf(tile, ways) {
    let nearest = null;
    const finish = () => {
      dragging = false;
      const late = waiting;
      waiting = null;
      if (late) update(...late);
    };
    return {
      start() {
        dragging = true;
        choose(tile);
      },
      over(x, y) {
        const chip = document.elementFromPoint(x, y)?.closest("[data-end]");
        if (chip && chip.dataset.end !== side) look(chip.dataset.end);
        nearest = placeNear(x, y, ways);
      },
      drop() {
        const move = nearest;
        if (!move) choose(null);
        finish();
        if (move) acts.send(move);
      },
      cancel() {
        choose(null);
        finish();
      },
    };
  }

  /** The move whose place is nearest to a point, and lights it; null if none is near. */
  function placeNear(x, y, ways) {
    const area = row.element.getBoundingClientRect();
    const within = x > area.left && x < area.right && y > area.top && y < area.bottom;
    if (ways.length === 1) return within ? ways[0].move : null;
    const away = (ghost) => {
      const box = ghost.getBoundingClientRect();
      return Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2);
    };
    const [near] = row.ghosts().sort((one, other) => away(one) - away(other));
    const hit = near && within && away(near) < REACH ? near : null;
    for (const ghost of row.ghosts()) ghost.classList.toggle("near", ghost === hit);
    return hit?.dataset.move ?? null;
  }

  return {
    update,
    destroy() {
      acts.stop();
      row.destroy();
      root.replaceChildren();
    },
  };
}
