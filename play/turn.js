/** Whose turn it is and for how long, and how seats are called. */

import { h, isolated, replace, spoken } from "./dom.js";
import { strings } from "./strings.js";

const SHORT_SECONDS = 10;

/** `update(table, over)` says whose turn it is; `tick()` goes on counting by the server's clock. */
export function turnLine(client) {
  const element = h("p.turn", { role: "status" });
  const clock = h("span.clock", { "aria-hidden": "true", hidden: true });
  let table = null;

  /** A new line only when something changed, so that nothing is read out twice. */
  function update(now, over) {
    table = now;
    const text = turnText(table, over);
    if (element.dataset.text !== text) replace(element, spoken(text));
    element.dataset.text = text;
    element.classList.toggle("mine", !over && table.to_move.includes(table.you));
    tick();
  }

  function tick() {
    clock.hidden = !table?.deadline || !table.to_move.length;
    if (clock.hidden) return;
    const seconds = Math.ceil(client.secondsUntil(table.deadline));
    clock.textContent = strings.time(seconds);
    clock.classList.toggle("short", seconds <= SHORT_SECONDS && table.to_move.includes(table.you));
  }

  return { element, clock, update, tick };
}

/** Whoever sits there: a name, a bot, or a seat whose player is gone. Oneself is "You". */
export function calledAt(table, seat) {
  const found = table.seats.find((each) => each.seat === seat);
  return seat === table.you ? strings.you : (found?.name ?? strings.seatName(found ?? { seat, left: true }));
}

/** The same, to stand within a text. */
export const nameOf = (table, seat) => (seat === table.you ? strings.you : isolated(calledAt(table, seat)));

function turnText(table, over) {
  if (over) return strings.overBy[table.outcome?.reason] ?? strings.statuses[table.status];
  if (table.status === "open") return strings.statuses.open;
  if (table.to_move.includes(table.you)) return strings.yourTurn;
  if (!table.to_move.length) return strings.statuses.playing;
  return strings.turnOf(table.to_move.map((seat) => nameOf(table, seat)));
}
