// Players of Colyseus, by its own client. A move is confirmed by the patch of the state that holds it.
import { Client } from 'colyseus.js'
import { position } from './game.mjs'
import { choose } from './policy.mjs'

class Player {
  constructor(room) {
    this.room = room
    this.after = Infinity
    room.onStateChange((state) => state.moves > this.after && this.confirm())
    room.onMessage('refused', (line) => this.refuse(new Error(`refused: ${line}`)))
  }

  move(moves, line) {
    this.after = moves
    const confirmed = new Promise((resolve, reject) => Object.assign(this, { confirm: resolve, refuse: reject }))
    this.room.send('move', line)
    return confirmed
  }
}

class Match {
  async open(url) {
    const first = await new Client(url).create('dice')
    const second = await new Client(url).joinById(first.roomId)
    this.players = [new Player(first), new Player(second)]
    await Promise.all(this.players.map(({ room }) => room.state.dominoes?.length || once(room)))
    return this
  }

  get state() {
    const [first, second] = this.players.map(({ room }) => room.state)
    return second.moves > first.moves ? second : first
  }

  get size() {
    return JSON.stringify(this.state).length
  }

  move() {
    const { state } = this
    return this.players[state.seat].move(state.moves, choose(position(state)))
  }

  async close() {
    await Promise.all(this.players.map(({ room }) => room.leave()))
  }
}

const once = (room) => new Promise((resolve) => room.onStateChange.once(resolve))

export const enter = async (url, matches) => Array.from({ length: matches }, () => () => new Match().open(url))
