// Loads on one server: `node load.mjs CLIENT URL PID WARM MATCHES LENGTH…`; prints a line of JSON for each length.
//
// All matches are played at once, each to the same number of moves. A match's next move is made when its last one is
// confirmed. Before that matches are played for WARM seconds, so that both sides run as they do after a while.
import { setTimeout as pause } from 'node:timers/promises'
import { cpu } from './cpu.mjs'

const PARTS = 10
const PATIENCE = 30_000
const WARMING = 400
const SETTLING = 300

const CLIENTS = {
  'boardgame.io': () => import('./client_boardgame.mjs'),
  colyseus: () => import('./client_colyseus.mjs'),
  boneyard: () => import('./client_boneyard.mjs'),
  'boneyard, streams': () => import('./client_boneyard.mjs'),
}

// Notes what the server has used whenever another tenth of all moves is made.
class Meter {
  constructor(pid, moves) {
    this.pid = pid
    this.moves = moves
    this.latencies = []
    this.marks = [cpu(pid)]
    this.begun = performance.now()
  }

  note(latency) {
    this.latencies.push(latency)
    if (this.latencies.length * PARTS >= this.marks.length * this.moves) this.marks.push(cpu(this.pid))
  }

  figures() {
    const seconds = (performance.now() - this.begun) / 1000
    const each = this.moves / PARTS
    return {
      moves: this.moves,
      rate: this.moves / seconds,
      p50: quantile(this.latencies, 0.5),
      p99: quantile(this.latencies, 0.99),
      cpu: (this.marks[PARTS] - this.marks[0]) / this.moves,
      tenths: this.marks.slice(1).map((mark, index) => (mark - this.marks[index]) / each),
    }
  }
}

// The least value that at least that share of all does not exceed.
function quantile(values, share) {
  return values.toSorted((one, other) => one - other)[Math.ceil(values.length * share) - 1]
}

async function play(match, length, until, note) {
  for (let move = 0; move < length && performance.now() < until; move++) {
    const begun = performance.now()
    const stuck = setTimeout(giveUp, PATIENCE, match)
    await match.move()
    clearTimeout(stuck)
    note(performance.now() - begun)
  }
}

function giveUp(match) {
  throw new Error(`no answer to a move in ${PATIENCE} ms; before it: ${JSON.stringify(match.state)}`)
}

async function load(openers, pid, length, until = Infinity) {
  const matches = await Promise.all(openers.map((open) => open()))
  await pause(SETTLING) // until the server is done with what was opened and closed
  const meter = new Meter(pid, length * matches.length)
  await Promise.all(matches.map((match) => play(match, length, until, (latency) => meter.note(latency))))
  const figures = { length, size: matches[0].size, ...meter.figures() }
  await Promise.all(matches.map((match) => match.close()))
  return figures
}

const [client, url, pid, warm, matches, ...lengths] = process.argv.slice(2)
const { enter } = await CLIENTS[client]()
const openers = await enter(url, Number(matches), client.endsWith('streams'))
const warmed = performance.now() + 1000 * warm
while (performance.now() < warmed) await load(openers, pid, WARMING, warmed)
for (const length of lengths) console.log(JSON.stringify(await load(openers, pid, Number(length))))
process.exit(0)
