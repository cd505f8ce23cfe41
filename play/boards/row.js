/** The row of dominoes, drawn: its tiles, the ghosts of what can be laid, and the view that pans and zooms. */

import { h, svg } from "../dom.js";
import { pressable } from "./acting.js";
import { angle, boxAround, cellsOf } from "./layout.js";
import { still, tileParts } from "./pieces.js";
import { camera } from "./camera.js";

const CELL = 40;

export function rowOf(text) {
  const tiles = svg("g", { role: "img" });
  const marks = svg("g", { class: "marks" });
  const ghosts = svg("g", { class: "ghosts", role: "group", "aria-label": text.places });
  const world = svg("g", { class: "world" }, tiles, marks, ghosts);
  const drawing = svg("svg", { class: "row-drawing", tabindex: "0", role: "group", "aria-label": text.table, "data-key": "row" }, world);
  const lens = camera(drawing, world, CELL);
  const button = (label, sign, act) =>
    h("button", { class: "lens", type: "button", "aria-label": label, "data-key": `lens-${sign}`, onclick: act }, sign);
  const element = h("div", { class: "row-area" }, drawing);
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
    group.style.setProperty("transform", `translate(${x * CELL}px, ${y * CELL}px) rotate(${before + turn}deg)`);
  }

  /** Shows the tiles; those that lay there before glide to their new places. */
  function draw(row) {
    tiles.setAttribute("aria-label", row.length ? text.row(row.map(({ tile }) => tile)) : text.emptyRow);
    const names = new Set(row.map(({ tile }) => tile));
    for (const [tile, group] of lying) if (!names.has(tile)) lying.delete(tile), group.remove();
    for (const placed of row) {
      const known = lying.get(placed.tile);
      const group = known ?? svg("g", { class: "laid" }, svg("g", { class: still() ? "" : "landing" }, ...tileParts(placed.tile, CELL)));
      place(group, placed);
      if (known) continue;
      lying.set(placed.tile, group);
      tiles.append(group);
    }
    cells = row.length ? row.flatMap(cellsOf) : [[0, 0], [1, 0]];
  }

  function ghost(tile, way) {
    const label = text.lay(tile, way);
    const props = { class: "ghost", role: "button", tabindex: "-1", "aria-label": label, "data-move": way.move, "data-key": way.move };
    const group = svg("g", props, ...(way.straightens ? straightening() : tileParts(tile, CELL)));
    place(group, way.straightens ? { x: way.from[0], y: way.from[1], facing: "right" } : way);
    return pressable(group);
  }

  const straightening = () => [
    svg("circle", { class: "straighten", r: CELL * 0.56 }),
    svg("path", { class: "arrows", d: "M-13 0H13M-8 -5L-13 0L-8 5M8 -5L13 0L8 5" }),
  ];

  /** Shows where `tile` can be laid, and looks at all of it or only at what is named `only`. */
  function offer(tile, ways, only) {
    const shown = ways.filter((way) => !only || way.end === only);
    ghosts.replaceChildren(...shown.map((way) => ghost(tile, way)));
    const ends = new Map(shown.map((way) => [way.end, way.from]));
    marks.replaceChildren(
      ...[...ends.values()].map(([x, y]) => svg("circle", { class: "end-mark", cx: x * CELL, cy: y * CELL, r: CELL * 0.48 })),
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
