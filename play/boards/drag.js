/** Drags a piece with finger or mouse: a copy follows, and whoever listens says where it may fall. */

const FAR_ENOUGH = 8;

/**
 * Makes `item` draggable. `start()` may refuse by returning false; `over(x, y)` is called on the way;
 * `drop(x, y)`, or `cancel()` instead, ends it.
 */
export function draggable(item, { start, over, drop, cancel }) {
  let origin = null;
  let copy = null;

  function follow({ clientX, clientY }) {
    const { width, height } = copy.dataset;
    copy.style.setProperty("transform", `translate(${clientX - width / 2}px, ${clientY - height * 0.6}px)`);
  }

  function lift(event) {
    if (start() === false) return (origin = null);
    const { width, height } = item.getBoundingClientRect();
    copy = item.firstElementChild.cloneNode(true);
    copy.classList.add("dragged");
    Object.assign(copy.dataset, { width, height });
    copy.style.setProperty("width", `${width}px`);
    document.body.append(copy);
    item.classList.add("lifted");
    follow(event);
  }

  function end(event, finish) {
    if (copy) {
      copy.remove();
      item.classList.remove("lifted");
      // The click that follows is none.
      const stop = (click) => click.stopImmediatePropagation();
      item.addEventListener("click", stop, { capture: true, once: true });
      setTimeout(() => finish(event.clientX, event.clientY));
    }
    origin = copy = null;
  }

  item.addEventListener("pointerdown", (event) => {
    if (event.button === 0) origin = event;
  });
  item.addEventListener("pointermove", (event) => {
    if (!origin || origin.pointerId !== event.pointerId) return;
    const far = Math.hypot(event.clientX - origin.clientX, event.clientY - origin.clientY) > FAR_ENOUGH;
    if (!copy && far) {
      item.setPointerCapture(event.pointerId);
      lift(event);
    }
    if (!copy) return;
    follow(event);
    over(event.clientX, event.clientY);
  });
  item.addEventListener("pointerup", (event) => end(event, drop));
  item.addEventListener("pointercancel", (event) => end(event, cancel));
}
