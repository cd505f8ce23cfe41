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
const otherwise = (each) => (never.includes(each) ? "never fails" : Number(each) ? "or −70" : "or −10");
const failing = Object.fromEntries(Object.keys(combinations).map((each) => [each, otherwise(each)]));

const tiles = (number) => count(number, { one: "tile", other: "tiles" });
const alternatives = (words) => new Intl.ListFormat(language, { type: "disjunction" }).format(words);
const headings = { up: "upwards", down: "downwards", left: "to the left", right: "to the right" };

export const strings = {
  title: "Boneyard",
  you: "You",

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
    told: {
      rolled: (who, thrown) => `${who} rolled ${thrown.join(" ")}.`,
      saved: (who, number, face, total) => `${who} saved ${group(number, face)}: ${total} in all.`,
      collected: (who, domino, number) => `${who} collected ${domino}, ${worms(number)}.`,
      stole: (who, domino, number, from) => `${who} stole ${domino}, ${worms(number)}, from ${from}.`,
      busted: (who, reason, thrown) => {
        if (reason === "nothing_to_take") return `${who} busted: nothing to take.`;
        return thrown ? `${who} rolled ${thrown.join(" ")}: all saved already.` : `${who} busted: no new number.`;
      },
      after: (returned, turned) => {
        const then = [returned && `${returned} goes back`, turned && `${turned} is turned over`];
        return then.some(Boolean) ? ` ${then.filter(Boolean).join(", ")}.` : "";
      },
    },
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
    usedBy: (who) => `${who} has used it`,
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
    told: {
      threw: (who, round, thrown) => `${who} threw for round ${round}${thrown ? `: ${thrown.join(" ")}` : ""}.`,
      chose: (who, choice) => (choice ? `${who} chose ${choice}.` : `${who} has chosen in secret.`),
      revealed: (who, thrown, choice, points) => `${who}: ${thrown.join(" ")}, ${choice}, ${signed(points)}.`,
    },
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
      return who ? `${how}: ${who} won ${count(points, { one: "point", other: "points" })}.` : `${how}: drawn, no points.`;
    },
    told: {
      dealt: (who, number, round) => `${who} was dealt ${tiles(number)} for round ${round}.`,
      laid: (who, tile, end, corner) =>
        `${who} laid ${tile}${end ? ` at the ${end} end` : ""}${corner ? ", around a corner" : ""}.`,
      drew: (who, tile) => `${who} drew ${tile ?? "a tile"}.`,
      passed: (who) => `${who} passed: nothing fits, and nothing is covered.`,
      straightened: "The row was straightened.",
      held: (who, hand, pips) =>
        hand.length ? `${who} held ${hand.join(", ")}: ${count(pips, { one: "pip", other: "pips" })}.` : `${who} held nothing.`,
    },
  },
};
