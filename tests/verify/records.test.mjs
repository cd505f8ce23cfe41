// play/verify.js finds the kept records true, and in tampered ones what tampering.json says.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import { parse, verify } from "../../play/verify.js";
import { PROGRAM, documented, kept, record, recordPath, tamperings } from "./files.mjs";

const TRUE = { ok: true, line: null, problem: null, whole: true, rules: true, seeds: true, problems: [] };

for (const name of kept()) {
  test(`the record is true: ${name}`, () => assert.deepEqual(verify(record(name)), TRUE));
}

test("the record of the page is true", () => assert.deepEqual(verify(documented().record), TRUE));

test("a record is held against the commitment that was kept", () => {
  const given = record("dominoes");
  assert.deepEqual(verify(given, given.fairness.commitment.toUpperCase()), TRUE);
  const found = verify(given, record("7776").fairness.commitment);
  assert.deepEqual([found.ok, found.whole, found.rules, found.seeds], [false, true, true, false]);
});

function renumber(moves) {
  for (const [place, line] of moves.entries()) line.number = place + 1;
}

function change(changed, edit) {
  const path = edit.set ?? edit.insert ?? edit.remove ?? [];
  const thing = path.slice(0, -1).reduce((inner, step) => inner[step], changed);
  const last = path.at(-1);
  if (edit.set) thing[last] = edit.to;
  else if (edit.insert) thing.splice(last, 0, edit.it);
  else if (edit.renumber) renumber(changed.lines.filter(({ kind }) => kind === "move"));
  else if (Array.isArray(thing)) thing.splice(last, 1);
  else delete thing[last];
}

function tampered({ record: name, edits }) {
  const changed = record(name);
  for (const edit of edits) change(changed, edit);
  return changed;
}

for (const entry of tamperings()) {
  test(`without a new hash it is found: ${entry.kind}`, () => {
    const found = verify(tampered(entry));
    assert.deepEqual([found.ok, found.whole], [false, false]);
    if (entry.finds !== null) return;
    assert.deepEqual([found.rules, found.seeds, found.line], [true, true, null]);
    assert.equal(found.problem, `The hash is not that of the record, which is ${entry.hash}.`);
  });

  test(`with a new hash rules and seeds find what they can: ${entry.kind}`, () => {
    const found = verify({ ...tampered(entry), hash: entry.hash });
    const { whole, rules, seeds, problems } = entry.finds ?? TRUE;
    assert.deepEqual([found.whole, found.rules, found.seeds], [whole, rules, seeds]);
    assert.deepEqual(found.problems.map(({ part, line, text }) => [part, line, text]), problems);
    const [, line, text] = problems[0] ?? [null, null, null];
    assert.deepEqual([found.ok, found.line, found.problem], [problems.length === 0, line, text]);
  });
}

for (const given of [null, 1, "record", [], {}, { format: 1 }, { lines: null }]) {
  test(`nothing that is given makes it fail: ${JSON.stringify(given)}`, () => {
    assert.equal(verify(given).ok, false);
  });
}

const TWICE = ['{"format":1,"format":1}', '{"a":[{"b":1,"b":1}]}'];
for (const text of ["", "{", "\ufeff{}", ...TWICE, '{"a":1.0}', '{"a":1e2}']) {
  test(`what others could read otherwise is no record: ${text}`, () => {
    assert.throws(() => parse(text), SyntaxError);
  });
}

test("what is written in strings does not count as a member or a fraction", () => {
  assert.deepEqual(parse('{"a": "1.5: 2:\\": 1.0", "b": [-0, true]}'), { a: '1.5: 2:": 1.0', b: [-0, true] });
});

const run = (...options) => spawnSync(process.execPath, [PROGRAM, ...options], { encoding: "utf8" });

test("the command tells what was checked", () => {
  const done = run(recordPath("dominoes"));
  assert.deepEqual([done.status, done.stderr], [0, ""]);
  assert.deepEqual(done.stdout.trim().split("\n"), [
    "whole  yes  the form, and the hash",
    "rules  yes  dominoes, 3 seats: 19 moves, and the outcome",
    "seeds  yes  the commitment, and 2 throws and shuffles",
    "The record is true, if this is the commitment that you were shown:",
    record("dominoes").fairness.commitment,
  ]);
});

test("the command tells what is wrong, or that there is nothing", () => {
  const other = run(recordPath("dominoes"), "00".repeat(32));
  assert.equal(other.status, 1);
  assert.match(other.stdout, /The record is not true\.\nThe commitment is d88e/);
  assert.equal(run(PROGRAM).status, 1);
  assert.equal(run("no such file").status, 2);
  assert.equal(run().status, 2);
});
