"""What pgbench is given: the bare statements that any server must make for the same, and their tables."""

ROWS = 500
LOBBY_ROWS = 100_000
EVENTS = 1_000

TABLES = f"""
DROP SCHEMA IF EXISTS bench CASCADE;
CREATE SCHEMA bench;
CREATE TABLE bench.tables (id bigint PRIMARY KEY, version integer NOT NULL, state jsonb NOT NULL)
    WITH (fillfactor = 50);
CREATE TABLE bench.moves (
    table_id bigint NOT NULL, number integer NOT NULL, move varchar(64) NOT NULL, at timestamptz NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE TABLE bench.tokens (digest varchar(64) PRIMARY KEY);
CREATE TABLE bench.lobby (
    id bigint PRIMARY KEY, game varchar(32) NOT NULL, status varchar(9) NOT NULL, options jsonb NOT NULL
);
CREATE TABLE bench.seats (
    table_id bigint NOT NULL, number integer NOT NULL, name varchar(24) NOT NULL,
    PRIMARY KEY (table_id, number)
);
CREATE TABLE bench.events (
    table_id bigint NOT NULL, number integer NOT NULL, kind varchar(16) NOT NULL, data jsonb NOT NULL,
    at timestamptz NOT NULL, PRIMARY KEY (table_id, number)
);
INSERT INTO bench.tokens SELECT encode(sha256(n::text::bytea), 'hex') FROM generate_series(1, {ROWS}) n;
INSERT INTO bench.lobby SELECT n, 'pickomino', 'open', '{{"collect": "any"}}'
    FROM generate_series(1, {LOBBY_ROWS}) n;
INSERT INTO bench.seats SELECT id, 0, 'Ann' FROM bench.lobby;
INSERT INTO bench.events SELECT id, n, 'rolled', '{{"dice": [1, 2, 3, 4, 5, 6, 1, 2]}}', now()
    FROM generate_series(1, 20) id, generate_series(1, {EVENTS}) n;
"""

# The transaction of any server that keeps a table's state in a row: lock and read, write back, add a move.
PLAIN = f"""
\\set id random(1, {ROWS})
BEGIN;
SELECT version, state FROM bench.tables WHERE id = :id FOR NO KEY UPDATE \\gset
UPDATE bench.tables SET version = :version + 1, state = :state WHERE id = :id;
INSERT INTO bench.moves (table_id, number, move, at) VALUES (:id, :version, 'save W', now());
COMMIT;
"""

# One statement that does as much, for who needs not read first.
GUARDED = f"""
\\set id random(1, {ROWS})
WITH moved AS (
    UPDATE bench.tables SET version = version + 1, state = :state WHERE id = :id AND version > 0
    RETURNING id, version
)
INSERT INTO bench.moves (table_id, number, move, at) SELECT id, version - 1, 'save W', now() FROM moved;
"""

LOOK = f"""
\\set id random(1, {ROWS})
SELECT version, state FROM bench.tables WHERE id = :id;
"""

LOBBY = """
SELECT id, game, status, options, (SELECT json_agg(s.name) FROM bench.seats s WHERE s.table_id = t.id)
FROM bench.lobby t WHERE status IN ('open', 'playing') ORDER BY id DESC LIMIT 50;
"""

PAGE = """
\\set id random(1, 20)
SELECT number, kind, data, at FROM bench.events WHERE table_id = :id ORDER BY number LIMIT 500;
"""

SCRIPTS = {"plain": PLAIN, "guarded": GUARDED, "look": LOOK, "lobby": LOBBY, "page": PAGE}
