/** The pieces, drawn: dice, worms and domino tiles, and how motion and names are handled on every board. */

import { h, named as bdi, svg } from "../dom.js";

// Where the pips of a half or a die lie, in thirds from its middle.
const TWO = [[-1, -1], [1, 1]];
const FOUR = [...TWO, [1, -1], [-1, 1]];
const MIDDLE = [[0, 0]];
const SPOTS = [[], MIDDLE, TWO, [...TWO, ...MIDDLE], FOUR, [...FOUR, ...MIDDLE], [...FOUR, [0, -1], [0, 1]]];
// A worm's places when one to four share a domino.
const ABOVE = [[-10, -9], [10, -9]];
const WORMS = [[], MIDDLE, [[-8, -8], [8, 8]], [...ABOVE, [0, 9]], [...ABOVE, [-10, 9], [10, 9]]];

/** So many pips around a place, in a square that is `size` wide. */
export function pips(count, x, y, size) {
  const third = size * 0.26;
  return SPOTS[count].map(([right, down]) =>
    svg("circle.pip", { cx: x + right * third, cy: y + down * third, r: size * 0.095 }),
  );
}

const worm = (x, y, scale) =>
  svg(
    "g",
    { class: "worm", transform: `translate(${x} ${y}) scale(${scale})` },
    svg("path.worm-body", { d: "M-10 5C-8 -3 -4 -3 -2 2S4 7 5 0S9 -7 9 -5" }),
    svg("circle.worm-head", { cx: 9, cy: -5, r: 3.6 }),
    svg("circle.worm-eye", { cx: 10.2, cy: -6, r: 1 }),
  );

/** One to four worms, as on a domino of Pickomino. */
export function worms(count) {
  const scale = count === 1 ? 1.3 : count === 2 ? 0.95 : 0.78;
  const places = WORMS[count].map(([x, y]) => worm(x, y, scale));
  return svg("svg.worms", { viewBox: "-22 -20 44 40", "aria-hidden": "true" }, ...places);
}

/** A die with pips, or with the worm that counts as five. */
export function die(face) {
  const shown = face === "W" ? [worm(0, 0, 1.5)] : pips(Number(face), 0, 0, 44);
  const edge = svg("rect.die-edge", { x: -22, y: -20, width: 44, height: 44, rx: 10 });
  const top = svg("rect.die-face", { x: -22, y: -22, width: 44, height: 44, rx: 10 });
  return svg("svg.die", { viewBox: "-23 -23 46 48", "aria-hidden": "true" }, edge, top, ...shown);
}

/** What a tile consists of: its first half around (0,0), its second to the right, its edge seen aside. */
export function tileParts(tile, size, [right, down] = [0, 0]) {
  const [first, second] = [Number(tile[0]), Number(tile[2])];
  const inset = size * 0.035;
  const box = { width: 2 * size - 2 * inset, height: size - 2 * inset, rx: size * 0.16 };
  const [x, y] = [-size / 2 + inset, -size / 2 + inset];
  return [
    svg("rect.tile-edge", { x: x + right, y: y + down, ...box }),
    svg("rect.tile-face", { x, y, ...box }),
    svg("line.tile-line", { x1: size / 2, x2: size / 2, y1: -size * 0.32, y2: size * 0.32 }),
    ...pips(first, 0, 0, size * 0.86),
    ...pips(second, size, 0, size * 0.86),
  ];
}

/** A tile that stands upright, as in a hand. */
export function tile(name) {
  const upright = svg("g", { transform: "rotate(90)" }, ...tileParts(name, 40, [2.4, 0]));
  return svg("svg.tile", { viewBox: "-21 -21 44 84", "aria-hidden": "true" }, upright);
}

/** Whether nothing may move: the person wants it so. */
export const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

const pieces = (root) => [...root.querySelectorAll("[data-piece]")];

/** Draws anew; a piece that was elsewhere before glides from there to its new place. */
export function gliding(root, draw) {
  const place = (piece) => [piece.dataset.piece, piece.getBoundingClientRect()];
  const before = new Map(still() ? [] : pieces(root).map(place));
  draw();
  if (!before.size) return;
  for (const piece of pieces(root)) {
    const from = before.get(piece.dataset.piece);
    const to = piece.getBoundingClientRect();
    if (!from?.width || !to.width) continue;
    const [x, y, scale] = [from.x - to.x, from.y - to.y, from.width / to.width];
    if (Math.abs(x) + Math.abs(y) < 2) continue;
    const frames = { transform: [`translate(${x}px, ${y}px) scale(${scale})`, "none"], zIndex: [5, 5] };
    const timing = { duration: 420, easing: "cubic-bezier(.3,.8,.3,1)" };
    piece.animate({ ...frames, transformOrigin: ["0 0", "0 0"] }, timing);
  }
}

// A name stands between these in a text, so that its direction is its own; on the page it becomes a <bdi>.
const OPEN = "\u2068";
const CLOSE = "\u2069";

/** The name of a seat for use within a text. Marks of direction in it are left out. */
export function named(context, seat) {
  const name = context.nameOf(seat);
  if (name === context.strings.you) return name;
  return `${OPEN}${name.replace(/[\u202a-\u202e\u2066-\u2069]/g, "")}${CLOSE}`;
}

/** A text with names as nodes to append: each name in a <bdi>. */
export function withNames(text) {
  return text.split(new RegExp(`(${OPEN}[^${CLOSE}]*${CLOSE})`)).map((part) => {
    return part.startsWith(OPEN) ? bdi(part.slice(1, -1)) : part;
  });
}

/** An event in plain words, `before` being the one before it; null for a kind that has none. */
export function describe(event, context, before = null) {
  const nameOf = (seat) => named(context, seat);
  const who = Number.isInteger(event.seat) ? nameOf(event.seat) : null;
  return context.strings.events[event.kind]?.({ who, event, nameOf, before }) ?? null;
}

/** What a legal move is worth, where there are hints: `value`, `detail`, and whether it is the `best`. */
export function hintOf(move, context) {
  const odds = context.odds();
  const found = odds?.moves?.find((each) => each.move === move);
  return found && { ...found, best: odds.best === move };
}

/** The small sign of what a move is worth, if there is a hint. */
export const badge = (hint, context) =>
  hint && h(`span.hint${hint.best ? ".best" : ""}`, { "aria-hidden": "true" }, context.strings.chance(hint.value));
