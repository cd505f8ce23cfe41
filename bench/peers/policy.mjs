// What every player does, whatever the server: many dice of a low number first, and no domino that can be left.
//
// So turns end in busts that return hardly anything, and a match goes on for hundreds of moves.

const DICE = 8
const WORM = 6

// One of the legal moves. A position: `seat` to move, `dice` 1–6 (6 is the worm) not chosen from yet, `saved[f - 1]`
// dice that show f, the `total` of those, the `tops` of both stacks, the dominoes on the `bbq`, ascending.
export function choose({ seat, dice, saved, total, tops, bbq }) {
  if (dice.length) return `save ${named(best(dice, saved))}`
  const left = DICE - saved.reduce((sum, count) => sum + count, 0)
  if (left && saved.includes(0)) return 'roll'
  return tops[1 - seat] === total ? `steal ${total}` : `collect ${bbq[0]}`
}

const named = (face) => (face === WORM ? 'W' : face)

function best(dice, saved) {
  const worth = (face) => (face === WORM ? -DICE : dice.filter((die) => die === face).length - face)
  const faces = [1, 2, 3, 4, 5, 6].filter((face) => dice.includes(face) && !saved[face - 1])
  return faces.reduce((one, other) => (worth(other) > worth(one) ? other : one))
}
