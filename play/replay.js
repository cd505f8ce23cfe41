/** The game that is over, step by step: a slider over its versions. */

import { h, replace, spoken } from "./dom.js";
import { strings } from "./strings.js";

const STEP_MS = 1_100;
const SLIDE_MS = 90;

/** `show(table)` draws a moment; `sentences(events)` are its words; `first()` is where the game began. */
export function replayer(app, live, { show, sentences, first }) {
  const last = live().version;
  const moments = new Map(); // by each version of their step
  let wanted = last;
  let timer = 0;
  let playing = 0;
  const state = { isBack: false, element: null, destroy };

  const slider = h("input", { id: "step", type: "range", min: 1, max: last, value: last, oninput: slide });
  const words = h("p.words", { role: "status" });
  const play = button("▶", strings.play, togglePlay);
  const controls = [
    button("|◀◀", strings.toStart, () => go(first())),
    button("|◀", strings.stepBack, back),
    play,
    button("▶|", strings.stepOn, on),
    button("▶▶|", strings.toEnd, () => go(last)),
  ];
  state.element = h(
    "section.card.replay",
    { "aria-label": strings.replay },
    h("h2", {}, strings.replay),
    h("div.row", {}, controls),
    h("label.visually-hidden", { for: "step" }, strings.step),
    slider,
    words,
  );

  function button(sign, label, act) {
    return h(
      "button.button",
      { type: "button", "aria-label": label, title: label, onclick: act },
      h("span", { "aria-hidden": "true" }, sign),
    );
  }

  function slide() {
    stop();
    clearTimeout(timer);
    timer = setTimeout(() => go(Number(slider.value)), SLIDE_MS);
  }

  async function moment(version) {
    const { you } = live();
    const seat = you === null ? "" : `&seat=${you}`;
    if (!moments.has(version)) {
      const found = await app.client.get(`tables/${live().id}/replay?version=${version}${seat}`);
      const step = found.events.length ? found.events.map((event) => event.version) : [found.version];
      for (const each of step) moments.set(each, found);
    }
    return moments.get(version);
  }

  async function go(version) {
    wanted = Math.min(last, Math.max(first(), version));
    const asked = wanted;
    try {
      const found = await moment(asked);
      if (asked !== wanted) return;
      draw(found);
    } catch (error) {
      stop();
      app.refused(error);
    }
  }

  function draw(found) {
    state.isBack = found.version < last;
    wanted = found.version;
    slider.value = found.version;
    slider.setAttribute("aria-valuetext", strings.stepOf(found.version, last));
    // What was legal then can't be done any more.
    show(state.isBack ? { ...found, legal_moves: [] } : live());
    replace(words, spoken(sentences(found.events).join(" ")));
    if (!state.isBack) stop();
  }

  function back() {
    stop();
    const step = moments.get(wanted);
    go((step?.events[0]?.version ?? wanted) - 1);
  }

  function on() {
    stop();
    go(wanted + 1);
  }

  function togglePlay() {
    if (playing) return stop();
    if (wanted >= last) go(first());
    playing = setInterval(() => go(wanted + 1), STEP_MS);
    drawPlay();
  }

  function stop() {
    clearInterval(playing);
    playing = 0;
    drawPlay();
  }

  function drawPlay() {
    play.setAttribute("aria-label", playing ? strings.pause : strings.play);
    replace(play, h("span", { "aria-hidden": "true" }, playing ? "❚❚" : "▶"));
  }

  function destroy() {
    stop();
    clearTimeout(timer);
  }

  // The last step, so that one can step back from it.
  moment(last).catch(() => {});
  return state;
}
