/** A game that is over: who won and why, again, and whether the luck was true. */

import { h, replace, spoken } from "./dom.js";
import { verifyDialog } from "./proof.js";
import { strings } from "./strings.js";

export function overPanel(app, table, { rematch, nameOf }) {
  const { winners, reason, scores } = table.outcome;
  const names = winners.map((seat) => nameOf(table, seat));
  const ours = table.you !== null && winners.includes(table.you);
  const again = h("div.row");
  const title = h("h2", { tabindex: "-1" }, spoken(strings.result(names, ours, winners.length)));
  const element = h(
    `section.card.over${ours ? ".won" : ""}`,
    { "aria-label": strings.resultLabel },
    title,
    h("p", {}, strings.reasons[reason] ?? ""),
    h(
      "ul.scores",
      {},
      scores.map((score, seat) =>
        h("li", {}, spoken(nameOf(table, seat)), " ", h("b", {}, strings.points(table.game, score))),
      ),
    ),
    again,
  );
  element.updateRematch = (now) => {
    const label = now.rematch ? strings.joinRematch : strings.rematch;
    replace(
      again,
      now.you !== null && h("button.button.main", { type: "button", onclick: rematch }, label),
      now.rematch &&
        now.you === null &&
        h("a.button.main", { href: `#table/${now.rematch}` }, strings.watchRematch),
      h("button.button", { type: "button", onclick: () => verifyDialog(app, now) }, strings.verify),
      h("a.button.quiet", { href: "#lobby" }, strings.lobby),
      now.rematch && now.you !== null && h("p", { role: "status" }, strings.rematchWaits),
    );
  };
  element.updateRematch(table);
  return element;
}
