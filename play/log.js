/** What happened, in plain words. */

import { h, spoken } from "./dom.js";
import { strings } from "./strings.js";

/** `called(seat)` is how a seat is called in a sentence. */
export function eventLog(called) {
  const list = h("ol.lines", { "aria-label": strings.log, tabindex: "0" });
  const known = new Map(); // events by version
  const element = h(
    "details.card.log",
    { open: matchMedia("(min-width: 60rem)").matches },
    h("summary", {}, h("h2", {}, strings.log)),
    list,
  );

  /** Events in any order, known ones among them: an answer may overtake the stream. */
  function add(events) {
    const fresh = events.filter((event) => !known.has(event.version));
    if (!fresh.length) return;
    const last = Math.max(0, ...known.keys());
    for (const event of fresh) known.set(event.version, event);
    if (Math.min(...fresh.map((event) => event.version)) > last) list.append(...fresh.flatMap(line));
    else
      list.replaceChildren(
        ...[...known.values()].sort((one, other) => one.version - other.version).flatMap(line),
      );
    list.scrollTop = list.scrollHeight;
  }

  function line(event) {
    const text = sentence(event);
    return text ? [h(`li.${event.kind}`, {}, spoken(text), by(event))] : [];
  }

  function sentence(event) {
    const say = strings.events[event.kind];
    const nameOf = (seat) => called(seatNow(seat, event.version));
    const who = event.seat === null ? null : nameOf(event.seat);
    return say ? say({ who, event, nameOf, before: known.get(event.version - 1) }) : null;
  }

  /** At the start the seats are numbered anew: before it, they were called by their old numbers. */
  function seatNow(seat, version) {
    const started = [...known.values()].find((event) => event.kind === "started");
    if (!started || version >= started.version) return seat;
    return started.data.seats.indexOf(seat);
  }

  return {
    element,
    add,
    sentences: (events) => events.map(sentence).filter(Boolean),
    versionOf: (kind) => [...known.values()].find((event) => event.kind === kind)?.version ?? 1,
  };
}

/** Whether somebody else decided: a stand-in, or a moderator. */
function by(event) {
  const text = event.kind === "stand_in" ? null : strings.by[event.by];
  return text && h("span.by", {}, ` ${text}`);
}
