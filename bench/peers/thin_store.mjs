// The thinnest PostgreSQL store that boardgame.io's interface allows: each call is one prepared statement.
//
// A move makes four calls: fetch the metadata, fetch the state, then set both. The log is rows that are only added.
// The metadata has a row of its own, or its update would wait for the state's, which runs beside it.
import { createRequire } from 'node:module'
import pg from 'pg'

const { Async } = createRequire(import.meta.url)('boardgame.io/internal')

const TABLES = `
  CREATE TABLE IF NOT EXISTS thin_match
    (id text PRIMARY KEY, version integer NOT NULL, state json NOT NULL, initial json NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS thin_metadata (id text PRIMARY KEY, metadata json NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE IF NOT EXISTS thin_log
    (id text NOT NULL, version integer NOT NULL, entries json NOT NULL, PRIMARY KEY (id, version))`

const STATEMENTS = {
  create: `WITH made AS (INSERT INTO thin_match VALUES ($1, 0, $2, $2))
    INSERT INTO thin_metadata VALUES ($1, $3)`,
  setState: `WITH moved AS (UPDATE thin_match SET state = $2, version = $3 WHERE id = $1 AND version < $3 RETURNING id)
    INSERT INTO thin_log SELECT id, $3, $4 FROM moved`,
  setMetadata: 'UPDATE thin_metadata SET metadata = $2 WHERE id = $1',
  state: 'SELECT state FROM thin_match WHERE id = $1',
  metadata: 'SELECT metadata FROM thin_metadata WHERE id = $1',
  initialState: 'SELECT initial AS "initialState" FROM thin_match WHERE id = $1',
  log: 'SELECT coalesce(json_agg(entries ORDER BY version), \'[]\') AS log FROM thin_log WHERE id = $1',
  wipe: 'DELETE FROM thin_match WHERE id = $1',
  list: 'SELECT id FROM thin_match',
}

export class ThinStore extends Async {
  constructor(connections) {
    super()
    this.pool = new pg.Pool({ max: connections })
  }

  async connect() {
    await this.pool.query(TABLES)
  }

  async createMatch(id, { initialState, metadata }) {
    await this.run('create', id, JSON.stringify(initialState), JSON.stringify(metadata))
  }

  async setState(id, state, deltalog) {
    await this.run('setState', id, JSON.stringify(state), state._stateID, JSON.stringify(deltalog ?? []))
  }

  async setMetadata(id, metadata) {
    await this.run('setMetadata', id, JSON.stringify(metadata))
  }

  async fetch(id, wanted) {
    const names = Object.keys(wanted).filter((name) => wanted[name])
    const found = await Promise.all(names.map((name) => this.run(name, id)))
    const result = Object.assign({}, ...found.map((rows) => rows[0]))
    if (result.log) result.log = result.log.flat()
    return result
  }

  async wipe(id) {
    await this.run('wipe', id)
  }

  async listMatches() {
    return (await this.run('list')).map((row) => row.id)
  }

  async run(name, ...values) {
    return (await this.pool.query({ name, text: STATEMENTS[name], values })).rows
  }
}
