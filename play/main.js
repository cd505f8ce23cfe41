/** The page: which screen is shown, by what stands behind `#` in the address. */

import { Client, Offline, Refused } from "./api.js";
import { h, named, replace, say, spoken } from "./dom.js";
import { enterScreen } from "./enter.js";
import { lobbyScreen } from "./lobby.js";
import { strings } from "./strings.js";
import { tableScreen } from "./table.js";

const NOTICE_MS = 8_000;
const ANNOUNCE_MS = 250;
const $ = (id) => document.getElementById(id);

const app = {
  client: new Client({ ended, connection }),
  session: null, // {"player": …} once entered
  server: null, // the root of the API
  games: [], // the entries of /games
  go,
  refused,
  notice,
  announce,
  gameOf: (slug) => app.games.find((game) => game.game === slug),
  nameOf: (slug) => strings.games[slug]?.name ?? app.gameOf(slug)?.name ?? slug,
};

// --- Screens ---------------------------------------------------------------------------------------

let screen = null;
let shown = null;
let noticeTimer = 0;

function go(hash) {
  if (location.hash === hash) route();
  else location.hash = hash;
}

/** `#lobby`, `#table/ID` or, with an invitation, `#table/ID/code/CODE`; without a session, what asks for one. */
function route() {
  const [name, id, , code] = location.hash.slice(1).split("/");
  const isTable = name === "table" && /^[\w-]+$/.test(id ?? "");
  const wanted = app.session ? (isTable ? "table" : "lobby") : "enter";
  const address = wanted === "lobby" ? wanted : `${wanted}/${id}`;
  if (address === shown) return;
  const isFirst = screen === null;
  shown = address;
  screen?.destroy?.();
  const main = replace($("main"));
  const after = name === "table" ? location.hash : "#lobby";
  if (wanted === "enter")
    screen = enterScreen(main, app, { invited: Boolean(id), entered: (session) => enter(session, after) });
  if (wanted === "lobby") screen = lobbyScreen(main, app);
  if (wanted === "table")
    screen = tableScreen(main, app, { id, code: code ? decoded(code) : null });
  drawTop();
  scrollTo(0, 0);
  // Not on the first one, which begins at its beginning.
  if (!isFirst) main.querySelector("h1")?.focus({ preventScroll: true });
}

/** A link that was cut short on its way is a wrong one, and told as such. */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function enter(session, after) {
  app.session = session;
  go(after);
}

function ended() {
  if (!app.session) return;
  app.session = null;
  notice(strings.ended);
  shown = null;
  route();
}

async function logOut() {
  try {
    await app.client.logOut();
  } catch (error) {
    return refused(error);
  }
  app.session = null;
  notice(strings.loggedOut);
  go("#enter");
}

// --- What is said ----------------------------------------------------------------------------------

/** A line at the foot of the page, read out politely. */
function notice(text) {
  clearTimeout(noticeTimer);
  say($("notice"), text);
  noticeTimer = setTimeout(() => replace($("notice")), NOTICE_MS);
}

const unsaid = [];

/** For screen readers: what comes close together is said together. */
function announce(text) {
  if (!text) return;
  if (!unsaid.length) setTimeout(() => say($("live"), unsaid.splice(0).join(" ")), ANNOUNCE_MS);
  unsaid.push(text);
}

/** Tells why something was not done. */
function refused(error) {
  if (error instanceof Offline) return notice(strings.notArrived);
  if (!(error instanceof Refused)) throw error;
  if (error.code === "not_authenticated") return;
  const text = strings.refusals[error.code];
  notice(typeof text === "function" ? text(error) : (text ?? error.message));
}

function connection(isThere) {
  const banner = $("offline");
  banner.hidden = isThere;
  banner.textContent = isThere ? "" : strings.offline;
  if (isThere) app.announce(strings.online);
}

// --- The top ---------------------------------------------------------------------------------------

function drawTop() {
  const brand = h(
    "a.brand",
    { href: app.session ? "#lobby" : "#enter" },
    h("img", { src: "/play/icon.svg", alt: "" }),
    strings.title,
  );
  const person = app.session && [
    h("span.person", {}, named(app.session.player.name)),
    h("button.button.quiet", { type: "button", onclick: askToLogOut }, strings.logOut),
  ];
  replace($("top"), brand, h("div.tools", {}, themeSwitch(), person));
}

function isDark() {
  const theme = document.documentElement.dataset.theme;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function themeSwitch() {
  const draw = (button) => {
    button.setAttribute("aria-pressed", String(isDark()));
    replace(button, h("span", { "aria-hidden": "true" }, isDark() ? "☀" : "☾"));
    return button;
  };
  const toggle = (event) => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("boneyard.theme", theme);
    draw(event.currentTarget);
  };
  return draw(
    h("button.button.quiet.theme", {
      type: "button",
      onclick: toggle,
      "aria-label": strings.dark,
      title: strings.dark,
    }),
  );
}

function askToLogOut() {
  ask({ title: strings.logOutTitle, text: strings.logOutText, yes: strings.logOut, act: logOut });
}

/** A question that wants a yes; what is done then. */
export function ask({ title, text, yes, act }) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "asked", onclose: () => dialog.remove() },
    h("h2", { id: "asked" }, spoken(title)),
    h("p", {}, text),
    h(
      "div.row.end",
      {},
      h("button.button", { type: "button", onclick: () => dialog.close() }, strings.cancel),
      h("button.button.bad", { type: "button", onclick: () => (dialog.close(), act()) }, yes),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
}
app.ask = ask;

// --- The beginning ---------------------------------------------------------------------------------

async function begin() {
  try {
    const [server, games, session] = await Promise.all([
      app.client.get(""),
      app.client.get("games"),
      app.client.resume(),
    ]);
    Object.assign(app, { server, games: games.results, session });
  } catch (error) {
    replace(
      $("main"),
      h("h1", { tabindex: "-1" }, strings.title),
      h("p", {}, strings.noServer),
      h("button.button.main", { type: "button", onclick: begin }, strings.again),
    );
    if (!(error instanceof Offline || error instanceof Refused)) throw error;
    return;
  }
  shown = null;
  route();
  for (const { decision } of app.session?.reports ?? []) notice(strings.decided[decision] ?? "");
}

/** Another tab of this browser has entered or logged out: whoever it is there, it is here. */
function elsewhere({ key }) {
  if (key !== "boneyard.token" && key !== null) return;
  if (app.session) {
    notice(strings.elsewhere);
    history.replaceState(null, "", "#lobby"); // the table that is shown may be none of theirs
  }
  begin();
}

document.title = strings.title;
addEventListener("hashchange", route);
addEventListener("storage", elsewhere);
drawTop();
begin();
