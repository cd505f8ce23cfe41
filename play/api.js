/**
 * A small client of a Boneyard server, and the example that docs/client.md walks through. It knows the
 * API and nothing of pages or of games; take it as it is.
 *
 *     const client = new Client({ ended: () => askForNameAndSecret() });
 *     await client.enter("Ann", "correct horse");
 *     const table = await client.post("tables", { game: "7776" });
 *
 * What happens at a table is told by `follow` of follow.js.
 */

const API = "/api/v1";
const REQUEST_MS = 20_000; // then the network is held to have failed
const PAUSES_MS = [500, 1_000, 2_000, 4_000, 8_000]; // between tries of one request
const PASSING = [429, 502, 503, 504]; // those between come from a proxy whose server is away
const LONGEST_WAIT_SECONDS = 10; // a Retry-After that is longer is for the person to decide

/** The server said no. Go by `code`; `problem` is the whole document. */
export class Refused extends Error {
  constructor(problem, retryAfter = null) {
    super(problem.detail);
    this.problem = problem;
    this.code = problem.code;
    this.status = problem.status;
    this.retryAfter = retryAfter;
  }
}

/** Nothing was heard, for as long as it makes sense to try. Whether it was done is not known. */
export class Offline extends Error {}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const randomKey = () => hex(16);

/** So many random bytes as hex digits: an idempotency key, or a client seed. */
export function hex(bytes) {
  return Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}

export class Client {
  /**
   * `ended()` is called when the session is over, `connection(isThere)` when the network goes and comes,
   * `store` keeps the token over a reload.
   */
  constructor({ root = API, store = localStorage, ended = () => {}, connection = () => {} } = {}) {
    Object.assign(this, { root, store, ended, connection });
    this.skew = 0; // the server's clock minus ours, in ms
    this.isThere = true;
  }

  // --- The session ---------------------------------------------------------------------------------

  get token() {
    return this.store.getItem("boneyard.token");
  }

  /** A new player, or an old one with all its tables. The secret is not kept. */
  async enter(name, secret) {
    const session = await this.post("sessions", { name, secret });
    this.store.setItem("boneyard.token", session.token);
    return session;
  }

  /** The session of the token that was kept, or null. */
  async resume() {
    if (!this.token) return null;
    try {
      return await this.get("sessions/current");
    } catch (error) {
      if (error.code === "not_authenticated") return null;
      throw error;
    }
  }

  /** Ends the session on every device; name and secret are forgotten. */
  async logOut() {
    try {
      await this.delete("sessions/current");
    } catch (error) {
      if (error.code !== "not_authenticated") throw error;
    }
    this.store.removeItem("boneyard.token");
  }

  // --- Requests ------------------------------------------------------------------------------------

  get(path) {
    return this.call("GET", path);
  }

  post(path, body = {}) {
    return this.call("POST", path, body);
  }

  put(path, body) {
    return this.call("PUT", path, body);
  }

  delete(path) {
    return this.call("DELETE", path);
  }

  /** Makes a move at the table that was shown: one of its `legal_moves`. */
  move(table, move) {
    return this.post(`tables/${table.id}/moves`, { move, version: table.version });
  }

  /**
   * The answer's body; as text if it is wanted `raw`. Throws Refused or Offline.
   *
   * The key is made once: when the answer is lost, the same request with the same key is sent again, and
   * what it asked for still happens only once.
   */
  async call(method, path, body = undefined, { raw = false } = {}) {
    const key = method === "POST" ? randomKey() : null;
    for (let tries = 0; ; tries++) {
      const last = tries === PAUSES_MS.length;
      let refusal;
      try {
        return await this.#send(method, path, body, key, raw);
      } catch (error) {
        if (last) throw error;
        refusal = error;
      }
      const wait = refusal instanceof Offline ? PAUSES_MS[tries] : waitAfter(refusal, tries);
      if (wait === null) throw refusal;
      await pause(wait);
    }
  }

  async #send(method, path, body, key, raw) {
    const headers = { Accept: "application/json" };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key) headers["Idempotency-Key"] = key;
    if (this.token && path !== "sessions") headers.Authorization = `Bearer ${this.token}`;
    let answer;
    let said;
    try {
      const signal = AbortSignal.timeout(REQUEST_MS + 1000 * Number(/wait=(\d+)/.exec(path)?.[1] ?? 0));
      answer = await fetch(`${this.root}/${path}`, { method, headers, body: JSON.stringify(body), signal });
      said = await answer.text();
    } catch {
      this.tell(false);
      throw new Offline();
    }
    this.tell(true);
    this.#setClock(answer.headers.get("Date"));
    if (answer.ok) return raw || !said ? said : JSON.parse(said);
    this.#refuse(answer, said, headers.Authorization);
  }

  #refuse(answer, said, authorization) {
    const problem = parsed(said) ?? { code: "unknown", status: answer.status, detail: answer.statusText };
    // Without a token, too: another tab of this browser may have logged out.
    const asNow = authorization === (this.token ? `Bearer ${this.token}` : undefined);
    if (problem.code === "not_authenticated" && asNow) {
      this.store.removeItem("boneyard.token");
      this.ended();
    }
    const seconds = answer.headers.get("Retry-After");
    throw new Refused(problem, seconds === null ? null : Number(seconds));
  }

  /** Called with what each request, and each stream, shows of the network. */
  tell(isThere) {
    if (this.isThere !== isThere) this.connection(isThere);
    this.isThere = isThere;
  }

  /** Countdowns go by the server's clock; its header has whole seconds, so half of one is added. */
  #setClock(date) {
    const skew = Date.parse(date) + 500 - Date.now();
    if (Math.abs(skew - this.skew) > 750) this.skew = skew;
  }

  /** Seconds until then, by the server's clock; not below 0. */
  secondsUntil(time) {
    return Math.max(0, (Date.parse(time) - Date.now() - this.skew) / 1000);
  }
}

/** How long to wait before the same request is sent again; null when it would be refused again. */
function waitAfter({ status, retryAfter }, tries) {
  if (status === 500 && tries === 0) return PAUSES_MS[0];
  const mayPass = PASSING.includes(status) && (retryAfter ?? 1) <= LONGEST_WAIT_SECONDS;
  return mayPass ? (retryAfter ?? 1) * 1000 : null;
}

function parsed(text) {
  try {
    const problem = JSON.parse(text);
    return problem?.code ? problem : null;
  } catch {
    return null;
  }
}
