/** Opening tables: for bots, for anybody, or as the dialog wants it; and this browser's share of their luck. */

import { hex } from "./api.js";
import { h } from "./dom.js";
import { strings } from "./strings.js";

/** What was kept of a table's fairness: the commitment as first shown, and the seed that we put after it. */
export const luck = {
  of: (tableId) => JSON.parse(localStorage.getItem(`boneyard.luck.${tableId}`) ?? "null"),
  keep(table, clientSeed = null) {
    const commitment = this.of(table.id)?.commitment ?? table.fairness?.commitment ?? null;
    const kept = { commitment, clientSeed, at: Date.now() };
    localStorage.setItem(`boneyard.luck.${table.id}`, JSON.stringify(kept));
    forgetOldest();
  },
};

const KEPT = 200;

function forgetOldest() {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith("boneyard.luck."));
  if (keys.length <= KEPT) return;
  const age = (key) => JSON.parse(localStorage.getItem(key)).at;
  for (const key of keys.sort((a, b) => age(a) - age(b)).slice(0, keys.length - KEPT))
    localStorage.removeItem(key);
}

/** Puts a random client seed at a table at which we sit, now that its commitment is known. */
export async function shareLuck(app, table) {
  luck.keep(table);
  const seed = hex(16);
  try {
    await app.client.put(`tables/${table.id}/seats/me/client-seed`, { hex: seed });
    luck.keep(table, seed);
  } catch (error) {
    // The game may have begun already: it is played without our share then.
    if (error.code !== "not_open") throw error;
  }
}

/** Opens a table and goes there; with bots, they take all seats but ours, and the game begins. */
export async function open(app, { bots = 0, level, ...wanted }) {
  const table = await app.client.post("tables", wanted);
  await shareLuck(app, table);
  for (let bot = 0; bot < bots; bot++)
    await app.client.post(`tables/${table.id}/bots`, level ? { level } : {});
  app.go(`#table/${table.id}`);
}

/** Seats us at a table with others who look for one. */
export async function quickMatch(app, game) {
  const table = await app.client.post("matches", { game });
  if (table.status === "open") await shareLuck(app, table);
  app.go(`#table/${table.id}`);
}

/** How many bots make a good first game. */
export const botsFor = (game) => Math.min(game.seats.max - 1, game.seats.max > 4 ? 2 : 1);

/** A server says in its limits whether it gives odds. */
export const hasHints = (app) => "odds_per_minute" in app.server.limits;

// --- The dialog ------------------------------------------------------------------------------------

export function openDialog(app, game) {
  const schema = resolved(game.options);
  const text = strings.games[game.game] ?? {};
  const form = h(
    "form",
    { method: "dialog", onsubmit: submit },
    h("h2", { id: "opening" }, strings.openTitle(app.nameOf(game.game))),
    game.seats.max > game.seats.min &&
      field(
        "capacity",
        strings.seats,
        select("capacity", range(game.seats.min, game.seats.max), game.seats.max > 4 ? 4 : game.seats.max),
      ),
    game.seats.max === game.seats.min && h("p.hint", {}, strings.seatCount(game.seats.max)),
    field(
      "visibility",
      strings.visibility,
      select("visibility", ["public", "private"], "public", strings.visibilities),
    ),
    field(
      "turn_seconds",
      strings.turnTime,
      select("turn_seconds", ["30", "60", "120", "600", "86400", "none"], "120", strings.turnTimes),
    ),
    hasHints(app) && tick("hints", strings.hints, false),
    Object.entries(schema.properties ?? {}).map(([name, option]) => optionField(name, option, text)),
    h(
      "div.row.end",
      {},
      h("button.button", { type: "button", onclick: () => dialog.close() }, strings.cancel),
      h("button.button.main", { type: "submit" }, strings.openIt),
    ),
  );
  const dialog = h("dialog", { "aria-labelledby": "opening", onclose: () => dialog.remove() }, form);

  async function submit(event) {
    event.preventDefault();
    const button = form.querySelector("[type=submit]");
    button.disabled = true;
    try {
      await open(app, wanted(form, game, schema));
      dialog.close();
    } catch (error) {
      dialog.close();
      app.refused(error);
    }
  }

  document.body.append(dialog);
  dialog.showModal();
}

function wanted(form, game, schema) {
  const data = new FormData(form);
  const seconds = data.get("turn_seconds");
  const options = Object.entries(schema.properties ?? {}).map(([name, option]) => [
    name,
    valueOf(data, name, option),
  ]);
  return {
    game: game.game,
    capacity: Number(data.get("capacity") ?? game.seats.max),
    visibility: data.get("visibility"),
    turn_seconds: seconds === "none" ? null : Number(seconds),
    options: Object.fromEntries(options),
    ...(data.has("hints") ? { hints: true } : {}),
  };
}

function valueOf(data, name, option) {
  const value = data.get(`option-${name}`);
  if (option.type === "boolean") return value !== null;
  return option.type === "integer" ? Number(value) : value;
}

/** msgspec's schema names its one type by reference. */
function resolved(schema) {
  return schema.$defs?.[schema.$ref?.split("/").at(-1)] ?? schema;
}

/** An option as its schema describes it, in our words where we have some. */
function optionField(name, option, text) {
  const label = text.options?.[name] ?? option.description ?? name;
  const id = `option-${name}`;
  if (option.type === "boolean") return tick(id, label, option.default);
  if (option.enum) return field(id, label, select(id, option.enum, option.default, text.choices?.[name]));
  const { minimum: min, maximum: max, default: value } = option;
  return field(
    id,
    label,
    h("input", { id, name: id, type: "number", min, max, value, required: true, step: "1" }),
  );
}

function field(id, label, input) {
  return h("p.field", {}, h("label", { for: id }, label), input);
}

function tick(id, label, checked) {
  return h(
    "p.field",
    {},
    h("label.tick", {}, h("input", { id, name: id, type: "checkbox", checked }), h("span", {}, label)),
  );
}

export function select(id, values, chosen, labels = {}) {
  const option = (value) =>
    h("option", { value, selected: String(value) === String(chosen) }, labels[value] ?? String(value));
  return h("select", { id, name: id }, values.map(option));
}

const range = (from, to) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

// --- Joining ---------------------------------------------------------------------------------------

/** Sits down at a table that is shown, with a seed put after its commitment was seen. */
export async function sitDown(app, table, code = null) {
  luck.keep(table);
  const seed = hex(16);
  const seated = await app.client.post(`tables/${table.id}/seats`, {
    client_seed: seed,
    ...(code ? { code } : {}),
  });
  luck.keep(table, seed);
  return seated;
}
