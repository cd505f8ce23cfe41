// play/verify.js draws what docs/fairness.md says that the seeds give.

import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { test } from "node:test";

import { Block, hmac, sha256 } from "../../play/verify.js";
import { documented } from "./files.mjs";

const { cases } = documented();
const block = (example, number) =>
  new Block(example.server_seed, example.table, example.client_seeds, number);
const hex = (bytes) => Buffer.from(bytes).toString("hex");
const some = (length) => Array.from({ length }, (_, place) => (place * 7 + length) % 256);

test("SHA-256 is node's, whatever the length", () => {
  for (let length = 0; length < 200; length += 1) {
    const wanted = createHash("sha256").update(Buffer.from(some(length))).digest("hex");
    assert.equal(hex(sha256(some(length))), wanted);
  }
});

test("HMAC is node's", () => {
  const wanted = createHmac("sha256", Buffer.from(some(32))).update(Buffer.from(some(150))).digest("hex");
  assert.equal(hex(hmac(some(32), some(150))), wanted);
});

for (const example of cases) {
  const name = example.server_seed.slice(0, 8);

  test(`a block gives the draws in order: ${name}`, () => {
    for (const { n, draws } of example.blocks) {
      const drawing = block(example, n);
      for (const [kind, values] of draws) assert.deepEqual(drawing[kind](values.length), values);
    }
  });

  test(`the commitment is that of the seed: ${name}`, () => {
    assert.equal(hex(sha256([...Buffer.from(example.server_seed, "hex")])), example.commitment);
  });
}

test("messages and chunks are those of the page", () => {
  const [example] = cases;
  assert.equal(`${hex(block(example, 0).message)}00000000`, example.message_0_0);
  for (const [name, number, chunk] of [["chunk_0_0", 0, 0], ["chunk_0_1", 0, 1], ["chunk_7_0", 7, 0]]) {
    assert.equal(hex(block(example, number).chunk(chunk)), example[name]);
  }
});
