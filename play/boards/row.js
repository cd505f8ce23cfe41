/** The row of dominoes, drawn: its tiles, and the ghosts of what can be laid. */

import { h, svg } from "../dom.js";
import { pressable } from "./acting.js";
import { angle, boxAround, cellsOf } from "./layout.js";
import { hintOf, tileParts } from "./pieces.js";
import { camera } from "./camera.js";

const CELL = 40;

export function rowOf(context) {
  const text = context.strings.dominoes;
  const tiles = svg("g", { role: "img" });
  const marks = svg("g.marks", {});
  const ghosts = svg("g.ghosts", { role: "group", "aria-label": text.places });
  const world = svg("g.world", {}, tiles, marks, ghosts);
  const props = { tabindex: "0", role: "group", "aria-label": text.table, "data-key": "row" };
  const drawing = svg("svg.row-drawing", props, world);
  const lens = camera(drawing, world, CELL);
  const button = (label, sign, act) =>
    h("button.lens", { type: "button", "aria-label": label, "data-key": `lens-${sign}`, onclick: act }, sign);
  const element = h("div.row-area", {}, drawing);
  const lenses = h(
    "div",
    { class: "lenses" },
    button(text.zoomOut, "−", () => lens.zoom(1 / 1.4)),
    button(text.zoomIn, "+", () => lens.zoom(1.4)),
    button(text.zoomFit, "⤢", () => lens.fit()),
  );
  const lying = new Map();
  let cells = [[0, 0], [1, 0]];

  function place(group, { x, y, facing }) {
    const before = Number(group.dataset.angle ?? angle(facing));
    const turn = ((((angle(facing) - before) % 360) + 540) % 360) - 180;
    group.dataset.angle = before + turn;
    const there = `translate(${x * CELL}px, ${y * CELL}px)`;
    group.style.setProperty("transform", `${there} rotate(${before + turn}deg)`);
  }

  /** Shows the tiles: those that lay there before glide to their new places, others land if it is `lively`. */
  function draw(row, lively) {
    tiles.setAttribute("aria-label", row.length ? text.row(row.map(({ tile }) => tile)) : text.emptyRow);
    const names = new Set(row.map(({ tile }) => tile));
    for (const [tile, group] of lying) if (!names.has(tile)) lying.delete(tile), group.remove();
    for (const placed of row) {
      const known = lying.get(placed.tile);
      const group = known ?? svg("g.laid", {}, svg(lively ? "g.landing" : "g", {}, ...tileParts(placed.tile, CELL)));
      place(group, placed);
      if (known) continue;
      lying.set(placed.tile, group);
      tiles.append(group);
    }
    cells = row.length ? row.flatMap(cellsOf) : [[0, 0], [1, 0]];
  }

  function ghost(tile, way) {
    const hint = hintOf(way.move, context);
    const label = [text.lay(tile, way), hint && context.strings.toWin(hint.value)].filter(Boolean).join(", ");
    const keys = { "data-move": way.move, "data-key": way.move };
    const parts = { role: "button", tabindex: "-1", "aria-label": label, ...keys };
    const shape = way.straightens ? straightening() : tileParts(tile, CELL);
    const group = svg(`g.ghost${hint?.best ? ".best" : ""}`, parts, ...shape);
    place(group, way.straightens ? { x: way.from[0], y: way.from[1], facing: "right" } : way);
    return pressable(group);
  }

  const straightening = () => [
    svg("circle.straighten", { r: CELL * 0.56 }),
    svg("path.arrows", { d: "M-13 0H13M-8 -5L-13 0L-8 5M8 -5L13 0L8 5" }),
  ];

  /** Shows where `tile` can be laid, and looks at all of it or only at what is named `only`. */
  function offer(tile, ways, only) {
    const shown = ways.filter((way) => !only || way.end === only);
    ghosts.replaceChildren(...shown.map((way) => ghost(tile, way)));
    const ends = new Map(shown.map((way) => [way.end, way.from]));
    marks.replaceChildren(
      ...[...ends.values()].map(([x, y]) => svg("circle.end-mark", { cx: x * CELL, cy: y * CELL, r: 19 })),
    );
    const around = shown.flatMap((way) => [way.from, ...(way.straightens ? [] : way.cells)]);
    const whole = boxAround([...cells, ...around]);
    lens.look(only && lens.sizeFor(whole) < lens.least ? boxAround(around, 0.6) : whole);
  }

  function clear() {
    ghosts.replaceChildren();
    marks.replaceChildren();
    lens.look(boxAround(cells));
  }

  return {
    element,
    lenses,
    draw,
    offer,
    clear,
    /** How many pixels a cell has when all of these cells and the row are shown. */
    sizeWith: (more) => lens.sizeFor(boxAround([...cells, ...more])),
    least: lens.least,
    ghostOf: (move) => ghosts.querySelector(`[data-move="${CSS.escape(move)}"]`),
    ghosts: () => [...ghosts.children],
    destroy: () => lens.destroy(),
  };
}
