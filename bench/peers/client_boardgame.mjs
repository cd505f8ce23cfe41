// Players of boardgame.io: its lobby by HTTP, then its own protocol over plain socket.io, one socket a player.
//
// boardgame.io's JavaScript client would run the game a second time on each side; this one only sends and waits.
// A move is confirmed by the `update` that the server sends to both players, before it has written the move down.
import { io } from 'socket.io-client'
import { position } from './game.mjs'
import { choose } from './policy.mjs'

async function post(url, body) {
  const headers = { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`)
  return answer.json()
}

class Player {
  constructor(match, id) {
    this.match = match
    this.id = id
  }

  async join(url) {
    const seat = { playerID: this.id, playerName: `player ${this.id}` }
    this.credentials = (await post(`${url}/games/dice/${this.match.id}/join`, seat)).playerCredentials
  }

  async connect(url) {
    this.socket = io(`${url}/dice`, { transports: ['websocket'], forceNew: true })
    this.socket.on('update', (_, state) => this.see(state))
    const synced = new Promise((resolve) => this.socket.on('sync', (_, { state }) => resolve(state)))
    this.socket.emit('sync', this.match.id, this.id, this.credentials, 2)
    this.see(await synced)
  }

  see(state) {
    if (!(this.match.state?._stateID > state._stateID)) this.match.state = state
    if (state._stateID > this.after) this.confirm()
  }

  move(line) {
    const [type, ...args] = line.split(' ')
    this.after = this.match.state._stateID
    const confirmed = new Promise((resolve) => (this.confirm = resolve))
    const payload = { type, args, playerID: this.id, credentials: this.credentials }
    this.socket.emit('update', { type: 'MAKE_MOVE', payload }, this.after, this.match.id, this.id)
    return confirmed
  }
}

class Match {
  async open(url) {
    this.id = (await post(`${url}/games/dice/create`, { numPlayers: 2 })).matchID
    this.players = [new Player(this, '0'), new Player(this, '1')]
    // All join before any connects: while a connection is noted, boardgame.io may forget who joins.
    for (const player of this.players) await player.join(url)
    for (const player of this.players) await player.connect(url)
    return this
  }

  get size() {
    return JSON.stringify(this.state).length
  }

  move() {
    return this.players[this.state.ctx.currentPlayer].move(choose(position(this.state.G)))
  }

  async close() {
    for (const player of this.players) player.socket.disconnect()
  }
}

export const enter = async (url, matches) => Array.from({ length: matches }, () => () => new Match().open(url))
