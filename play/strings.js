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

export const strings = {
  title: "Boneyard",
  you: "You",

  // --- The boards: one part for each -----------------------------------------------------------------

  pickomino: {
    name: "Pickomino",
    worms: (number) => count(number, { one: "worm", other: "worms" }),
  },

  7776: {
    name: "7776",
  },

  dominoes: {
    name: "Dominoes",
  },
};
