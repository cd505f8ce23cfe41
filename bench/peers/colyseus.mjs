// The dice game under Colyseus, in memory: `node colyseus.mjs PORT`. Each move sends the state's patch at once.
import { randomInt } from 'node:crypto'
import { Room, Server } from '@colyseus/core'
import { ArraySchema, schema } from '@colyseus/schema'
import { WebSocketTransport } from '@colyseus/ws-transport'
import * as dice from './game.mjs'

const Domino = schema({ domino: 'uint8', worms: 'uint8', at: 'string' })
const Stack = schema({ dominoes: ['uint8'] })
const State = schema({
  seat: 'uint8',
  moves: 'uint32',
  dice: ['uint8'],
  saved: ['uint8'],
  dominoes: [Domino],
  stacks: [Stack],
})

function start() {
  const { dominoes, stacks, ...plain } = dice.start()
  return new State().assign({
    ...plain,
    dominoes: new ArraySchema(...dominoes.map((domino) => new Domino().assign(domino))),
    stacks: new ArraySchema(...stacks.map((stack) => new Stack().assign(stack))),
  })
}

const roll = (count) => Array.from({ length: count }, () => randomInt(1, 7))

class DiceRoom extends Room {
  maxClients = 2
  patchRate = null
  state = start()

  onCreate() {
    this.onMessage('move', (client, line) => this.move(client, line))
  }

  onJoin(client) {
    client.userData = { seat: this.clients.length - 1 }
  }

  move(client, line) {
    if (client.userData.seat !== this.state.seat || !dice.legalMoves(this.state).includes(line)) {
      client.send('refused', line)
      return
    }
    dice.apply(this.state, line, roll)
    this.broadcastPatch()
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false })
server.define('dice', DiceRoom)
await server.listen(Number(process.argv[2]), '127.0.0.1')
