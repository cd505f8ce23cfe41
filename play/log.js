/** What happened, in plain words. */

import { h } from "./dom.js";
import { strings } from "./strings.js";

/** `tell(event, sentence)` may put it into other words. */
export function eventLog(tell) {
  const list = h("ol.lines", { role: "log", "aria-label": strings.log, tabindex: "0" });
  const known = new Map(); // events by version
  const element = h("details.card.log", { open: matchMedia("(min-width: 60rem)").matches }, h("summary", {}, h("h2", {}, strings.log)), list);

  function add(events, table, nameOf) {
    const fresh = events.filter((event) => !known.has(event.version));
    if (!fresh.length) return;
    const last = Math.max(0, ...known.keys());
    for (const event of fresh) known.set(event.version, event);
    const isNext = Math.min(...fresh.map((event) => event.version)) > last;
    const lines = (isNext ? fresh : [...known.values()].sort((a, b) => a.version - b.version)).map((event) => line(event, table, nameOf));
    if (!isNext) list.replaceChildren();
    list.append(...lines.filter(Boolean));
    list.scrollTop = list.scrollHeight;
  }

  function line(event, table, nameOf) {
    const text = sentence(event, nameOf, table);
    return text && h(`li.${event.kind}`, {}, text, by(event));
  }

  function sentence(event, nameOf, table) {
    const who = event.seat === null ? null : nameOf(event.seat);
    const say = strings.events[event.kind];
    return tell(event, say ? say({ who, event, nameOf, table, before: known.get(event.version - 1) }) : null);
  }

  return {
    element,
    add,
    sentences: (events, table, nameOf) => events.map((event) => sentence(event, nameOf, table)).filter(Boolean),
    versionOf: (kind) => [...known.values()].find((event) => event.kind === kind)?.version ?? 1,
  };
}

/** Whether somebody else decided: a stand-in, or a moderator. */
function by(event) {
  const text = event.kind === "stand_in" ? null : strings.by[event.by];
  return text && h("span.by", {}, ` ${text}`);
}
