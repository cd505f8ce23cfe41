// The files that both verifiers are tried on, for the tests in node.

import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const text = (path) => readFileSync(here(path), "utf8");

export const PROGRAM = here("../../play/verify.js");
export const vectors = (name) => JSON.parse(text(`../vectors/${name}.json`));
export const record = (name) => JSON.parse(text(`records/${name}.json`));
export const recordPath = (name) => here(`records/${name}.json`);
export const kept = () => readdirSync(here("records")).map((name) => name.replace(".json", ""));
export const tamperings = () => JSON.parse(text("tampering.json"));

/** The vectors of the derivation, and the whole record, that docs/fairness.md gives. */
export function documented() {
  const blocks = [...text("../../docs/fairness.md").matchAll(/```json\n(\{\n[^]*?)```/g)];
  const examples = blocks.map(([, json]) => JSON.parse(json));
  return {
    cases: examples.find((example) => example.cases).cases,
    record: examples.find((example) => example.hash),
  };
}
