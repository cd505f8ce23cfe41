/**
 * Following what happens: a stream where streams get through, else long polls, and back after every kind of
 * interruption. A part of the example that docs/client.md walks through.
 *
 *     const stop = follow(client, table.id, { table: (table, events) => draw(table, events) });
 */

import { pause } from "./api.js";

const POLL_SECONDS = 25;
const FIRST_MESSAGE_MS = 8_000; // a stream that has not begun by then is held back by something in between
const LOOK_MS = 45_000; // how often a silent stream is asked whether it still lives
const POLLING_MS = 300_000; // how long to do without streams before they are tried again
const REMATCH_MS = 120_000; // how long a table that is over is followed
const OVER_MS = 10_000;
const OVER = ["finished", "abandoned", "closed"];

/**
 * Calls `on.table(table, events)` at once, with all events so far, and then whenever something happens;
 * `on.gone()` when the table is not ours to see any more. No event is lost and none comes twice.
 * Call what is returned to stop.
 */
export function follow(client, tableId, on) {
  const followed = new Followed(client, tableId, on);
  followed.run();
  return () => followed.stop();
}

class Followed {
  constructor(client, tableId, on) {
    Object.assign(this, { client, on, path: `tables/${tableId}` });
    this.after = 0; // the version of the last event that we have
    this.overSince = null;
    this.pollUntil = 0;
    this.mute = 0; // streams in a row that said nothing
    this.stopped = false;
    this.wake = () => {};
  }

  stop() {
    this.stopped = true;
    this.wake();
  }

  async run() {
    for (let failures = 0; !this.stopped && !this.#isDone();) {
      try {
        await (Date.now() < this.pollUntil ? this.#poll() : this.#listen());
        failures = 0;
      } catch (error) {
        if (error.code === "not_authenticated") return;
        if (error.code === "not_found") return this.#gone();
        failures++;
      }
      // When a game is over nothing is urgent, and a stream that has nothing left to say ends at once.
      await pause(this.overSince ? OVER_MS : 1000 * Math.min(1 + failures, 8));
    }
  }

  #gone() {
    if (!this.stopped) this.on.gone?.();
    this.stopped = true;
  }

  #isDone() {
    return this.overSince !== null && Date.now() - this.overSince > REMATCH_MS;
  }

  #show(table, events, after = table.version) {
    this.after = after;
    if (OVER.includes(table.status)) this.overSince ??= Date.now();
    if (!this.stopped) this.on.table(table, events);
  }

  /** Follows the stream until it ends. Its ticket is good once: each stream gets a new one. */
  async #listen() {
    const { ticket } = await this.client.post("stream-tickets");
    if (this.stopped) return;
    const stream = new EventSource(
      `${this.client.root}/${this.path}/stream?after=${this.after}&ticket=${ticket}`,
    );
    let heard = false;
    const handle = (message) => {
      heard = true;
      this.client.tell(true);
      const { table, events = [] } = JSON.parse(message.data);
      this.#show(table, events);
    };
    stream.addEventListener("table", handle);
    stream.addEventListener("reset", handle);
    await this.#untilItEnds(stream, () => heard);
    stream.close();
    this.mute = heard || this.overSince ? 0 : this.mute + 1;
    if (this.mute >= 2) this.pollUntil = Date.now() + POLLING_MS;
  }

  /** A dead connection can be silent for minutes: so we look now and then, and when the device wakes up. */
  async #untilItEnds(stream, heard) {
    const over = new AbortController();
    const { signal } = over;
    let timers = [];
    await new Promise((resolve) => {
      this.wake = resolve;
      const look = async () => (!heard() || (await this.#isBehind())) && resolve();
      timers = [setTimeout(() => heard() || resolve(), FIRST_MESSAGE_MS), setInterval(look, LOOK_MS)];
      stream.addEventListener("error", resolve, { signal });
      stream.addEventListener("gone", () => resolve(this.#gone()), { signal });
      addEventListener("offline", () => resolve(this.client.tell(false)), { signal });
      addEventListener("online", look, { signal });
      document.addEventListener("visibilitychange", () => document.hidden || look(), { signal });
    });
    over.abort();
    timers.forEach(clearTimeout);
  }

  async #isBehind() {
    try {
      return (await this.client.get(this.path)).version > this.after;
    } catch {
      return true;
    }
  }

  /** One long poll: what happened, then the table as it is by now. */
  async #poll() {
    const events = [];
    let page;
    do {
      const after = events.at(-1)?.version ?? this.after;
      page = await this.client.get(`${this.path}/events?after=${after}&wait=${after ? POLL_SECONDS : 0}`);
      events.push(...page.events);
    } while (page.more);
    if (!events.length && !page.reset) return;
    const table = await this.client.get(this.path);
    // What happened in between is told by the next poll.
    this.#show(table, events, page.reset ? table.version : events.at(-1).version);
  }
}

/**
 * Follows a stream that tells of all there is whenever it begins: `lobby/stream`, or `stream` for one's own
 * tables. `on.begin()` says that it begins, anew perhaps; `on.summary`, `on.table` and `on.gone` get what a
 * message holds. Call what is returned to stop.
 */
export function followAll(client, path, on) {
  let stopped = false;
  let wake = () => {};
  const listen = async () => {
    const { ticket } = await client.post("stream-tickets");
    if (stopped) return;
    const stream = new EventSource(`${client.root}/${path}?ticket=${ticket}`);
    stream.onopen = () => on.begin?.();
    for (const kind of ["summary", "table", "gone"]) {
      stream.addEventListener(kind, (message) => stopped || on[kind]?.(JSON.parse(message.data)));
    }
    await new Promise((resolve) => {
      wake = resolve;
      stream.onerror = resolve;
      addEventListener("offline", resolve, { once: true });
    });
    stream.close();
  };
  const run = async () => {
    while (!stopped) {
      try {
        await listen();
      } catch (error) {
        if (error.code === "not_authenticated") return;
      }
      if (!stopped) await pause(2000);
    }
  };
  run();
  return () => {
    stopped = true;
    wake();
  };
}
