// Players of Boneyard over HTTP/1.1, each with a connection that is kept; with `streams` each also listens to the table.
//
// A move is confirmed by its answer, which comes after the commit.
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { choose } from './policy.mjs'

const OPTIONS = { first: 'seat_0', turn_over_on_empty_bust: false }
const SAVED = [1, 2, 3, 4, 5, 'W']

class Player {
  constructor(url) {
    this.url = `${url}/api/v1`
    this.agent = new Agent({ keepAlive: true, maxSockets: 1 })
  }

  async enter() {
    const { token } = await this.call('POST', '/sessions', { name: `p ${randomBytes(8).toString('hex')}`, secret: 'dice' })
    this.headers = { Authorization: `Bearer ${token}` }
    return this
  }

  call(method, path, body) {
    const { agent, headers } = this
    const sent = body ? JSON.stringify(body) : ''
    const described = sent ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(sent) } : {}
    return new Promise((resolve, reject) => {
      const asked = request(this.url + path, { method, agent, headers: { ...headers, ...described } }, (answer) => {
        const parts = []
        answer.on('data', (part) => parts.push(part))
        answer.on('end', () => {
          const told = Buffer.concat(parts).toString()
          if (answer.statusCode >= 400) reject(new Error(`${answer.statusCode}: ${told}`))
          else resolve(told && JSON.parse(told))
        })
      })
      asked.on('error', reject).end(sent)
    })
  }

  listen(path) {
    return new Promise((resolve, reject) => {
      this.stream = request(this.url + path, { headers: this.headers }, (answer) => {
        answer.once('data', resolve).on('data', () => {})
        answer.on('error', () => {}) // it is cut off when the match is closed
      })
      this.stream.on('error', reject).end()
    })
  }
}

class Match {
  constructor(players, streams) {
    this.players = players
    this.streams = streams
  }

  async open() {
    const [first, second] = this.players
    const { id } = await first.call('POST', '/tables', { game: 'pickomino', capacity: 2, options: OPTIONS })
    this.path = `/tables/${id}`
    this.state = await second.call('POST', `${this.path}/seats`, {})
    if (this.streams) for (const player of this.players) await player.listen(`${this.path}/stream`)
    return this
  }

  get size() {
    return JSON.stringify(this.state).length
  }

  async move() {
    const { view, version, seats } = this.state
    const move = choose(position(view))
    this.state = await this.players[view.seat].call('POST', `${this.path}/moves`, { move, version })
  }

  async close() {
    for (const player of this.players) player.stream?.destroy()
    await this.players[0].call('DELETE', `${this.path}/seats/me`)
  }
}

const face = (die) => (die === 'W' ? 6 : die)

const position = (view) => ({
  seat: view.seat,
  dice: view.dice.map(face),
  saved: SAVED.map((number) => view.saved.find((saved) => saved.face === number)?.count ?? 0),
  total: view.total,
  tops: view.stacks.map((stack) => stack.at(-1)?.domino),
  bbq: view.bbq.map((domino) => domino.domino),
})

export async function enter(url, matches, streams) {
  const everyone = await Promise.all(Array.from({ length: 2 * matches }, () => new Player(url).enter()))
  return Array.from({ length: matches }, (_, n) => () => new Match(everyone.slice(2 * n, 2 * n + 2), streams).open())
}
