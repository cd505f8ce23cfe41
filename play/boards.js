/** Which board draws which game. A game that is not here gets the plain one, which knows no rules at all. */

import { h, replace } from "./dom.js";

const BOARDS = { pickomino: "pickomino", 7776: "seven", dominoes: "dominoes" };
const sheets = new Map();

function style(name) {
  const load = () =>
    new Promise((resolve) => {
      const link = h("link", {
        rel: "stylesheet",
        href: `/play/boards/${name}.css`,
        onload: resolve,
        onerror: resolve,
      });
      document.head.append(link);
    });
  if (!sheets.has(name)) sheets.set(name, load());
  return sheets.get(name);
}

/**
 * The module of a game's board: `board(root, context)`. When it can't be loaded, the network being
 * what it is, the game goes on with the plain one.
 */
export async function boardModule(game) {
  const name = BOARDS[game];
  if (!name) return { board: plain };
  try {
    const [module] = await Promise.all([import(`./boards/${name}.js`), style("pieces"), style(name)]);
    return module;
  } catch {
    return { board: plain };
  }
}

/** Every game can be played by its legal moves, and looked at as what its view says. */
function plain(root, context) {
  root.className = "board plain felt";
  return {
    update(table) {
      const moves = table.legal_moves.map((move) =>
        h("button.button", { type: "button", onclick: () => context.act(move) }, move),
      );
      const facts = Object.entries(table.view ?? {}).flatMap(([name, value]) => [
        h("dt", {}, name.replaceAll("_", " ")),
        h("dd", {}, typeof value === "object" ? JSON.stringify(value) : String(value)),
      ]);
      replace(root, h("dl", {}, facts), h("div.row", {}, moves));
    },
    destroy: () => replace(root),
  };
}
