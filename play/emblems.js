/** A small picture for each game, drawn from dice and bones. */

import { svg } from "./dom.js";

const PIPS = {
  0: [],
  1: [[0, 0]],
  2: [
    [-1, -1],
    [1, 1],
  ],
  3: [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  4: [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  5: [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  6: [
    [-1, -1],
    [-1, 0],
    [-1, 1],
    [1, -1],
    [1, 0],
    [1, 1],
  ],
};

const pips = (number, x, y, step) =>
  PIPS[number].map(([dx, dy]) => svg("circle.pip", { cx: x + dx * step, cy: y + dy * step, r: step * 0.34 }));

function die(x, y, size, number, turn = 0) {
  const half = size / 2;
  return svg(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})` },
    svg("rect.under", { x: -half, y: -half + 2.5, width: size, height: size, rx: size / 5 }),
    svg("rect.bone", { x: -half, y: -half, width: size, height: size, rx: size / 5 }),
    typeof number === "number" ? pips(number, 0, 0, size / 3.6) : worm(0, 0, size / 34),
  );
}

function tile(x, y, size, upper, lower, turn = 0) {
  const half = size / 2;
  return svg(
    "g",
    { transform: `translate(${x} ${y}) rotate(${turn})` },
    svg("rect.under", { x: -half, y: -size + 2.5, width: size, height: 2 * size, rx: size / 6 }),
    svg("rect.bone", { x: -half, y: -size, width: size, height: 2 * size, rx: size / 6 }),
    svg("path.score", { d: `M${-half + 4} 0H${half - 4}` }),
    upper === null
      ? svg("text.number", { x: 0, y: -size / 4, "text-anchor": "middle", "font-size": size * 0.55 }, "24")
      : pips(upper, 0, -half, size / 3.9),
    upper === null ? worm(0, half, size / 40) : pips(lower, 0, half, size / 3.9),
  );
}

function worm(x, y, scale) {
  const body = "M-11 6c0-5 5-5 6-1s6 4 6-2-1-11 5-11c4 0 5 3 5 5";
  return svg(
    "g",
    { transform: `translate(${x} ${y}) scale(${scale})` },
    svg("path.worm", { d: body }),
    svg("circle.pip", { cx: 8, cy: -4.5, r: 1.3 }),
  );
}

const PICTURES = {
  pickomino: () => [tile(62, 48, 36, null, 0, -8), die(112, 58, 32, "W", 10), die(150, 40, 32, 5, -14)],
  7776: () =>
    [
      [6, -12],
      [6, 6],
      [2, -4],
      [5, 10],
      [1, -8],
    ].map(([number, turn], index) => die(28 + index * 38, 48 + (index % 2 ? 9 : -7), 32, number, turn)),
  dominoes: () => [tile(52, 48, 34, 6, 4, -90), tile(122, 48, 34, 4, 1, -90), tile(175, 48, 34, 1, 1, 0)],
};

/** The picture of a game; of one that we don't know, a single bone. */
export function emblem(slug) {
  const draw = PICTURES[slug] ?? (() => [tile(104, 48, 36, 3, 5, 20)]);
  return svg("svg.picture", { viewBox: "0 0 208 96", "aria-hidden": "true", focusable: "false" }, draw());
}
