/** Looks at a drawing: all of it at first, then as one pans and zooms by buttons, wheel, drag, pinch and keys. */

import { still } from "./pieces.js";

const LEAST = 44; // pixels of a cell that can be pressed with a finger
const GREATEST = 54;
const CLOSEST = 90;

/** Moves `world` within the svg `drawing`; boxes are counted in cells of `cell` units. */
export function camera(drawing, world, cell) {
  let box = { x: -1, y: -1, width: 4, height: 3 };
  let view = { x: 0, y: 0, size: LEAST }; // of the middle, in cells, and pixels a cell
  let own = false; // whether the person has moved it
  const fingers = new Map();
  let panned = false; // since the first finger touched
  let spread = 0;

  const width = () => drawing.clientWidth || 320;
  const height = () => drawing.clientHeight || 280;
  const sizeFor = (around) => Math.min(width() / around.width, height() / around.height, GREATEST);

  function show(smoothly) {
    const { x, y, size } = view;
    world.classList.toggle("smooth", smoothly && !still());
    const across = `translate(${width() / 2 - x * size}px, ${height() / 2 - y * size}px)`;
    world.style.setProperty("transform", `${across} scale(${size / cell})`);
    drawing.classList.toggle("moved", own);
  }

  function fit(smoothly = true) {
    own = false;
    view = { x: box.x + box.width / 2, y: box.y + box.height / 2, size: sizeFor(box) };
    show(smoothly);
  }

  /** Looks at a box from now on. What the person chose to look at stays, unless the box is another one. */
  function look(around) {
    const same = Object.keys(around).every((key) => around[key] === box[key]);
    box = around;
    if (!same || !own) fit();
  }

  function move(across, down) {
    own = true;
    view = { ...view, x: view.x - across / view.size, y: view.y - down / view.size };
    show(false);
  }

  /** Zooms so that the point, in pixels from the middle, stays where it is. */
  function zoom(factor, [across, down] = [0, 0], smoothly = true) {
    const size = Math.min(Math.max(view.size * factor, 5), CLOSEST);
    const by = 1 / view.size - 1 / size;
    own = true;
    view = { x: view.x + across * by, y: view.y + down * by, size };
    show(smoothly);
  }

  const fromMiddle = ({ clientX, clientY }) => {
    const here = drawing.getBoundingClientRect();
    return [clientX - here.x - here.width / 2, clientY - here.y - here.height / 2];
  };
  const middle = (points) => {
    const [one, other = one] = points.map(fromMiddle);
    return [(one[0] + other[0]) / 2, (one[1] + other[1]) / 2];
  };
  const apart = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);

  drawing.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    if (fingers.size === 1) panned = false;
    if (fingers.size === 2) spread = apart([...fingers.values()]);
  });
  drawing.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    // A finger that trembles does not move the view.
    if (!panned && fingers.size === 1 && apart([before, event]) < 6) return;
    panned = true;
    const was = middle([...fingers.values()]);
    fingers.set(event.pointerId, event);
    const points = [...fingers.values()];
    const is = middle(points);
    move(is[0] - was[0], is[1] - was[1]);
    if (fingers.size !== 2) return;
    const now = apart(points);
    zoom(now / (spread || now), is, false);
    spread = now;
  });
  for (const kind of ["pointerup", "pointercancel", "pointerleave"]) {
    drawing.addEventListener(kind, (event) => fingers.delete(event.pointerId));
  }
  drawing.addEventListener("click", (event) => panned && event.stopPropagation(), { capture: true });
  drawing.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), fromMiddle(event), false);
  }, { passive: false });
  const KEYS = {
    ArrowLeft: () => move(60, 0),
    ArrowRight: () => move(-60, 0),
    ArrowUp: () => move(0, 60),
    ArrowDown: () => move(0, -60),
    "+": () => zoom(1.4),
    "=": () => zoom(1.4),
    "-": () => zoom(1 / 1.4),
    0: () => fit(),
  };
  drawing.addEventListener("keydown", (event) => {
    if (event.target !== drawing || !KEYS[event.key] || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    KEYS[event.key]();
  });
  const resized = new ResizeObserver(() => (own ? show(false) : fit(false)));
  resized.observe(drawing);

  return { fit, look, zoom, sizeFor, least: LEAST, destroy: () => resized.disconnect() };
}
