// The dice game that the peers play: Pickomino for two, by Boneyard's rules with `turn_over_on_empty_bust` off.
//
// A state is plain: numbers, strings, arrays of fixed shape. It is changed in place and never given a new object,
// so that the same rules serve immer's drafts (boardgame.io) and Colyseus' schemas. Dice show 1–6, 6 is the worm;
// `saved[f - 1]` dice show f. A domino lies on the "bbq", or "down", or in the "stack" of who has it.

const DICE = 8
const WORM = 6
const VALUES = [1, 2, 3, 4, 5, 5]

export const start = () => ({
  seat: 0,
  moves: 0,
  dice: [],
  saved: [0, 0, 0, 0, 0, 0],
  dominoes: Array.from({ length: 16 }, (_, n) => ({ domino: n + 21, worms: (n >> 2) + 1, at: 'bbq' })),
  stacks: [{ dominoes: [] }, { dominoes: [] }],
})

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
const total = (state) => sum(VALUES.map((value, index) => value * state.saved[index]))
const diceLeft = (state) => DICE - sum(VALUES.map((_, index) => state.saved[index]))
const numbersSaved = (state) => VALUES.filter((_, index) => state.saved[index]).length
const onBbq = (state) => state.dominoes.filter((domino) => domino.at === 'bbq').map((domino) => domino.domino)
const top = (state, seat) => state.stacks[seat].dominoes[state.stacks[seat].dominoes.length - 1]

// What a player goes by; see policy.mjs.
export const position = (state) => ({
  seat: state.seat,
  dice: state.dice,
  saved: state.saved,
  total: total(state),
  tops: [top(state, 0), top(state, 1)],
  bbq: onBbq(state),
})

export function legalMoves(state) {
  if (state.dice.length) {
    return VALUES.map((_, index) => index + 1)
      .filter((face) => state.dice.includes(face) && !state.saved[face - 1])
      .map((face) => `save ${face === WORM ? 'W' : face}`)
  }
  if (!numbersSaved(state)) return onBbq(state).length ? ['roll'] : []
  const moves = diceLeft(state) && state.saved.includes(0) ? ['roll'] : []
  if (!state.saved[WORM - 1]) return moves
  const steals = top(state, 1 - state.seat) === total(state) ? [`steal ${total(state)}`] : []
  const collects = onBbq(state).filter((domino) => domino <= total(state)).map((domino) => `collect ${domino}`)
  return [...collects, ...steals, ...moves]
}

// Makes one of the legal moves; `roll(n)` gives n faces. True when the turn has ended.
export function apply(state, move, roll) {
  const [word, what] = move.split(' ')
  state.moves += 1
  switch (word) {
    case 'roll':
      state.dice.push(...roll(diceLeft(state)))
      break
    case 'save': {
      const face = what === 'W' ? WORM : Number(what)
      state.saved[face - 1] = state.dice.filter((die) => die === face).length
      state.dice.splice(0, state.dice.length)
      break
    }
    case 'steal':
      state.stacks[1 - state.seat].dominoes.pop()
      return take(state, Number(what))
    case 'collect':
      return take(state, Number(what))
  }
  if (legalMoves(state).length) return false
  bust(state)
  return endTurn(state)
}

function take(state, number) {
  state.dominoes[number - 21].at = 'stack'
  state.stacks[state.seat].dominoes.push(number)
  return endTurn(state)
}

function bust(state) {
  const returned = top(state, state.seat)
  if (returned === undefined) return
  state.stacks[state.seat].dominoes.pop()
  state.dominoes[returned - 21].at = 'bbq'
  const largest = Math.max(...onBbq(state))
  if (largest !== returned) state.dominoes[largest - 21].at = 'down'
}

function endTurn(state) {
  state.dice.splice(0, state.dice.length)
  for (const index of VALUES.keys()) state.saved[index] = 0
  state.seat = 1 - state.seat
  return true
}
