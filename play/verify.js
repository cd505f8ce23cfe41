/**
 * Is the record of a finished Boneyard table true? One file for browsers and node (20.19 or newer), without
 * dependencies:
 *
 *     import { parse, verify } from "./verify.js";
 *     const { ok, line, problem } = verify(parse(text)); // or verify(record, commitment)
 *
 *     node play/verify.js FILE [COMMITMENT]
 *
 * FILE is what GET /api/v1/tables/{id}/record gave. COMMITMENT is the one that the table showed when you
 * sat down. The exit code is 0 if the record is true, 1 if it is not, 2 if there is nothing to read.
 *
 * This program shares no code with the server. It was written from the rules of the games and from
 * docs/fairness.md, which specifies the luck and the record. It asks three things:
 *
 *     whole   Has the file the form of a record, and is its hash right?
 *     rules   Are the options, each move, what each move drew, who moved, who left, and the outcome as the
 *             rules have them? The game is played again from its first line to its last.
 *     seeds   Is the commitment that of the server seed, and is all that was drawn what the seeds give?
 *
 * If all three hold, and the commitment is the one that you kept, then the server could change no luck after
 * the table was opened; and if a client seed is yours, it could not choose the luck before that, either.
 *
 * What this can't show: that nobody knew the luck beforehand; that the moves are those that people made; that
 * `player` was the player and `stand_in` was not; when between two moves somebody left; which of two chose
 * first in 7776; whether a table that was `abandoned` or `voided` should have been; which level a bot had.
 * Nor can it see an option that made no difference to the game. Whoever changes such a thing, plays on by the
 * rules and the seeds, and writes a new hash, is not found out by the file alone: compare it with what your
 * client sent and saw.
 *
 * Contents: what is found, SHA-256, the luck, Pickomino, 7776, Dominoes, the form, the rules, the seeds,
 * the answer, small things. `docs/verify/boneyard_verify.py` says the same in Python, in the same order.
 */

// --- What is found -------------------------------------------------------------------------------

/** Something is not as it should be. `line` is null where that is known further out, or no line's. */
class Wrong extends Error {
  constructor(text, line = null) {
    super(text);
    this.line = line;
  }
}

function need(condition, problem, line = null) {
  if (!condition) throw new Wrong(problem, line);
}

const show = (value) => JSON.stringify(value);

// --- SHA-256 (FIPS 180-4) and HMAC (RFC 2104), since the browser's own can only be waited for ----

const PRIMES = range(2, 312).filter((number) => range(2, number).every((divisor) => number % divisor > 0));
const fraction = (number) => Math.floor((number % 1) * 2 ** 32);
const FIRST_HASH = PRIMES.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const CONSTANTS = PRIMES.map((prime) => fraction(Math.cbrt(prime)));
const rotated = (word, places) => (word >>> places) | (word << (32 - places));

export function sha256(bytes) {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const data = new DataView(padded.buffer);
  data.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
  data.setUint32(padded.length - 4, bytes.length << 3);
  const hash = Uint32Array.from(FIRST_HASH);
  for (let start = 0; start < padded.length; start += 64) compress(hash, data, start);
  return bytesOf([...hash]);
}

function compress(hash, data, start) {
  const words = new Uint32Array(64);
  for (let t = 0; t < 16; t += 1) words[t] = data.getUint32(start + 4 * t);
  for (let t = 16; t < 64; t += 1) {
    const [early, late] = [words[t - 15], words[t - 2]];
    const s0 = rotated(early, 7) ^ rotated(early, 18) ^ (early >>> 3);
    const s1 = rotated(late, 17) ^ rotated(late, 19) ^ (late >>> 10);
    words[t] = words[t - 16] + s0 + words[t - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash;
  for (let t = 0; t < 64; t += 1) {
    const s1 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + CONSTANTS[t] + words[t];
    const s0 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, place) => {
    hash[place] += word;
  });
}

export function hmac(key, message) {
  const block = Uint8Array.from({ length: 64 }, (_, place) => key[place] ?? 0); // of keys up to 64 bytes
  const inner = sha256([...block.map((byte) => byte ^ 0x36), ...message]);
  return sha256([...block.map((byte) => byte ^ 0x5c), ...inner]);
}

const bytesOf = (words) => words.flatMap((word) => [24, 16, 8, 0].map((shift) => (word >>> shift) & 255));
const asciiOf = (string) => Array.from(string, (character) => character.charCodeAt(0));
const hexOf = (bytes) => bytes.map((byte) => byte.toString(16).padStart(2, "0")).join("");
const fromHex = (digits) => digits.match(/../g).map((pair) => Number.parseInt(pair, 16));

// --- The luck ------------------------------------------------------------------------------------

const u32 = (number) => bytesOf([number]);
const text = (string) => [...u32(string.length), ...asciiOf(string)];

/** The luck of one step as the seeds give it: block 0 is the start's, block n that of move number n. */
export class Block {
  constructor(serverSeed, table, clientSeeds, number) {
    this.key = fromHex(serverSeed);
    const seeds = clientSeeds.flatMap((seed) => text(seed ?? ""));
    const head = [...text("boneyard chance 1"), ...text(table), ...u32(clientSeeds.length)];
    this.message = [...head, ...seeds, ...u32(number)];
    this.taken = 0; // bytes
  }

  chunk(number) {
    return hmac(this.key, [...this.message, ...u32(number)]);
  }

  byte() {
    const place = this.taken % 32;
    if (place === 0) this.bytes = this.chunk(this.taken / 32);
    this.taken += 1;
    return this.bytes[place];
  }

  /** 0 to size − 1, all equally likely: bytes beyond the last whole multiple are passed over. */
  oneOf(size) {
    let byte = this.byte();
    while (byte >= 256 - (256 % size)) byte = this.byte();
    return byte % size;
  }

  roll(dice) {
    return range(0, dice).map(() => this.oneOf(6) + 1);
  }

  /** Fisher and Yates, from the top. */
  shuffle(size) {
    const order = range(0, size);
    for (let last = size - 1; last > 0; last -= 1) {
      const other = this.oneOf(last + 1);
      [order[last], order[other]] = [order[other], order[last]];
    }
    return order;
  }
}

/** The luck of one step as the record has it, handed out to the rules draw by draw. */
export class Luck {
  constructor(draws) {
    this.draws = [...draws];
  }

  roll(dice) {
    const faces = this.next("roll", dice, `a throw of ${dice} dice`);
    const right = faces.every((face) => face >= 1 && face <= 6);
    need(right, `The throw ${show(faces)} has faces other than 1 to 6.`);
    return faces;
  }

  shuffle(size) {
    const order = this.next("shuffle", size, `a shuffle of ${size}`);
    const right = range(0, size).every((place) => order.includes(place));
    need(right, `The shuffle ${show(order)} does not hold each of 0 to ${size - 1} once.`);
    return order;
  }

  next(kind, size, wanted) {
    need(this.draws.length, `By the rules ${wanted} is drawn here, and the record has none.`);
    const [told, values] = this.draws.shift();
    const right = told === kind && values.length === size;
    need(right, `By the rules ${wanted} is drawn here, and the record has a ${told} of ${values.length}.`);
    return [...values];
  }

  mustBeUsedUp() {
    const [more] = this.draws;
    need(!more, `By the rules nothing more is drawn here, and the record has ${show(more)}.`);
  }
}

// Each game tells SEATS and OPTIONS (by name, what is allowed), and has `over`,
// `toMove()`, `legal(seat)` of a seat that is to move, `apply(seat, move, luck)` of a legal move, `scores()`,
// and `winners(among)`, the best among some of the seats.

// --- Pickomino -----------------------------------------------------------------------------------

const DICE = 8;
const WORM = 6; // the face W; it counts five

const faceName = (face) => (face === WORM ? "W" : String(face));

/** Eight dice, sixteen dominoes 21–36. Who has most worms when no domino is face-up wins. */
export class Pickomino {
  static SEATS = range(2, 8);
  static OPTIONS = {
    first: ["random", "seat_0"],
    collect: ["any", "nearest"],
    turn_over_returned: [false, true],
    turn_over_on_empty_bust: [true, false],
  };

  constructor(seats, options, luck) {
    this.options = options;
    this.bbq = range(21, 37); // those face-up, ascending
    this.stacks = range(0, seats).map(() => []);
    this.seat = options.first === "random" ? luck.shuffle(seats)[0] : 0;
    this.over = false;
    this.beginTurn();
  }

  beginTurn() {
    this.dice = []; // thrown and waiting for a choice
    this.saved = new Map(); // face: how many
  }

  toMove() {
    return this.over ? [] : [this.seat];
  }

  legal() {
    if (this.dice.length) {
      return range(1, 7)
        .filter((face) => this.dice.includes(face) && !this.saved.has(face))
        .map((face) => `save ${faceName(face)}`);
    }
    const roll = this.diceLeft() > 0 && this.saved.size < 6 ? ["roll"] : [];
    return [...roll, ...this.collectable().map((domino) => `collect ${domino}`), ...this.steals()];
  }

  diceLeft() {
    return DICE - sum([...this.saved.values()]);
  }

  total() {
    return sum([...this.saved].map(([face, count]) => Math.min(face, 5) * count));
  }

  collectable() {
    const lowEnough = this.bbq.filter((domino) => this.saved.has(WORM) && domino <= this.total());
    return this.options.collect === "nearest" ? lowEnough.slice(-1) : lowEnough;
  }

  steals() {
    return this.stacks
      .filter((stack, seat) => stack.length && seat !== this.seat)
      .map((stack) => stack.at(-1))
      .filter((top) => this.saved.has(WORM) && top === this.total())
      .map((top) => `steal ${top}`);
  }

  apply(seat, move, luck) {
    const [verb, what] = move.split(" ");
    if (verb === "roll") this.roll(luck);
    else if (verb === "save") this.save(what === "W" ? WORM : Number(what));
    else this.take(Number(what));
  }

  roll(luck) {
    this.dice = luck.roll(this.diceLeft());
    if (this.dice.every((face) => this.saved.has(face))) this.bust();
  }

  save(face) {
    this.saved.set(face, count(this.dice, face));
    this.dice = [];
    if (!this.legal().length) this.bust();
  }

  /** Collect or steal: the domino leaves the BBQ or the stack whose top it is. */
  take(domino) {
    for (const place of [this.bbq, ...this.stacks]) {
      if (place.includes(domino)) place.splice(place.indexOf(domino), 1);
    }
    this.stacks[this.seat].push(domino);
    this.endTurn();
  }

  /** Own top domino back to the BBQ, then the largest face-up one turned over, if not the same. */
  bust() {
    const returned = this.stacks[this.seat].pop();
    if (returned !== undefined) this.bbq = [...this.bbq, returned].sort((a, b) => a - b);
    const turnOver =
      returned === undefined
        ? this.options.turn_over_on_empty_bust
        : this.bbq.at(-1) !== returned || this.options.turn_over_returned;
    if (turnOver) this.bbq.pop();
    this.endTurn();
  }

  endTurn() {
    this.beginTurn();
    this.over = this.bbq.length === 0;
    this.seat = (this.seat + 1) % this.stacks.length;
  }

  scores() {
    return this.stacks.map((stack) => sum(stack.map((domino) => Math.floor((domino - 17) / 4))));
  }

  /** Most worms; tied, the largest domino; without any domino all share. */
  winners(among) {
    const scores = this.scores();
    return best(among, (seat) => scores[seat] * 100 + Math.max(0, ...this.stacks[seat]));
  }
}

// --- 7776 ----------------------------------------------------------------------------------------

const OF_A_KIND = { "two-of-a-kind": 2, "three-of-a-kind": 3, "four-of-a-kind": 4 };
const STRAIGHTS = { "minor-straight": [[1, 2, 3, 4, 5], 15], "major-straight": [[2, 3, 4, 5, 6], 20] };
const COMBINATIONS = [
  ..."123456",
  ...Object.keys(OF_A_KIND),
  "poker",
  "2+2",
  "3+2",
  ...Object.keys(STRAIGHTS),
  "minor-sum",
  "major-sum",
];

/** Sixteen rounds: five dice each, unseen by the other; each chooses a combination of all ten dice. */
export class SevenSevenSevenSix {
  static SEATS = range(2, 3);
  static OPTIONS = {};

  constructor(seats, options, luck) {
    this.points = [0, 0];
    this.used = [[], []];
    this.beginRound(luck);
  }

  get over() {
    return this.used.every((used) => used.length === COMBINATIONS.length);
  }

  beginRound(luck) {
    this.throws = [luck.roll(5), luck.roll(5)];
    this.choices = new Map();
  }

  toMove() {
    return this.over ? [] : [0, 1].filter((seat) => !this.choices.has(seat));
  }

  legal(seat) {
    return COMBINATIONS.filter((name) => !this.used[seat].includes(name)).map((name) => `choose ${name}`);
  }

  apply(seat, move, luck) {
    this.choices.set(seat, move.split(" ")[1]);
    if (this.choices.size < 2) return;
    this.reveal();
    if (!this.over) this.beginRound(luck);
  }

  reveal() {
    for (const [seat, combination] of this.choices) {
      this.points[seat] += points(combination, this.throws.flat());
      this.used[seat].push(combination);
    }
  }

  scores() {
    return this.points;
  }

  winners(among) {
    return best(among, (seat) => this.points[seat]);
  }
}

/** What the ten dice give for the combination, or its penalty. */
export function points(combination, dice) {
  const greatest = (least, otherThan = 0) =>
    Math.max(0, ...range(1, 7).filter((value) => count(dice, value) >= least && value !== otherThan));

  if (/^[1-6]$/.test(combination)) {
    const dots = Number(combination) * count(dice, Number(combination));
    return count(dice, Number(combination)) >= 3 ? dots : -70;
  }
  if (combination in OF_A_KIND) return OF_A_KIND[combination] * greatest(OF_A_KIND[combination]) || -10;
  if (combination === "poker") return greatest(5) ? 40 + 10 * greatest(5) : -10;
  if (combination === "2+2" || combination === "3+2") {
    const first = greatest(Number(combination[0]));
    const second = greatest(2, first);
    return first && second ? Number(combination[0]) * first + 2 * second : -10;
  }
  if (combination in STRAIGHTS) {
    const [values, worth] = STRAIGHTS[combination];
    return values.every((value) => dice.includes(value)) ? worth : -10;
  }
  return combination === "major-sum" ? sum(dice) : 70 - sum(dice);
}

// --- Dominoes ------------------------------------------------------------------------------------

// 0-0, 1-0, 1-1, 2-0 … 6-6
const TILES = range(0, 7).flatMap((high) => range(0, high + 1).map((low) => [high, low]));
const CLOCKWISE = ["right", "down", "left", "up"];
const STEP = { right: [1, 0], down: [0, 1], left: [-1, 0], up: [0, -1] }; // x grows to the right, y downwards
const TURN = { "": 0, cw: 1, ccw: 3 };
const LEFT = 0;
const RIGHT = 1;
const ENDS = ["left", "right"];
const DRAWN_ROUNDS = 100;

const tileName = ([high, low]) => `${high}-${low}`;
const pipsOf = (hand) => sum(hand.flat());

/** The tiles on the table, from the left end to the right one; of each its left and its right half. */
export class Row {
  constructor() {
    this.tiles = []; // [{pips, x, y}, {pips, x, y}]
    this.first = 0; // where in `tiles` the round's first tile lies
    this.headings = ["left", "right"];
  }

  openHalf(end) {
    return end === LEFT ? this.tiles[0][LEFT] : this.tiles.at(-1)[RIGHT];
  }

  fits(tile) {
    return !this.tiles.length || [LEFT, RIGHT].some((end) => tile.includes(this.openHalf(end).pips));
  }

  /** The heading after the corner, and the next two cells in it. */
  ahead(end, corner) {
    const heading = CLOCKWISE[(CLOCKWISE.indexOf(this.headings[end]) + TURN[corner]) % 4];
    const { x, y } = this.openHalf(end);
    const [dx, dy] = STEP[heading];
    return { heading, near: { x: x + dx, y: y + dy }, far: { x: x + 2 * dx, y: y + 2 * dy } };
  }

  isFree(end, corner) {
    const { near, far } = this.ahead(end, corner);
    return !this.tiles.flat().some(({ x, y }) => [near, far].some((cell) => cell.x === x && cell.y === y));
  }

  corners(end) {
    return ["cw", "ccw"].filter((corner) => this.isFree(end, corner));
  }

  layFirst([greater, lesser]) {
    this.tiles = [
      [
        { pips: greater, x: 0, y: 0 },
        { pips: lesser, x: 1, y: 0 },
      ],
    ];
  }

  lay(tile, end, corner) {
    if (!this.isFree(end, corner)) this.straighten();
    const { heading, near, far } = this.ahead(end, corner);
    this.headings[end] = heading;
    const joined = this.openHalf(end).pips;
    const inner = { pips: joined, ...near };
    const outer = { pips: tile[0] === joined ? tile[1] : tile[0], ...far };
    if (end === RIGHT) {
      this.tiles.push([inner, outer]);
    } else {
      this.tiles.unshift([outer, inner]);
      this.first += 1;
    }
  }

  /** All in one horizontal line, the first tile staying at (0,0) and (1,0). */
  straighten() {
    this.tiles = this.tiles.map(([left, right], index) => {
      const x = 2 * (index - this.first);
      return [
        { pips: left.pips, x, y: 0 },
        { pips: right.pips, x: x + 1, y: 0 },
      ];
    });
    this.headings = ["left", "right"];
  }
}

/** Rounds of a row with two ends, until a seat has reached the target. */
export class Dominoes {
  static SEATS = range(2, 5);
  static OPTIONS = {
    start: ["rotate", "winner"],
    dead_row: ["at_once", "draw_out"],
    target: range(0, 1001),
    corners: [true, false],
  };

  constructor(seats, options, luck) {
    this.options = options;
    this.points = Array(seats).fill(0);
    this.over = false;
    this.drawnInARow = 0;
    this.roundWinner = null;
    this.starter = luck.shuffle(seats)[0];
    this.deal(luck);
  }

  deal(luck) {
    const order = luck.shuffle(TILES.length).map((place) => TILES[place]);
    const seats = this.points.length;
    this.hands = range(0, seats).map((seat) => order.slice(7 * seat, 7 * seat + 7));
    this.stock = order.slice(7 * seats);
    this.row = new Row();
    this.seat = this.starter;
  }

  toMove() {
    return this.over ? [] : [this.seat];
  }

  legal(seat) {
    const hand = this.hands[seat];
    if (!this.row.tiles.length) return hand.map((tile) => `lay ${tileName(tile)}`);
    const corners = [LEFT, RIGHT].map((end) => (this.options.corners ? this.row.corners(end) : []));
    const lays = hand.flatMap((tile) =>
      [LEFT, RIGHT]
        .filter((end) => tile.includes(this.row.openHalf(end).pips))
        .flatMap((end) => ["", ...corners[end]].map((corner) => [tileName(tile), ENDS[end], corner]))
        .map((words) => ["lay", ...words].join(" ").trim()),
    );
    return lays.length ? lays : ["draw"]; // a seat that could do neither has been passed over
  }

  apply(seat, move, luck) {
    if (move === "draw") this.hands[seat].push(this.stock.shift());
    else this.lay(seat, ...move.split(" ").slice(1));
    if (!this.hands[seat].length) this.endRound(seat, luck);
    else if (this.isBlocked()) this.endRound(this.lowest(), luck);
    else this.passOn();
  }

  lay(seat, name, end = "", corner = "") {
    const place = this.hands[seat].findIndex((tile) => tileName(tile) === name);
    const [tile] = this.hands[seat].splice(place, 1);
    if (end) this.row.lay(tile, ENDS.indexOf(end), corner);
    else this.row.layFirst(tile);
  }

  /** Nothing outside the row fits; with `draw_out` the stock must be empty as well. */
  isBlocked() {
    if (this.stock.length && this.options.dead_row === "draw_out") return false;
    return ![...this.hands, this.stock].flat().some((tile) => this.row.fits(tile));
  }

  /** The next seat that can do something; who can neither lay nor draw is passed over. */
  passOn() {
    const seats = this.hands.length;
    const canMove = (seat) => this.stock.length || this.hands[seat].some((tile) => this.row.fits(tile));
    this.seat = range(1, seats + 1).map((step) => (this.seat + step) % seats).find(canMove);
  }

  pips() {
    return this.hands.map(pipsOf);
  }

  /** The seat with fewest pips; null where several have as few. */
  lowest() {
    const pips = this.pips();
    const fewest = Math.min(...pips);
    return count(pips, fewest) === 1 ? pips.indexOf(fewest) : null;
  }

  /** The winner gets what the others have more than itself, which is nothing after its last tile. */
  endRound(winner, luck) {
    const pips = this.pips();
    this.roundWinner = winner;
    this.drawnInARow = winner === null ? this.drawnInARow + 1 : 0;
    if (winner !== null) this.points[winner] += sum(pips.map((more) => more - pips[winner]));
    this.over = this.isEnd();
    if (!this.over) {
      this.starter = this.nextStarter();
      this.deal(luck);
    }
  }

  isEnd() {
    const { target } = this.options;
    return target === 0 || Math.max(...this.points) >= target || this.drawnInARow === DRAWN_ROUNDS;
  }

  nextStarter() {
    if (this.options.start === "rotate") return (this.starter + 1) % this.hands.length;
    return this.roundWinner ?? this.starter;
  }

  scores() {
    return this.points;
  }

  /** Most points; in a game of one round who won it, else fewest pips. */
  winners(among) {
    if (this.options.target > 0) return best(among, (seat) => this.points[seat]);
    if (among.includes(this.roundWinner)) return [this.roundWinner];
    return best(among, (seat) => -this.pips()[seat]);
  }
}

// --- The form ------------------------------------------------------------------------------------

const MEMBERS = ["format", "table", "game", "rules_version", "options", "seats"];
MEMBERS.push("fairness", "start", "lines", "outcome", "hash");
const LINES = {
  move: ["kind", "number", "seat", "by", "move", "chance"],
  left: ["kind", "seat"],
  ended: ["kind", "reason"],
};
const LARGEST = 2 ** 31 - 1;

/** Throws Wrong unless all that follows may rely on the members, their types and their limits. */
function checkForm(record) {
  members(record, MEMBERS, "The record");
  need(record.format === 1, "The format is not 1, which alone is known.");
  const isId = matches(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, record.table);
  need(isId, "The table's id is not of the form of one.");
  need(isText(record.game), "The game is no text.");
  need(isInteger(record.rules_version, 1), "The rules' version is no integer from 1.");
  checkFormOfOptions(record.options);
  checkFormOfSeats(record.seats);
  checkFormOfFairness(record.fairness, record.seats.length);
  checkFormOfDraws(record.start, 0);
  checkFormOfOutcome(record.outcome);
  need(matches(/^[0-9a-f]{64}$/, record.hash), "The hash is not 64 lower-case hex digits.");
  need(Array.isArray(record.lines), "The lines are no list.");
  record.lines.forEach((line, place) => checkFormOfLine(line, place + 1));
}

function checkFormOfOptions(options) {
  need(isObject(options), "The options are no object.");
  for (const [name, value] of Object.entries(options)) {
    const simple = isText(value) || isInteger(value, -LARGEST) || typeof value === "boolean";
    need(isText(name) && simple, `Option ${show(name)} is no text, integer or boolean.`);
  }
}

function checkFormOfSeats(seats) {
  const right = Array.isArray(seats) && seats.length >= 1 && seats.length <= 256;
  need(right, "The seats are no list of 1 to 256.");
  seats.forEach((seat, number) => {
    members(seat, ["kind", "level"], `Seat ${number}`);
    const isHuman = seat.kind === "human" && seat.level === null;
    const isBot = seat.kind === "bot" && isText(seat.level);
    need(isHuman || isBot, `Seat ${number} is neither a human without a level nor a bot with one.`);
  });
}

function checkFormOfFairness(fairness, seats) {
  members(fairness, ["commitment", "client_seeds", "server_seed"], "The fairness");
  for (const name of ["commitment", "server_seed"]) {
    need(matches(/^[0-9a-f]{64}$/, fairness[name]), `The ${name} is not 64 lower-case hex digits.`);
  }
  const seeds = fairness.client_seeds;
  need(Array.isArray(seeds) && seeds.length === seats, "There are not as many client seeds as seats.");
  seeds.forEach((seed, number) => {
    const right = seed === null || matches(/^[0-9a-f]{1,64}$/, seed);
    need(right, `The client seed of seat ${number} is not 1 to 64 lower-case hex digits.`);
  });
}

function checkFormOfDraws(draws, line) {
  need(Array.isArray(draws), "What was drawn is no list.", line);
  for (const draw of draws) {
    const pair = Array.isArray(draw) && draw.length === 2 && ["roll", "shuffle"].includes(draw[0]);
    need(pair && Array.isArray(draw[1]), "A draw is no roll or shuffle with a list.", line);
    const small = draw[1].length <= 256 && draw[1].every((value) => isInteger(value, 0, 255));
    need(small, "A draw is not of at most 256 integers from 0 to 255.", line);
  }
}

function checkFormOfLine(line, count) {
  const known = isObject(line) && isText(line.kind) && Object.hasOwn(LINES, line.kind);
  need(known, "The line is no move, left or ended.", count);
  members(line, LINES[line.kind], "The line", count);
  for (const name of ["number", "seat"]) {
    need(!(name in line) || isInteger(line[name]), `The line's ${name} is no integer from 0.`, count);
  }
  for (const name of ["by", "move", "reason"]) {
    need(!(name in line) || isText(line[name]), `The line's ${name} is no text.`, count);
  }
  if ("chance" in line) checkFormOfDraws(line.chance, count);
}

function checkFormOfOutcome(outcome) {
  members(outcome, ["winners", "reason", "scores"], "The outcome");
  need(isText(outcome.reason), "The outcome's reason is no text.");
  for (const name of ["winners", "scores"]) {
    const numbers = outcome[name];
    const right = Array.isArray(numbers) && numbers.every((number) => isInteger(number, -LARGEST));
    need(right && numbers.length <= 256, `The outcome's ${name} are no list of integers.`);
  }
}

const isObject = (thing) => typeof thing === "object" && thing !== null && !Array.isArray(thing);
const matches = (pattern, value) => typeof value === "string" && pattern.test(value);
const isText = (value) => matches(/^[ !#-[\]-~]{0,64}$/, value); // printable ASCII without " and \
const isInteger = (value, low = 0, high = LARGEST) =>
  Number.isInteger(value) && low <= value && value <= high;

function members(thing, names, what, line = null) {
  const own = isObject(thing) ? Object.keys(thing) : [];
  const exact = own.length === names.length && names.every((name) => own.includes(name));
  need(exact, `${what} is no object with exactly the members ${names.join(", ")}.`, line);
}

function checkHash(record) {
  const { hash, ...rest } = record;
  const right = hexOf(sha256(asciiOf(canonical(rest))));
  need(hash === right, `The hash is not that of the record, which is ${right}.`);
}

/** JSON without spaces, the members of all objects sorted by name. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const named = Object.keys(value).sort();
  return `{${named.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// --- The rules -----------------------------------------------------------------------------------

const GAMES = new Map([
  ["pickomino 1", Pickomino],
  ["7776 1", SevenSevenSevenSix],
  ["dominoes 1", Dominoes],
]);

function checkRules(record) {
  const { game, rules_version: version } = record;
  const rules = GAMES.get(`${game} ${version}`);
  need(rules, `Version ${version} of the rules of a game ${show(game)} is not known here.`);
  const seats = record.seats.length;
  const [least, most] = [rules.SEATS[0], rules.SEATS.at(-1)];
  need(seats >= least && seats <= most, `${game} has ${least} to ${most} seats, and not ${seats}.`);
  checkOptions(record.options, rules.OPTIONS);
  checkOutcome(record.outcome, playAgain(rules, record));
}

function checkOptions(options, allowed) {
  const names = [...new Set([...Object.keys(options), ...Object.keys(allowed)])].sort();
  for (const name of names) {
    need(Object.hasOwn(allowed, name), `The game has no option ${show(name)}.`);
    need(Object.hasOwn(options, name), `The option ${show(name)} is missing.`);
    const right = allowed[name].includes(options[name]);
    need(right, `The option ${show(name)} can't be ${show(options[name])}.`);
  }
}

/** The game at its end. Throws Wrong with the first line that the rules do not allow. */
function playAgain(rules, record) {
  let count = 0;
  let play;
  try {
    play = new Play(rules, record);
    for (const line of record.lines) {
      count += 1;
      play.goOn(line);
    }
  } catch (wrong) {
    if (wrong instanceof Wrong) wrong.line = count;
    throw wrong;
  }
  need(play.reason !== null, "The game is not over with the last line.");
  return play;
}

/** A game as far as it has been played again, and who is still in it. */
class Play {
  constructor(rules, record) {
    const luck = new Luck(record.start);
    this.game = new rules(record.seats.length, record.options, luck);
    luck.mustBeUsedUp();
    this.kinds = record.seats.map((seat) => seat.kind);
    this.inside = range(0, this.kinds.length); // the seats that have not left
    this.moves = 0;
    this.reason = null; // why the game is over, once it is
    this.winners = [];
  }

  goOn(line) {
    need(this.reason === null, "The game was over before this line.");
    if (line.kind === "move") {
      this.move(line);
    } else if (line.kind === "left") {
      this.leave(line.seat);
    } else {
      const known = ["abandoned", "voided"].includes(line.reason);
      need(known, `A game is not ended from outside for the reason ${show(line.reason)}.`);
      this.reason = line.reason;
    }
  }

  move({ number, seat, by, move, chance }) {
    this.moves += 1;
    need(number === this.moves, `This is move ${this.moves}, and its number is ${number}.`);
    const toMove = this.game.toMove();
    need(toMove.includes(seat), `Seat ${seat} moved, and it was on seat ${toMove.join(" or ")} to move.`);
    const legal = this.game.legal(seat);
    need(legal.includes(move), `Seat ${seat} may not ${show(move)}. It may: ${legal.join(", ")}.`);
    this.checkBy(seat, by);
    const luck = new Luck(chance);
    this.game.apply(seat, move, luck);
    luck.mustBeUsedUp();
    if (this.game.over) {
      this.reason = "played_out";
      this.winners = this.game.winners(this.inside);
    }
  }

  checkBy(seat, by) {
    if (this.kinds[seat] === "bot") {
      need(by === "bot", `Seat ${seat} is a bot's, and the move is by ${show(by)}.`);
    } else if (this.inside.includes(seat)) {
      const right = by === "player" || by === "stand_in";
      need(right, `Seat ${seat} is a human's, and the move is by ${show(by)}.`);
    } else {
      need(by === "stand_in", `Seat ${seat} has left, and the move is by ${show(by)}, no stand-in.`);
    }
  }

  leave(seat) {
    need(this.kinds[seat] === "human", `Seat ${seat} leaves, and is no human's.`);
    need(this.inside.includes(seat), `Seat ${seat} leaves a second time.`);
    this.inside = this.inside.filter((other) => other !== seat);
    if (!this.inside.some((other) => this.kinds[other] === "human")) {
      this.reason = "abandoned";
    } else if (this.inside.length === 1) {
      this.reason = "forfeit";
      this.winners = this.inside;
    }
  }
}

function checkOutcome(outcome, { reason, winners, game }) {
  for (const [name, right] of Object.entries({ reason, winners, scores: game.scores() })) {
    const [told, known] = [show(outcome[name]), show(right)];
    need(told === known, `The outcome has the ${name} ${told}, and the rules give ${known}.`);
  }
}

// --- The seeds -----------------------------------------------------------------------------------

/** Against the commitment that was kept, too, if one was. Without the right seed no draw can be right. */
function checkSeeds(record, kept) {
  checkCommitment(record.fairness, kept);
  checkClientSeeds(record.fairness.client_seeds, record.seats);
  checkDraws(record);
}

function checkCommitment({ server_seed: seed, commitment }, kept) {
  const same = kept === null || commitment === kept.toLowerCase();
  need(same, `The commitment is ${commitment}, and the one that was kept is ${kept}.`);
  const right = hexOf(sha256(fromHex(seed)));
  need(commitment === right, `The commitment is not that of the server seed, which is ${right}.`);
}

/** A bot's would be the server's, who knows all others: it could try many, and so choose the luck. */
function checkClientSeeds(seeds, seats) {
  for (const [number, seed] of seeds.entries()) {
    const isBot = seats[number].kind === "bot";
    need(seed === null || !isBot, `Seat ${number} is a bot's, and has a client seed.`);
  }
}

function checkDraws({ fairness, table, start, lines }) {
  const steps = [{ kind: "move", number: 0, chance: start }, ...lines];
  for (const [count, step] of steps.entries()) {
    if (step.kind !== "move") continue;
    const block = new Block(fairness.server_seed, table, fairness.client_seeds, step.number);
    for (const [kind, values] of step.chance) {
      const right = show(kind === "roll" ? block.roll(values.length) : block.shuffle(values.length));
      const told = show(values);
      need(told === right, `The record has the ${kind} ${told}, and the seeds give ${right}.`, count);
    }
  }
}

// --- The answer ----------------------------------------------------------------------------------

/**
 * Is the record true? With `kept`, the commitment that you kept, it must be that one's too.
 *
 * `line` and `problem` are those of the first line that goes wrong: 0 is the start, null the record as a
 * whole. `whole`, `rules` and `seeds` tell what holds; where the form is broken, the other two could not be
 * asked, and are null. `problems` has at most one of each part.
 */
export function verify(record, kept = null) {
  const form = ask("whole", checkForm, record);
  if (form.length) return answer(form, { whole: false, rules: null, seeds: null });
  const problems = [
    ...ask("whole", checkHash, record),
    ...ask("rules", checkRules, record),
    ...ask("seeds", checkSeeds, record, kept),
  ];
  const holds = (part) => problems.every((problem) => problem.part !== part);
  return answer(problems, { whole: holds("whole"), rules: holds("rules"), seeds: holds("seeds") });
}

function answer(problems, parts) {
  const place = ({ line }) => line ?? Infinity;
  problems.sort((one, other) => (place(one) > place(other)) - (place(one) < place(other)));
  const { line, text: problem } = problems[0] ?? { line: null, text: null };
  return { ok: problems.length === 0, line, problem, ...parts, problems };
}

function ask(part, check, ...about) {
  try {
    check(...about);
  } catch (wrong) {
    if (wrong instanceof Wrong) return [{ part, line: wrong.line, text: wrong.message }];
    throw wrong;
  }
  return [];
}

/** The record in a JSON text. Throws SyntaxError also for what others could read otherwise. */
export function parse(source) {
  let members = 0;
  const record = JSON.parse(source, (_, value) => {
    if (isObject(value)) members += Object.keys(value).length;
    return value;
  });
  const outside = source.replace(/"(\\.|[^"\\])*"/g, '"'); // without what is written in strings
  if (outside.split(":").length - 1 > members) throw new SyntaxError("An object has a member twice.");
  if (/\d[.eE]/.test(outside)) throw new SyntaxError("A number is no integer.");
  return record;
}

async function main(path, ...kept) {
  const { readFile } = await import("node:fs/promises");
  let record;
  if (path === undefined || kept.length > 1) {
    process.stderr.write("node play/verify.js FILE [COMMITMENT]\n");
    process.exitCode = 2;
    return;
  }
  try {
    record = parse(await readFile(path, "utf8"));
  } catch (error) {
    process.stdout.write(`There is no record to read: ${error.message}\n`);
    process.exitCode = error.code === undefined ? 1 : 2;
    return;
  }
  const result = verify(record, ...kept);
  process.stdout.write(report(record, result).join("\n") + "\n");
  process.exitCode = result.ok ? 0 : 1;
}

/** What was checked, and what is wrong, for people to read. */
function report(record, result) {
  const holds = { true: "yes", false: "NO ", null: "could not be asked" };
  const what = checked(record, result);
  const rows = Object.keys(what).map((part) => `${part}  ${holds[result[part]]}  ${what[part]}`);
  const problems = result.problems.map((problem) => placed(problem, record));
  if (!result.ok) return [...rows, "The record is not true.", ...problems];
  const { commitment } = record.fairness;
  return [...rows, "The record is true, if this is the commitment that you were shown:", commitment];
}

function checked(record, result) {
  if (result.rules === null) return { whole: "the form", rules: "", seeds: "" };
  const moves = record.lines.filter((line) => line.kind === "move");
  const draws = record.start.length + sum(moves.map((line) => line.chance.length));
  return {
    whole: "the form, and the hash",
    rules: `${record.game}, ${record.seats.length} seats: ${moves.length} moves, and the outcome`,
    seeds: `the commitment, and ${draws} throws and shuffles`,
  };
}

/** The problem with its line, and the number of that line's move if it is one. */
function placed({ line, text: problem }, record) {
  if (line === null) return problem;
  if (line === 0) return `Line 0, the start: ${problem}`;
  const number = record.lines[line - 1]?.number;
  return `Line ${line}${number === undefined ? "" : `, move ${number}`}: ${problem}`;
}

// --- Small things --------------------------------------------------------------------------------

function range(from, to) {
  return Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}

function count(things, wanted) {
  return things.filter((thing) => thing === wanted).length;
}

/** Those of the seats that share the highest rank. */
function best(among, rank) {
  const highest = Math.max(...among.map(rank));
  return among.filter((seat) => rank(seat) === highest);
}

// Run as a command, and not imported: a browser has no process, and node's tests another file.
const command = typeof process === "object" ? process.argv?.[1]?.split(/[\\/]/).at(-1) : undefined;
if (command !== undefined && import.meta.url.endsWith(`/${command}`)) main(...process.argv.slice(2));
