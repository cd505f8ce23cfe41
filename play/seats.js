/** Who sits at the table, whose turn it is, who is away. */

import { h, named, replace } from "./dom.js";
import { strings } from "./strings.js";

export function seatList(app, remove) {
  const list = h("ol.seats", { "aria-label": strings.seats });
  let drawn = "";

  function update(table) {
    // Drawn anew only when it differs, so that a button under the finger stays there.
    const state = JSON.stringify([
      table.seats,
      table.to_move,
      table.you,
      table.host,
      table.status,
      scores(table),
      table.outcome?.winners,
    ]);
    if (state === drawn) return;
    drawn = state;
    replace(
      list,
      table.seats.map((seat) => item(table, seat)),
    );
  }

  function item(table, seat) {
    const points = scores(table)?.[seat.seat];
    const turn = table.to_move.includes(seat.seat);
    const won = table.outcome?.winners.includes(seat.seat);
    const mayRemove =
      table.status === "open" && table.host === table.you && table.you !== null && seat.seat !== table.you;
    return h(
      `li.seat${turn ? ".turn" : ""}${won ? ".won" : ""}${seat.seat === table.you ? ".mine" : ""}`,
      turn ? { "aria-current": "true" } : {},
      h("span.place", { "aria-hidden": "true" }, String(seat.seat + 1)),
      h("span.name", {}, seat.name === null ? strings.seatName(seat) : named(seat.name)),
      h("span.signs", {}, signs(table, seat, turn, won)),
      points === undefined ? null : h("span.points", {}, strings.points(table.game, points)),
      mayRemove &&
        h(
          "button.button.quiet.small",
          {
            type: "button",
            onclick: () => remove(seat.seat),
            "aria-label": strings.removeTitle(seat.name ?? strings.seatName(seat)),
          },
          "×",
        ),
    );
  }

  return { element: h("section.card", {}, h("h2", {}, strings.seats), list), update };
}

/** What the view counts for each seat: worms in one game, points in another. */
const scores = (table) => table.outcome?.scores ?? table.view?.worms ?? table.view?.scores;

function signs(table, seat, turn, won) {
  const chip = (text, kind = "") => h(`span.chip${kind}`, {}, text);
  return [
    won && chip(strings.winner, ".good"),
    seat.seat === table.you && chip(strings.you),
    turn && chip(strings.toMove, ".turn"),
    seat.seat === table.host && table.status === "open" && chip(strings.host),
    seat.left && chip(strings.left),
    seat.stand_in && !seat.left && chip(strings.standInSign),
    seat.kind === "human" &&
      !seat.left &&
      !seat.connected &&
      table.status !== "finished" &&
      chip(strings.away),
  ];
}
