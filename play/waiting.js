/** A table that has not begun: who is to come, how to call them, bots for the rest. */

import { h, replace } from "./dom.js";
import { luck, select } from "./opening.js";
import { strings } from "./strings.js";

export function waitingPanel(app, root, { sit, start, addBot, code }) {
  let drawn = "";

  function update(table) {
    const state = JSON.stringify([table.seats.length, table.you, table.host, table.code]);
    if (state === drawn) return;
    drawn = state;
    const focused = root.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    replace(root, panel(table));
    if (focused) (root.querySelector(`[data-key="${focused}"]`) ?? root.querySelector("button"))?.focus();
  }

  function panel(table) {
    const game = app.gameOf(table.game);
    const isHost = table.you !== null && table.you === table.host;
    const free = table.capacity - table.seats.length;
    const least = game?.seats.min ?? 2;
    return h(
      "section.felt.waiting",
      { "aria-labelledby": "waiting" },
      h("h2", { id: "waiting" }, strings.waitingTitle),
      h("p", {}, strings.waitingFor(free)),
      h(
        "div.row.chairs",
        { "aria-hidden": "true" },
        Array.from({ length: table.capacity }, (_, seat) =>
          h(`span.chair${seat < table.seats.length ? ".taken" : ""}`, {}, String(seat + 1)),
        ),
      ),
      table.you === null &&
        h("button.button.main", { type: "button", "data-key": "sit", onclick: sit }, strings.sit),
      isHost && hostRow(table, game, least, free),
      table.you !== null && !isHost && h("p", {}, strings.hostStarts),
      invitation(table),
      table.you !== null && luckLine(table),
    );
  }

  function hostRow(table, game, least, free) {
    const levels = game?.bots.length > 1 ? select("level", game.bots, game.bots[0], strings.levels) : null;
    const few = table.seats.length < least;
    return h(
      "div.row.host",
      {},
      h(
        "button.button.main",
        { type: "button", "data-key": "start", onclick: start, disabled: few },
        few ? strings.startNeeds(least) : strings.start,
      ),
      free > 0 && levels && h("label", { for: "level" }, strings.level),
      free > 0 && levels,
      free > 0 &&
        h(
          "button.button",
          { type: "button", "data-key": "bot", onclick: () => addBot(levels?.value) },
          strings.addBot,
        ),
    );
  }

  function invitation(table) {
    const secret = table.code ?? code;
    const link = `${location.origin}${location.pathname}#table/${table.id}${secret ? `/code/${secret}` : ""}`;
    const input = h("input", { id: "link", readonly: true, value: link, onfocus: () => input.select() });
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(link);
        app.notice(strings.copied);
      } catch {
        input.focus();
        app.notice(strings.copyByHand);
      }
    };
    return h(
      "div.invitation",
      {},
      h("label", { for: "link" }, strings.invite),
      h(
        "div.row.fields",
        {},
        input,
        h("button.button", { type: "button", "data-key": "copy", onclick: copy }, strings.copy),
      ),
      secret && h("p", {}, strings.codeIs, " ", h("b.code", {}, secret)),
    );
  }

  /** Our share of the luck; put when we sat down, after the commitment was seen. */
  function luckLine(table) {
    const kept = luck.of(table.id);
    return h(
      "details",
      {},
      h("summary", {}, strings.luck),
      h("p", {}, strings.luckText),
      h("p", {}, strings.commitment, " ", h("code", {}, table.fairness?.commitment ?? "")),
      kept?.clientSeed && h("p", {}, strings.ourSeed, " ", h("code", {}, kept.clientSeed)),
    );
  }

  return { update };
}
