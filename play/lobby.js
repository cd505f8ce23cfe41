/** The lobby: a game against bots in one click, tables with people, one's own tables. */

import { h, named, replace } from "./dom.js";
import { followAll } from "./follow.js";
import { botsFor, hasHints, open, openDialog, quickMatch, select } from "./opening.js";
import { emblem } from "./emblems.js";
import { strings } from "./strings.js";

export function lobbyScreen(root, app) {
  const mine = new Map(); // summaries by id
  const open_ = new Map();
  const watchable = new Map();
  const lists = { mine: h("div"), open: h("div"), playing: h("div") };

  /** Runs what a button asks for, once at a time. */
  const doing = (act) => async (event) => {
    const button = event.currentTarget;
    button.disabled = true;
    try {
      await act();
    } catch (error) {
      app.refused(error);
    } finally {
      button.disabled = false;
    }
  };

  function gameCard(game) {
    const text = strings.games[game.game] ?? {};
    const name = app.nameOf(game.game);
    const levels = game.bots.length > 1 && select(`level-${game.game}`, game.bots, middle(game.bots), strings.levels);
    const level = () => (levels ? levels.value : game.bots[0]);
    const bots = botsFor(game);
    const hints = hasHints(app) && h("input", { id: `hints-${game.game}`, type: "checkbox" });
    const alone = { game: game.game, capacity: bots + 1, visibility: "private", turn_seconds: null };
    const withBots = () => open(app, { ...alone, ...(hints?.checked ? { hints: true } : {}), bots, level: level() });
    return h(
      "li.card.game",
      {},
      h("div.emblem", { "aria-hidden": "true" }, emblem(game.game)),
      h("h3", {}, name),
      h("p.pitch", {}, text.pitch ?? ""),
      h("p.hint", {}, strings.players(game.seats.min, game.seats.max)),
      h("button.button.main.wide", { type: "button", onclick: doing(withBots), "aria-label": strings.playBotsAt(name, bots) }, strings.playBots(bots)),
      (levels || hints) &&
        h(
          "div.level",
          {},
          levels && [h("label", { for: levels.id }, strings.level), levels],
          hints && h("label.tick", {}, hints, h("span", {}, strings.hintsShort)),
        ),
      h(
        "div.row",
        {},
        h("button.button", { type: "button", onclick: doing(() => quickMatch(app, game.game)), "aria-label": strings.quickAt(name) }, strings.quick),
        h("button.button", { type: "button", onclick: () => openDialog(app, game), "aria-label": strings.openAt(name) }, strings.open),
      ),
      h("details.rules", {}, h("summary", {}, strings.rules), h("div.prose", { tabindex: "0", role: "region", "aria-label": strings.rulesOf(name) }, paragraphs(game.rules))),
    );
  }

  function code() {
    const input = h("input", { id: "code", type: "text", maxlength: "32", autocomplete: "off", spellcheck: "false", required: true });
    const submit = async (event) => {
      event.preventDefault();
      try {
        const table = await app.client.post("tables/by-code", { code: input.value });
        app.go(`#table/${table.id}/code/${encodeURIComponent(input.value.trim())}`);
      } catch (error) {
        app.refused(error);
        input.focus();
      }
    };
    return h("form.row.code", { onsubmit: submit }, h("label", { for: "code" }, strings.haveCode), input, h("button.button", {}, strings.goThere));
  }

  function draw() {
    const all = { mine: [...mine.values()], open: [...open_.values()].filter((table) => !mine.has(table.id)), playing: [...watchable.values()].filter((table) => !mine.has(table.id)) };
    for (const [name, tables] of Object.entries(all)) {
      const rows = tables.sort((a, b) => (a.created_at < b.created_at ? 1 : -1)).map((table) => row(table, name));
      if (name === "mine") ours.hidden = !rows.length;
      redraw(lists[name], rows.length ? h("ul.tables", {}, rows) : h("p.hint", {}, strings.none[name]));
    }
  }

  function row(table, kind) {
    const names = table.seats.map((seat, index) => [index ? ", " : "", seatName(seat)]);
    const sign = table.your_turn ? h("span.chip.good", {}, strings.yourTurn) : h("span.chip", {}, strings.statuses[table.status] ?? table.status);
    return h(
      "li",
      {},
      h(
        "a.table",
        { href: `#table/${table.id}`, "data-key": table.id },
        h("span.mini", { "aria-hidden": "true" }, emblem(table.game)),
        h("span.what", {}, h("b", {}, app.nameOf(table.game)), " ", h("span.who", {}, names.length ? names : strings.nobody)),
        h("span.chip", {}, strings.taken(table.seats.length, table.capacity)),
        kind === "mine" ? sign : null,
        h("span.go", {}, strings.doThere[kind]),
      ),
    );
  }

  const seatName = (seat) => (seat.name === null ? strings.seatName(seat) : named(seat.name));

  const stops = [
    followAll(app.client, "lobby/stream", {
      begin: () => (open_.clear(), draw()),
      summary: (table) => (open_.set(table.id, table), draw()),
      gone: ({ id }) => (open_.delete(id), draw(), refresh()),
    }),
    followAll(app.client, "stream", {
      begin: () => (mine.clear(), draw()),
      table: ({ table }) => (keep(table), draw()),
      gone: ({ id }) => (mine.delete(id), draw()),
    }),
  ];

  /** One's own tables that are over leave the list. */
  function keep(table) {
    if (table.you === null || ["finished", "abandoned", "closed"].includes(table.status)) mine.delete(table.id);
    else mine.set(table.id, { created_at: table.id, ...table, your_turn: table.to_move.includes(table.you) });
  }

  async function refresh() {
    try {
      const { results } = await app.client.get("tables?status=playing");
      watchable.clear();
      for (const table of results) watchable.set(table.id, table);
      draw();
    } catch {
      // The list is a courtesy; the banner tells when the network is away.
    }
  }

  const timer = setInterval(refresh, 30_000);
  refresh();

  const ours = h("section.card.ours", { "aria-labelledby": "mine", hidden: true }, h("h2", { id: "mine" }, strings.mine), lists.mine);
  root.append(
    h("h1.visually-hidden", { tabindex: "-1" }, strings.lobby),
    ours,
    h("section", { "aria-labelledby": "games" }, h("h2", { id: "games" }, strings.pickGame), h("ul.games", {}, app.games.map(gameCard))),
    h(
      "div.columns",
      {},
      h("section.card", { "aria-labelledby": "open" }, h("h2", { id: "open" }, strings.openTables), lists.open, code()),
      h("section.card", { "aria-labelledby": "watch" }, h("h2", { id: "watch" }, strings.watchTables), lists.playing),
    ),
  );
  draw();
  document.title = `${strings.lobby} · ${strings.title}`;
  return {
    destroy() {
      stops.forEach((stop) => stop());
      clearInterval(timer);
    },
  };
}

/** A list is drawn anew under the reader's eyes: what had the focus keeps it. */
function redraw(list, content) {
  const key = list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
  replace(list, content);
  if (key) list.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

const middle = (levels) => levels[Math.floor((levels.length - 1) / 2)];

export function paragraphs(text) {
  return text.split(/\n{2,}/).map((part) => h("p", {}, part.replace(/\s+/g, " ")));
}
