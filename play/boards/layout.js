/** Where tiles lie on the grid of a row, and where a tile would lie if it were laid. */

const CLOCKWISE = ["up", "right", "down", "left"];
const STEPS = { up: [0, -1], right: [1, 0], down: [0, 1], left: [-1, 0] };
const QUARTERS = { cw: 1, ccw: 3 };

/** Degrees that turn a tile lying to the right into this direction. */
export const angle = (facing) => (CLOCKWISE.indexOf(facing) - 1) * 90;

const step = ([x, y], heading) => [x + STEPS[heading][0], y + STEPS[heading][1]];
const turned = (heading, quarters) => CLOCKWISE[(CLOCKWISE.indexOf(heading) + quarters) % 4];

/** The two cells of a tile, that of the greater half first. */
export const cellsOf = ({ x, y, facing }) => [[x, y], step([x, y], facing)];

/**
 * Each legal way to lay `tile`: its `move`; then, once there is a row, the `end` and `corner`, the place
 * (`x`, `y`, `facing`, `cells`), the `heading` in which it leaves the row, the `from` cell that it continues,
 * and whether the row `straightens` first, as it does where it has run into itself.
 */
export function waysOf(tile, moves, view) {
  return moves.filter((move) => move.split(" ")[1] === tile).map((move) => wayOf(tile, move, view));
}

function wayOf(tile, move, view) {
  const [, , end, corner] = move.split(" ");
  if (!end) return { move, end: null };
  const { pips, x, y, heading: before } = view.ends[end === "left" ? 0 : 1];
  const heading = turned(before, QUARTERS[corner] ?? 0);
  const near = step([x, y], heading);
  const far = step(near, heading);
  const outwards = Number(tile[0]) === pips;
  const [first, facing] = outwards ? [near, heading] : [far, turned(heading, 2)];
  const taken = new Set(view.row.flatMap(cellsOf).map(String));
  const straightens = !corner && (taken.has(String(near)) || taken.has(String(far)));
  const place = { x: first[0], y: first[1], facing, cells: [near, far] };
  return { move, end, corner, ...place, heading, from: [x, y], straightens };
}

/** Whether a cell would be covered by ways at both ends: then they can't be shown at the same time. */
export function cross(ways) {
  const at = (end) => ways.filter((way) => way.end === end && !way.straightens);
  const left = new Set(at("left").flatMap((way) => way.cells.map(String)));
  return at("right").some((way) => way.cells.some((cell) => left.has(String(cell))));
}

/** The box around cells, with a margin, in cells: `{ x, y, width, height }`. */
export function boxAround(cells, margin = 0.35) {
  const [xs, ys] = [cells.map(([x]) => x), cells.map(([, y]) => y)];
  const room = 0.5 + margin;
  const [x, y] = [Math.min(...xs) - room, Math.min(...ys) - room];
  return { x, y, width: Math.max(...xs) + room - x, height: Math.max(...ys) + room - y };
}
