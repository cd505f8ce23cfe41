// The dice game under boardgame.io: `node boardgame.mjs PORT memory|thin|bgio-postgres`.
//
// In its favour: no undo, which would keep all states of a turn inside the state. package.json holds koa-compose at
// 4.1.0: later ones no longer see the lobby's routes, which boardgame.io adds when its server is made already.
import { createRequire } from 'node:module'
import * as dice from './game.mjs'
import { ThinStore } from './thin_store.mjs'

const require = createRequire(import.meta.url)
const { INVALID_MOVE } = require('boardgame.io/core')
const { Server } = require('boardgame.io/server')
const { PostgresStore } = require('bgio-postgres')

const CONNECTIONS = 20

function move(word) {
  return ({ G, random, events }, what) => {
    const line = what === undefined ? word : `${word} ${what}`
    if (!dice.legalMoves(G).includes(line)) return INVALID_MOVE
    if (dice.apply(G, line, (count) => random.D6(count))) events.endTurn()
  }
}

const game = {
  name: 'dice',
  minPlayers: 2,
  maxPlayers: 2,
  disableUndo: true,
  setup: dice.start,
  moves: { roll: move('roll'), save: move('save'), collect: move('collect'), steal: move('steal') },
}

function postgresStore() {
  const { PGHOST: host, PGPORT: port, PGUSER: username, PGPASSWORD: password, PGDATABASE: database } = process.env
  return new PostgresStore({
    ...{ host, port, username, password, database, dialect: 'postgres', logging: false },
    pool: { max: CONNECTIONS },
  })
}

const STORES = {
  memory: () => undefined, // its own default
  thin: () => new ThinStore(CONNECTIONS),
  'bgio-postgres': postgresStore,
}

const [port, store] = process.argv.slice(2)
await Server({ games: [game], db: STORES[store](), origins: [/127\.0\.0\.1/] }).run(Number(port))
