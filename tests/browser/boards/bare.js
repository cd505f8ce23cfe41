/** A board in a bare page: `show` puts a table on it, `sent` are the moves that it sent. */

import { strings } from "/strings.js";

const FILES = { pickomino: "pickomino", 7776: "seven", dominoes: "dominoes" };
const root = document.getElementById("board");
let board = null;
let game = null;

window.sent = [];
window.problems = [];
window.addEventListener("error", (event) => window.problems.push(event.message));
window.addEventListener("unhandledrejection", (event) => window.problems.push(String(event.reason)));
document.addEventListener("securitypolicyviolation", (event) => window.problems.push(event.violatedDirective));

const context = {
  strings,
  replaying: false,
  current: null,
  hints: null,
  act: async (move) => window.sent.push(move),
  nameOf: (seat) => (seat === context.current.you ? strings.you : context.current.seats[seat].name),
  odds: () => context.hints,
};

window.show = async (table, events = [], { replaying = false, odds = null, fresh = true } = {}) => {
  const module = await import(`/boards/${FILES[table.game]}.js`);
  Object.assign(context, { current: table, replaying, hints: odds });
  if (fresh || game !== table.game) {
    board?.destroy();
    board = module.board(root, context);
    game = table.game;
  }
  window.sent.length = 0;
  board.update(table, events);
  return events.map((event) => module.describe(event, context));
};
window.ready = true;
