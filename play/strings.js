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
  },

  dominoes: {
    name: "Dominoes",
  },
};
