/**
 * Everything that the page says. To translate it, translate this file: each entry is a text, or a function
 * that makes one. `who` is a name or `you`.
 */

export const language = "en";

const rules = new Intl.PluralRules(language);
const list = new Intl.ListFormat(language, { type: "conjunction" });

/** `count(3, { one: "worm", other: "worms" })` is "3 worms". */
export function count(number, forms) {
  return `${number} ${forms[rules.select(number)] ?? forms.other}`;
}

export const listed = (words) => list.format(words);

const SECONDS = { one: "second", other: "seconds" };
const PLAYERS = { one: "player", other: "players" };
/** Within a sentence. */
const lower = (who) => (who === strings.you ? "you" : who);
const worms = (number) => count(number, { one: "worm", other: "worms" });
const dice = (number) => count(number, { one: "die", other: "dice" });
const group = (number, face) => `${dice(number)} of ${face === "W" ? "worm" : face}`;

const signless = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? `+${number}` : signless(number));
const rounded = (number) => Math.round(number * 10) / 10;

const combinations = {
  1: "Ones",
  2: "Twos",
  3: "Threes",
  4: "Fours",
  5: "Fives",
  6: "Sixes",
  "two-of-a-kind": "Two of a Kind",
  "three-of-a-kind": "Three of a Kind",
  "four-of-a-kind": "Four of a Kind",
  poker: "Poker",
  "2+2": "2+2",
  "3+2": "3+2",
  "minor-straight": "Minor Straight",
  "major-straight": "Major Straight",
  "minor-sum": "Minor Sum",
  "major-sum": "Major Sum",
};
const never = ["two-of-a-kind", "minor-sum", "major-sum"];
const otherwise = (each) => (never.includes(each) ? "safe" : Number(each) ? "or −70" : "or −10");
const failing = Object.fromEntries(Object.keys(combinations).map((each) => [each, otherwise(each)]));

const tiles = (number) => count(number, { one: "tile", other: "tiles" });
const alternatives = (words) => new Intl.ListFormat(language, { type: "disjunction" }).format(words);
const headings = { up: "upwards", down: "downwards", left: "to the left", right: "to the right" };

export const strings = {
  title: "Boneyard",
  you: "You",
  chance: (value) => `${Math.round(value * 100)} %`,
  toWin: (value) => `${Math.round(value * 100)} % to win`,

  // --- Everywhere ------------------------------------------------------------------------------------

  cancel: "Cancel",
  close: "Close",
  copy: "Copy",
  copied: "Copied.",
  copyByHand: "Copying is not allowed here: the text is selected, copy it by hand.",
  again: "Try again",
  dark: "Dark look",
  logOut: "Log out",
  logOutTitle: "Log out?",
  logOutText: "Your name and secret are forgotten at once, on every device, and you leave all your tables.",
  loggedOut: "You have logged out; your name and secret are forgotten.",
  ended: "Your session is over. Enter again with the same name and secret to get back to your tables.",
  elsewhere: "You have logged out, or entered anew, in another tab.",
  offline: "No connection. Nothing is lost: the page goes on as soon as it is back.",
  online: "The connection is back.",
  notArrived: "The server can't be reached, so this may not have been done.",
  noServer: "The server can't be reached.",

  /** By the code of a refusal; the server's own words where there is nothing here. */
  refusals: {
    stale_version: "That was decided already; look at the table anew.",
    not_your_turn: "It is not your turn any more.",
    illegal_move: "This can't be done now.",
    table_full: "Every seat is taken by now.",
    not_open: "This table is not open any more.",
    not_found: "There is no such table, or it is not yours to see.",
    removed: "The host removed you from this table.",
    throttled: (error) => `Too much at once. Try again in ${count(error.retryAfter ?? 1, SECONDS)}.`,
  },

  // --- Entering --------------------------------------------------------------------------------------

  enter: "Enter",
  welcome: "Come in and play",
  invited: "You are invited to a table",
  welcomeText: "Pickomino, 7776 and Dominoes, with friends or with bots.",
  name: "Name",
  another: "Another",
  secret: "Secret",
  show: "Show",
  hide: "Hide",
  meaning:
    "This is not an account. Name and secret hold your seats for now, and let you back in from any device; keep the secret if you want that. Log out, or stay away for a day, and both are forgotten.",
  entering: {
    name_taken: () => "Somebody holds this name with another secret. Take another name, or give its secret.",
    throttled: (error) => `Too many tries. Try again in ${count(error.retryAfter ?? 1, SECONDS)}.`,
  },
  nameWords: {
    first:
      "Amber Brave Calm Clever Dapper Early Gentle Golden Happy Ivory Jolly Lucky Merry Misty Quick Quiet Rusty Silver Sunny Velvet Warm Witty".split(
        " ",
      ),
    second:
      "Badger Crane Finch Fox Gecko Hare Heron Lynx Magpie Marten Otter Owl Panda Puffin Raven Robin Seal Sparrow Stoat Swift Tapir Wren".split(
        " ",
      ),
  },

  // --- The lobby -------------------------------------------------------------------------------------

  lobby: "Lobby",
  pickGame: "Pick a game",
  games: {
    pickomino: {
      name: "Pickomino",
      pitch: "Roll eight dice, save numbers, and grab worms from the barbecue before your luck runs out.",
      options: {
        first: "Who begins",
        collect: "What may be collected",
        turn_over_returned: "A bust turns over the largest domino even if it was just returned",
        turn_over_on_empty_bust: "A bust without dominoes turns one over too",
      },
      choices: {
        first: { random: "Drawn", seat_0: "The host" },
        collect: { any: "Any domino up to the total", nearest: "The exact number, else the next lower" },
      },
    },
    7776: {
      name: "7776",
      pitch:
        "Five dice of yours, five that you can’t see. Which of sixteen combinations do you dare to choose?",
    },
    dominoes: {
      name: "Dominoes",
      pitch: "Lay tiles end to end, around corners if you like, and be the first to have none left.",
      options: {
        start: "Who begins later rounds",
        dead_row: "When nothing fits any more",
        target: "Points that win (0: one round decides)",
        corners: "Tiles may be laid around corners",
      },
      choices: {
        start: { rotate: "The next seat", winner: "Who won the last round" },
        dead_row: { at_once: "The round is blocked at once", draw_out: "The stock is drawn empty first" },
      },
    },
  },
  players: (least, most) => (least === most ? count(least, PLAYERS) : `${least} to ${count(most, PLAYERS)}`),
  playBots: (number) => `Play against ${number === 1 ? "a bot" : `${number} bots`}`,
  playBotsAt: (game, number) => `Play against ${number === 1 ? "a bot" : `${number} bots`}: ${game}`,
  level: "Bots",
  hintsShort: "Hints",
  levels: { easy: "easy", normal: "normal", strong: "strong" },
  quick: "Find players",
  quickAt: (game) => `Find players: ${game}`,
  open: "Open a table…",
  openAt: (game) => `Open a table…: ${game}`,
  rules: "Rules",
  rulesOf: (game) => `Rules of ${game}`,
  mine: "Your tables",
  openTables: "Open tables",
  watchTables: "Being played",
  none: {
    mine: "",
    open: "Nobody waits at the moment. Open a table, and others see it here.",
    playing: "No public game is being played.",
  },
  doThere: { mine: "Go on", open: "Look in", playing: "Watch" },
  statuses: {
    open: "Waiting for players",
    playing: "Being played",
    finished: "Finished",
    abandoned: "Given up",
    closed: "Closed",
  },
  nobody: "nobody",
  taken: (seats, capacity) => `${seats} of ${capacity}`,
  haveCode: "Have a code?",
  goThere: "Go",

  openTitle: (game) => `A table of ${game}`,
  seats: "Seats",
  seatCount: (number) => `Always ${count(number, PLAYERS)}.`,
  visibility: "Who can come",
  visibilities: { public: "Anybody, by the lobby", private: "Only who has the link" },
  turnTime: "Time for each decision",
  turnTimes: {
    30: "30 seconds",
    60: "1 minute",
    120: "2 minutes",
    600: "10 minutes",
    86400: "1 day",
    none: "No limit",
  },
  hints: "Hints: show what each choice is worth",
  openIt: "Open the table",

  // --- A table ---------------------------------------------------------------------------------------

  table: "Table",
  around: "Around the table",
  lostTitle: "Not here",
  lost: "There is no such table, or it is not yours to see. A private table wants its link with the code.",
  yourTurn: "Your turn",
  turnOf: (names) => `${listed(names)} ${names.length === 1 ? "is" : "are"} to move`,
  toMove: "to move",
  winner: "winner",
  host: "host",
  left: "left",
  away: "away",
  standInSign: "stand-in",
  watching: "You are watching",
  standIn: "A stand-in plays for you, since your time was up.",
  comeBack: "Take my seat back",
  remove: "Remove",
  removeTitle: (who) => `Remove ${who}?`,
  removeText: "They can’t sit down at this table again.",
  leave: "Leave the table",
  leaveTitle: "Leave the table?",
  leaveText: "Leaving is final: a bot plays on for you, and you can’t win any more.",
  standUpText: "Your seat becomes free again.",
  time: (seconds) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`,
  seatName: ({ seat, kind, level, left }) =>
    seat < 0
      ? "Somebody"
      : left
        ? `Empty seat ${seat + 1}`
        : kind === "bot"
          ? `Bot ${seat + 1}${level && level !== "easy" ? ` (${level})` : ""}`
          : `Seat ${seat + 1}`,
  points: (game, number) =>
    game === "pickomino" ? worms(number) : count(number, { one: "point", other: "points" }).replace("-", "−"),

  waitingTitle: "Waiting for players",
  waitingFor: (free) =>
    free
      ? `${count(free, { one: "seat is", other: "seats are" })} free. The game begins when all are taken, or when the host starts it.`
      : "The game begins.",
  sit: "Sit down",
  start: "Start the game",
  startNeeds: (least) => `Start (needs ${least})`,
  addBot: "Add a bot",
  hostStarts: "The host can start sooner.",
  invite: "Invite others with this link",
  codeIs: "Or with this code:",
  luck: "Your share of the luck",
  luckText:
    "All dice and deals follow from a seed that the server fixed before the game, and from seeds of the players. This page has put one for you, after it had seen the server’s commitment; so afterwards you can verify that nobody chose the luck.",
  commitment: "The server’s commitment:",
  ourSeed: "Your seed:",
  closed: "This table was closed",
  closedText: "It was never played.",

  // --- The end ---------------------------------------------------------------------------------------

  resultLabel: "Result",
  result: (names, ours, winners) => {
    if (!winners) return "Nobody won";
    if (ours) return winners > 1 ? `${listed(names)} share the victory` : "You won!";
    return winners > 1 ? `${listed(names)} share the victory` : `${names[0]} won`;
  },
  reasons: {
    played_out: "Played to the end.",
    forfeit: "Everybody else left.",
    abandoned: "Nobody came back to go on.",
    voided: "A moderator ended the game.",
  },
  overBy: {
    played_out: "The game is over",
    forfeit: "The game is over",
    abandoned: "The game was given up",
    voided: "The game was ended",
  },
  rematch: "Play again",
  joinRematch: "Join the rematch",
  watchRematch: "Watch the rematch",
  rematchWaits: "There is a rematch, and a seat is kept for you for two minutes.",
  replay: "Look back",
  step: "Step of the game",
  stepOf: (version, last) => `${version} of ${last}`,
  toStart: "To the start",
  stepBack: "One step back",
  play: "Play",
  pause: "Pause",
  stepOn: "One step on",
  toEnd: "To the end",

  verify: "Verify this game",
  verifying: "The game is played again from its record…",
  saveRecord: "Save the record",
  proof: {
    ok: "All of it is true.",
    wrong: "Something is wrong with this record.",
    whole: "The record is whole.",
    rules: "Every move and its result follow the rules.",
    seeds: "All luck follows from the seed in the record.",
    seedsKept: "All luck follows from the seed that the server had committed itself to.",
    kept: "The commitment is the one that this browser kept before the game.",
    notKept: "This browser kept no commitment: it was not there before the game.",
    ourSeed: "Your own seed is part of the luck.",
    noSeed: "No seed of yours: you put none at this table.",
    line: (line, problem) => `Line ${line}: ${problem}`,
  },

  report: "Report a player",
  reportText: "A moderator of this server reads it, with the record of the game. The other one is not told.",
  reportSeat: "Who",
  reportReason: "What about",
  reportReasons: {
    cheating: "Cheating",
    name: "An offending name",
    stalling: "Stalling",
    other: "Something else",
  },
  reportWords: "In your words",
  send: "Send",
  reported: "Reported. Thank you.",
  decided: {
    upheld: "A moderator agreed with your report.",
    dismissed: "A moderator looked at your report and saw no reason to act.",
  },

  // --- What happened ---------------------------------------------------------------------------------

  log: "What happened",
  by: { stand_in: "(stand-in)", moderator: "(moderator)" },

  /** By the kind of an event; `before` is the event before it. Null tells nothing. */
  events: {
    opened: () => "The table was opened.",
    closed: ({ event }) =>
      `The table was closed${{ empty: ": nobody was left", stale: ": nobody came" }[event.data.reason] ?? ""}.`,
    joined: ({ who, event }) => (event.data.kind === "bot" ? "A bot sat down." : `${who} sat down.`),
    left: ({ who, event: { seat, data } }) =>
      data.status === "open" || who === strings.you
        ? "Somebody left."
        : `The player of seat ${seat + 1} left.`,
    removed: () => "Somebody was removed by the host.",
    host_changed: ({ who }) => `The host is now: ${who}.`,
    started: ({ event, nameOf }) =>
      event.data.first === null ? "The game began." : `The game began. First: ${nameOf(event.data.first)}.`,
    stand_in: ({ who }) => `Time was up for ${lower(who)}; a stand-in plays on.`,
    returned: ({ who }) => `${who} came back.`,
    finished: ({ event, nameOf }) => {
      const { winners, reason } = event.data;
      if (!winners.length) return `The game is over. ${strings.reasons[reason] ?? ""}`;
      return `The game is over. ${winners.length > 1 ? "Winners" : "Winner"}: ${listed(winners.map(nameOf))}.`;
    },
    rematch: ({ who }) => `${who ?? "Somebody"} wants to play again.`,

    rolled: ({ who, event }) => `${who} rolled ${event.data.dice.join(" ")}.`,
    saved: ({ who, event: { data } }) => `${who} saved ${data.count} × ${data.face}: ${data.total} in all.`,
    collected: ({ who, event: { data } }) => `${who} collected ${data.domino}, ${worms(data.worms)}.`,
    stole: ({ who, event: { data }, nameOf }) =>
      `${who} stole ${data.domino} from ${lower(nameOf(data.from))}.`,
    busted: ({ who, event: { data }, before }) => {
      const dice = before?.kind === "rolled" ? ` ${before.data.dice.join(" ")}` : "";
      const why =
        data.reason === "nothing_new"
          ? `${who} rolled${dice}: all saved already.`
          : `${who} busted: nothing to take.`;
      const then = [
        data.returned && `${data.returned} goes back`,
        data.turned_over && `${data.turned_over} is turned over`,
      ].filter(Boolean);
      return then.length ? `${why} ${then.join(", ")}.` : why;
    },

    threw: ({ who, event }) =>
      event.own?.dice ? `Round ${event.data.round}: ${lower(who)} threw ${event.own.dice.join(" ")}.` : null,
    chose: ({ who, event }) =>
      event.own?.choice ? `${who} chose ${combinations[event.own.choice]}.` : `${who} chose.`,
    revealed: ({ event: { data }, nameOf }) =>
      `Round ${data.round}: ${data.choices.map((choice, seat) => `${nameOf(seat)} ${combinations[choice]}, ${signed(data.points[seat])}`).join("; ")}.`,

    dealt: ({ event: { data, seat } }) => (seat === 0 ? `Round ${data.round}: tiles were dealt.` : null),
    laid: ({ who, event: { data } }) => `${who} laid ${data.tile}${data.end ? ` at the ${data.end}` : ""}.`,
    drew: ({ who, event }) => (event.own?.tile ? `${who} drew ${event.own.tile}.` : `${who} drew a tile.`),
    passed: ({ who }) => `${who} passed.`,
    straightened: () => "The row was straightened.",
    round_over: ({ event: { data }, nameOf }) => {
      if (data.winner === null) return `Round ${data.round} was drawn.`;
      return `${nameOf(data.winner)} won round ${data.round}${data.blocked ? ", which was blocked," : ""}: ${count(data.points, { one: "point", other: "points" })}.`;
    },
  },

  // --- The boards: one part for each -----------------------------------------------------------------

  pickomino: {
    name: "Pickomino",
    notBegun: "The game has not begun.",
    over: "The game is over.",
    stacks: "Stacks",
    bbq: "BBQ",
    dice: "Dice",
    worms,
    noDomino: "no domino",
    waiting: (who) => `${who} is to move.`,
    roll: "Your turn: roll the dice.",
    save: "Save all dice of one number.",
    decide: "Take a domino, or roll on.",
    rollOn: "Roll on: there is nothing to take yet.",
    take: "Take a domino.",
    rollDice: (number) => `Roll ${dice(number)}`,
    domino: (domino, number) => `${domino}, ${worms(number)}`,
    top: (domino, number, size) => `${domino}, ${worms(number)}, on top of ${size}`,
    turned: (domino) => `${domino}, turned over`,
    collect: (domino, number) => `Collect ${domino}, ${worms(number)}`,
    steal: (domino, who, number) => `Steal ${domino} from ${who}, ${worms(number)}`,
    saveAll: (number, face) => `Save ${group(number, face)}`,
    rolled: (number, face) => group(number, face),
    stale: (number, face) => `${group(number, face)}, can't be saved`,
    saved: (groups) => `Saved: ${listed(groups.map((each) => group(each.count, each.face)))}`,
    nothingSaved: "Nothing saved yet",
    total: "total",
    diceLeft: (number) => (number === 1 ? "die left" : "dice left"),
    hasWorm: "worm",
    yes: "yes",
    no: "no",
  },

  7776: {
    name: "7776",
    notBegun: "The game has not begun.",
    over: "The game is over.",
    title: "Combinations",
    combinations,
    failing,
    scores: "Scores",
    locked: "Locked",
    choosing: "Choosing",
    points: (number) => signless(number),
    signed,
    dice: (thrown) => `Dice ${thrown.join(" ")}`,
    yourDice: (thrown) => `Your dice: ${thrown.join(" ")}`,
    choose: (round, rounds) => `Round ${round} of ${rounds}: choose a combination.`,
    waiting: (choice) => `You chose ${choice}. The other is still choosing.`,
    watching: (round) => `Round ${round}: both dice stay hidden until both have chosen.`,
    revealed: (round, rounds) => `Round ${round} of ${rounds}, revealed`,
    usedBy: (who) => `used by ${lower(who)}`,
    used: (points) => `used for ${signed(points)}`,
    yourChoice: "your choice",
    expected: (points) => `≈ ${signed(rounded(points))}`,
    hint: (points, fails, best) =>
      `${signed(rounded(points))} expected, fails ${Math.round(fails * 100)} %${best ? ", best choice" : ""}`,
    sheet: "Score sheet",
    round: "Round",
    choice: "Choice",
    pointsHead: "Points, total",
    noRound: "No round has been revealed yet.",
  },

  dominoes: {
    name: "Dominoes",
    notBegun: "The game has not begun.",
    over: "The game is over.",
    players: "Players",
    score: (points, target) => `${points} of ${target}`,
    holds: (number) => `holds ${tiles(number)}`,
    stock: (number) => (number ? `${number} covered` : "none covered"),
    table: "The table. Arrow keys move it, plus and minus zoom, 0 shows all.",
    places: "Places",
    zoomIn: "Zoom in",
    zoomOut: "Zoom out",
    zoomFit: "Show all",
    emptyRow: "The row is empty.",
    row: (laid) => `The row from left to right: ${laid.join(", ")}`,
    hand: (hand) => (hand.length ? hand.join(", ") : "no tiles"),
    yourHand: (number) => `Your hand, ${tiles(number)}`,
    watching: "Hands are hidden.",
    pips: (number) => count(number, { one: "pip", other: "pips" }),
    end: (end, pips) => (end === "left" ? `◂ left ${pips}` : `right ${pips} ▸`),
    fits: (tile, ends) => (ends[0] ? `${tile}, can be laid ${alternatives(ends)}` : `${tile}, can be laid`),
    fitsNot: (tile) => `${tile}, does not fit`,
    lay: (tile, { end, corner, heading, straightens }) => {
      const where = `Lay ${tile} at the ${end} end`;
      if (straightens) return `${where}; the row is straightened first`;
      return corner ? `${where}, around a corner ${headings[heading]}` : where;
    },
    waiting: (who) => `${who} is to move.`,
    begin: "Your turn: lay any tile.",
    yourTurn: "Your turn: lay a tile.",
    where: (tile) => `Where shall ${tile} go?`,
    mustDraw: "Nothing fits: draw a covered tile.",
    draw: "Draw a tile",
    result: (round, who, points, blocked) => {
      const how = blocked ? `Round ${round} was blocked` : `Round ${round} is over`;
      return who
        ? `${how}: ${who} won ${count(points, { one: "point", other: "points" })}.`
        : `${how}: drawn, no points.`;
    },
  },
};
