/** How a board is worked: what is pressed becomes a move, arrows walk among many items, focus is kept. */

/**
 * Whatever in `root` has `data-move` sends it when pressed: only legal moves, and one at a time.
 * A refusal is told by whoever gave `context.act`.
 */
export function acting(root, context) {
  let legal = [];
  let decision = null;
  let sending = null; // the decision for which a move is on its way

  // The stream may bring the next decision before the answer to the last move is here: it is free to be made.
  async function send(move) {
    const asked = decision;
    if (sending === asked || context.replaying || !legal.includes(move)) return;
    sending = asked;
    root.classList.add("sending");
    try {
      await context.act(move);
    } catch {
      // Told already; the board stays as it was.
    } finally {
      if (sending === asked) {
        sending = null;
        root.classList.remove("sending");
      }
    }
  }

  const pressed = (event) => {
    const item = event.target.closest("[data-move]");
    if (item) send(item.dataset.move);
  };
  root.addEventListener("click", pressed);
  return {
    send,
    /** The moves of the table's present decision, which may be sent from now on. */
    allow(table) {
      legal = table.legal_moves;
      decision = table.decision;
    },
    stop: () => root.removeEventListener("click", pressed),
  };
}

/** What is drawn in SVG is clicked by Enter and Space, as a button is. */
export function pressable(item) {
  item.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    item.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  return item;
}

const KEYS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"];

/** Makes the items in `group` one tab stop: arrows, Home and End walk among them. */
export function roving(group, selector) {
  const items = () => [...group.querySelectorAll(selector)];

  function point(item) {
    for (const each of items()) each.setAttribute("tabindex", each === item ? "0" : "-1");
  }

  group.addEventListener("focusin", (event) => {
    const item = event.target.closest(selector);
    if (item) point(item);
  });
  group.addEventListener("keydown", (event) => {
    const item = event.target.closest(selector);
    if (!item || !KEYS.includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    next(items(), item, event.key).focus();
  });
  /** To be called whenever the items have changed. */
  return () => {
    const all = items();
    point(all.find((each) => each.getAttribute("tabindex") === "0") ?? all[0]);
  };
}

function next(items, item, key) {
  if (key === "Home") return items[0];
  if (key === "End") return items.at(-1);
  const across = key === "ArrowUp" || key === "ArrowDown" ? inColumn(items, item, key === "ArrowUp") : null;
  const step = key === "ArrowLeft" || key === "ArrowUp" ? -1 : 1;
  return across ?? items.at((items.indexOf(item) + step) % items.length);
}

/** The nearest item above or below, if there is one. */
function inColumn(items, item, upwards) {
  const here = item.getBoundingClientRect();
  const away = (each) => {
    const there = each.getBoundingClientRect();
    const down = (upwards ? -1 : 1) * (there.y - here.y);
    return down < 4 ? Infinity : down + 2 * Math.abs(there.x + there.width / 2 - here.x - here.width / 2);
  };
  const nearest = items.reduce((best, each) => (away(each) < away(best) ? each : best));
  return away(nearest) === Infinity ? null : nearest;
}

/**
 * Draws anew without losing the focus: it goes to what has the same `data-key`, else to the first thing that
 * can be pressed, else to `home`, else to what tells the state of play.
 */
export function keepingFocus(root, draw, home = ".prompt") {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.dataset.key;
  draw();
  if (!focused || root.contains(document.activeElement)) return;
  const same = key && `[data-key="${CSS.escape(key)}"]`;
  for (const place of [same, '[data-move]:not([tabindex="-1"])', home, ".prompt"].filter(Boolean)) {
    root.querySelector(place)?.focus({ preventScroll: true });
    // What could be pressed may be a mere picture by now, which takes no focus.
    if (root.contains(document.activeElement)) return;
  }
}
