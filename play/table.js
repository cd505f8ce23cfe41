/** One table: the frame around its board. What it shows comes from the server, every number of it. */

import { Refused } from "./api.js";
import { boardModule } from "./boards.js";
import { h, replace } from "./dom.js";
import { follow } from "./follow.js";
import { eventLog } from "./log.js";
import { shareLuck, sitDown } from "./opening.js";
import { overPanel } from "./over.js";
import { replayer } from "./replay.js";
import { hasReports, reportDialog } from "./report.js";
import { seatList } from "./seats.js";
import { strings } from "./strings.js";
import { calledAt, nameOf, turnLine } from "./turn.js";
import { waitingPanel } from "./waiting.js";

const OVER = ["finished", "abandoned", "closed"];

export function tableScreen(root, app, { id, code }) {
  const { client } = app;
  let table = null;
  let board = null; // what draws the view, once there is one
  let odds = null; // {"decision", "body"} of the present decision
  let sending = null; // the decision for which a move is on its way
  let replay = null;
  let destroyed = false;
  let stopFollowing = () => {};

  const turn = turnLine(client);
  const heading = h("h1", { tabindex: "-1" }, strings.table);
  const banners = h("div.banners");
  const stage = h("div.stage");
  const above = h("div.above");
  const under = h("div.under");
  const seats = seatList(app, remove);
  const log = eventLog((seat) => nameOf(table, seat));
  const actions = h("div.row.actions");
  const side = h("aside.side", { "aria-label": strings.around }, seats.element, actions, log.element);
  root.append(
    h("div.table-top", {}, heading, turn.element, turn.clock),
    banners,
    h("div.frame", {}, h("div.center", {}, above, stage, under), side),
  );

  const context = {
    act,
    strings,
    nameOf: (seat) => calledAt(table, seat),
    get replaying() {
      return replay?.isBack ?? false;
    },
    odds: () => (odds && odds.decision === table.decision ? odds.body : null),
  };

  // --- What comes from the server --------------------------------------------------------------------

  async function begin() {
    try {
      receive(code ? await byCode() : await client.get(`tables/${id}`), []);
    } catch (error) {
      return lost(error);
    }
    // A private table is followed only by those who sit at it; until then there is the one look.
    if (table.you !== null || table.visibility === "public") listen();
  }

  /** A private table is there for who sits at it; for others there is one look, by its code. */
  async function byCode() {
    try {
      return await client.post("tables/by-code", { code });
    } catch (error) {
      if (error.code !== "not_found") throw error;
      return client.get(`tables/${id}`);
    }
  }

  function listen() {
    stopFollowing();
    stopFollowing = follow(client, id, { table: receive, gone: () => lost(null) });
  }

  let version = 0; // of the last event that the board was shown

  /** An answer or a message: the table, and events of which some may have been told before. */
  function receive(next, events) {
    if (destroyed) return;
    if (table && next.version < table.version) return log.add(events);
    const fresh = version ? events.filter((event) => event.version > version) : [];
    const before = table;
    table = next;
    version = next.version;
    log.add(events);
    const held = root.contains(document.activeElement);
    draw(before, fresh);
    // What had the focus may be gone: it stays within the table.
    if (held && !root.contains(document.activeElement)) heading.focus({ preventScroll: true });
    app.announce(log.sentences(fresh).join(" "));
    askForOdds();
  }

  function lost(error) {
    if (destroyed || (error && error.code === "not_authenticated")) return;
    if (error && !(error instanceof Refused)) app.refused(error);
    stopFollowing();
    board?.destroy();
    replace(
      root,
      h(
        "section.card.narrow",
        {},
        h("h1", { tabindex: "-1" }, strings.lostTitle),
        h("p", {}, strings.lost),
        h("a.button.main", { href: "#lobby" }, strings.lobby),
      ),
    );
    root.querySelector("h1").focus();
  }

  async function askForOdds() {
    if (!table.hints || table.you === null || !table.legal_moves.length || odds?.decision === table.decision)
      return;
    const { decision } = table;
    odds = { decision, body: null };
    try {
      odds = { decision, body: await client.get(`tables/${id}/odds`) };
      if (!destroyed && table.decision === decision) board?.update(table, []);
    } catch (error) {
      if (!(error instanceof Refused)) odds = null;
    }
  }

  // --- What we do ------------------------------------------------------------------------------------

  /** Sends a move, once; why it was refused is told at the foot of the page. Whether it was made. */
  async function act(move) {
    const { decision } = table;
    if (sending === decision) return false;
    sending = decision;
    try {
      const answer = await client.move(table, move);
      receive(answer, answer.events);
      return true;
    } catch (error) {
      app.refused(error);
      await look();
      return false;
    } finally {
      if (sending === decision) sending = null;
    }
  }

  async function look() {
    try {
      receive(await client.get(`tables/${id}`), []);
    } catch (error) {
      if (error.code === "not_found") lost(error);
    }
  }

  /** Runs a request that answers with the table, or with nothing. */
  async function request(make) {
    try {
      const answer = await make();
      if (answer?.id === id) receive(answer, []);
      else if (!answer) await look();
      return answer;
    } catch (error) {
      app.refused(error);
      await look();
      return null;
    }
  }

  async function sit() {
    if (!(await request(() => sitDown(app, table, code)))) return;
    history.replaceState(null, "", `#table/${id}`); // who sits there needs no code
    listen();
  }

  const start = () => request(() => client.post(`tables/${id}/start`));
  const addBot = (level) => request(() => client.post(`tables/${id}/bots`, level ? { level } : {}));
  const comeBack = () => request(() => client.post(`tables/${id}/seats/me/return`));

  function remove(seat) {
    const act = () => request(() => client.delete(`tables/${id}/seats/${seat}`));
    app.ask({
      title: strings.removeTitle(nameOf(table, seat)),
      text: strings.removeText,
      yes: strings.remove,
      act,
    });
  }

  function leave() {
    const playing = table.status === "playing";
    const act = async () => {
      try {
        await client.delete(`tables/${id}/seats/me`);
      } catch (error) {
        // Left already: the first answer was lost, perhaps.
        if (error.code !== "not_seated") return app.refused(error);
      }
      app.go("#lobby");
    };
    app.ask({
      title: strings.leaveTitle,
      text: playing ? strings.leaveText : strings.standUpText,
      yes: strings.leave,
      act,
    });
  }

  async function rematch() {
    const next = await request(() => client.post(`tables/${id}/rematch`));
    if (!next) return;
    if (next.status === "open" && next.you !== null) await shareLuck(app, next).catch(app.refused);
    app.go(`#table/${next.id}`);
  }

  // --- What is shown ---------------------------------------------------------------------------------

  function draw(before, events) {
    const over = OVER.includes(table.status);
    heading.textContent = app.nameOf(table.game);
    document.title = `${table.to_move.includes(table.you) ? "● " : ""}${app.nameOf(table.game)} · ${strings.title}`;
    seats.update(table);
    turn.update(table, over);
    drawBanners(over);
    drawActions(over);
    if (table.status === "open") drawWaiting();
    else if (!table.view) replace(stage, closedPanel());
    else drawBoard(events);
    if (!table.outcome) return;
    if (over && !OVER.includes(before?.status)) drawOver();
    else if (over && before.rematch !== table.rematch) above.firstChild?.updateRematch?.(table);
  }

  function drawBanners(over) {
    const mine = table.you === null ? null : table.seats[table.you];
    const isAway = !over && table.status === "playing" && mine?.stand_in && !mine.left;
    const all = [isAway && banner(strings.standIn, strings.comeBack, comeBack)];
    if (banners.childElementCount !== all.filter(Boolean).length) replace(banners, ...all);
  }

  const banner = (text, label, act) =>
    h(
      "div.banner.calm",
      {},
      h("p", {}, text),
      h("button.button.main", { type: "button", onclick: act }, label),
    );

  function drawActions(over) {
    const others = table.seats.some((seat) => seat.kind === "human" && seat.seat !== table.you);
    const seated = table.you !== null;
    const wanted = [
      seated && !over && "leave",
      seated && others && hasReports(app) && "report",
      !seated && "watching",
    ].filter(Boolean);
    if (actions.dataset.shown === wanted.join()) return;
    actions.dataset.shown = wanted.join();
    const all = {
      leave: () => h("button.button.quiet", { type: "button", onclick: leave }, strings.leave),
      report: () =>
        h(
          "button.button.quiet",
          { type: "button", onclick: () => reportDialog(app, table, nameOf) },
          strings.report,
        ),
      watching: () => h("span.chip", {}, strings.watching),
    };
    replace(
      actions,
      wanted.map((name) => all[name]()),
    );
  }

  let waiting = null;

  function drawWaiting() {
    waiting ??= waitingPanel(app, stage, { sit, start, addBot, code });
    waiting.update(table);
  }

  let loading = null;
  let pending = [];

  async function drawBoard(events) {
    if (waiting) {
      // What had the focus is gone with what was waited for.
      if (stage.contains(document.activeElement)) heading.focus();
      replace(stage);
      waiting = null;
    }
    if (replay?.isBack) return;
    if (board) return board.update(table, events);
    pending.push(...events);
    if (loading) return;
    loading = boardModule(table.game);
    const module = await loading;
    if (destroyed) return;
    const place = h("div");
    replace(stage, place);
    board = module.board(place, context);
    board.update(table, pending);
  }

  function drawOver() {
    const show = (moment) => {
      board?.update(moment, []);
      seats.update(moment);
      if (!replay.isBack) seats.update(table);
    };
    replay = replayer(app, () => table, {
      show,
      sentences: log.sentences,
      first: () => log.versionOf("started"),
    });
    replace(above, overPanel(app, table, { rematch, nameOf }));
    replace(under, replay.element);
  }

  const timer = setInterval(turn.tick, 500);
  begin();
  return {
    destroy() {
      destroyed = true;
      clearInterval(timer);
      stopFollowing();
      replay?.destroy();
      board?.destroy();
    },
  };
}

const closedPanel = () =>
  h("section.card.narrow", {}, h("h2", {}, strings.closed), h("p", {}, strings.closedText));
