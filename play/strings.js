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
  },
};
