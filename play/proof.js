/** Was the luck true? The record is judged here, by a program that shares no code with the server. */

import { h, replace } from "./dom.js";
import { luck } from "./opening.js";
import { strings } from "./strings.js";

export async function verifyDialog(app, table) {
  const result = h("div", { role: "status" }, h("p", {}, strings.verifying));
  const more = h("div.row.end");
  const dialog = h(
    "dialog.proof",
    { "aria-labelledby": "proof", onclose: () => dialog.remove() },
    h("h2", { id: "proof" }, strings.verify),
    result,
    more,
  );
  const close = h("button.button", { type: "button", onclick: () => dialog.close() }, strings.close);
  replace(more, close);
  document.body.append(dialog);
  dialog.showModal();
  try {
    const text = await app.client.call("GET", `tables/${table.id}/record`, undefined, { raw: true });
    const { parse, verify } = await import("./verify.js");
    const record = read(text, parse);
    const kept = luck.of(table.id);
    replace(result, ...findings(verify(record, kept?.commitment ?? null), record, kept));
    replace(more, download(text, table), close);
  } catch (error) {
    dialog.close();
    app.refused(error);
  }
}

/** What can't be read is no record, and is judged as such. */
function read(text, parse) {
  try {
    return parse(text);
  } catch {
    return null;
  }
}

function findings(found, record, kept) {
  const fairness = record?.fairness;
  const seeds = [fairness?.client_seeds ?? []].flat();
  const same = kept?.commitment ? kept.commitment === fairness?.commitment : null;
  const line = (holds, text) =>
    h(
      `li${holds === true ? ".good" : holds === false ? ".bad" : ""}`,
      {},
      h("span", { "aria-hidden": "true" }, holds === true ? "✓ " : holds === false ? "✗ " : "– "),
      text,
    );
  const ours = kept?.clientSeed ? seeds.includes(kept.clientSeed) : null;
  return [
    h("p.verdict", {}, h("b", {}, found.ok && ours !== false ? strings.proof.ok : strings.proof.wrong)),
    h(
      "ul.findings",
      {},
      line(found.whole, strings.proof.whole),
      line(found.rules, strings.proof.rules),
      line(found.seeds, kept?.commitment ? strings.proof.seedsKept : strings.proof.seeds),
      line(same, same === null ? strings.proof.notKept : strings.proof.kept),
      line(ours, ours === null ? strings.proof.noSeed : strings.proof.ourSeed),
    ),
    found.problem &&
      h("p.bad", {}, found.line === null ? found.problem : strings.proof.line(found.line, found.problem)),
  ].filter(Boolean);
}

function download(text, table) {
  const href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  return h("a.button", { href, download: `boneyard-${table.id}.json` }, strings.saveRecord);
}
