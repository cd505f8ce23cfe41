/** The way in: a name and a secret, both suggested, so that one click is enough. */

import { hex, Refused } from "./api.js";
import { h, replace } from "./dom.js";
import { strings } from "./strings.js";

const pick = (words) => words[crypto.getRandomValues(new Uint32Array(1))[0] % words.length];

function suggestedName() {
  const { first, second } = strings.nameWords;
  return `${pick(first)} ${pick(second)}`;
}

/** 64 bits in four groups: long enough, and short enough to copy by hand. */
function suggestedSecret() {
  return hex(8).match(/..../g).join("-");
}

export function enterScreen(root, app, { invited, entered }) {
  const limits = app.server.limits;
  const name = input({
    id: "name",
    value: suggestedName(),
    autocomplete: "username",
    maxlength: limits.name.max,
    required: true,
  });
  const secret = input({
    id: "secret",
    type: "password",
    value: suggestedSecret(),
    autocomplete: "current-password",
    minlength: limits.secret.min,
    maxlength: limits.secret.max,
    required: true,
    "aria-describedby": "meaning",
  });
  const wrong = h("p.wrong", { id: "wrong", role: "alert" });
  const button = h("button.button.main.wide", {}, strings.enter);
  const reveal = h(
    "button.button",
    { type: "button", "aria-pressed": "false", onclick: toggle },
    strings.show,
  );

  function toggle() {
    const isShown = secret.type === "text";
    secret.type = isShown ? "password" : "text";
    reveal.setAttribute("aria-pressed", String(!isShown));
    reveal.textContent = isShown ? strings.show : strings.hide;
  }

  async function copy() {
    try {
      await navigator.clipboard.writeText(secret.value);
      app.notice(strings.copied);
    } catch {
      if (secret.type === "password") toggle();
      secret.select();
      app.notice(strings.copyByHand);
    }
  }

  async function submit(event) {
    event.preventDefault();
    button.disabled = true;
    replace(wrong);
    try {
      entered(await app.client.enter(name.value, secret.value));
    } catch (error) {
      tell(error);
    } finally {
      button.disabled = false;
    }
  }

  function tell(error) {
    if (!(error instanceof Refused)) return app.refused(error);
    const field = error.code === "name_taken" || error.problem.errors?.name ? name : secret;
    const details = Object.values(error.problem.errors ?? {})
      .flat()
      .join(" ");
    wrong.textContent = strings.entering[error.code]?.(error) ?? (details || error.message);
    for (const each of [name, secret]) each.setAttribute("aria-invalid", String(each === field));
    field.setAttribute("aria-errormessage", "wrong");
    field.focus();
    field.select();
  }

  root.append(
    h(
      "section.enter",
      {},
      h("div.scene", { "aria-hidden": "true" }, ...scene()),
      h(
        "form.card",
        { onsubmit: submit, "aria-labelledby": "welcome", novalidate: true },
        h("h1", { id: "welcome", tabindex: "-1" }, invited ? strings.invited : strings.welcome),
        h("p.lead", {}, strings.welcomeText),
        h("label", { for: "name" }, strings.name),
        h(
          "div.row.fields",
          {},
          name,
          h(
            "button.button",
            { type: "button", onclick: () => (name.value = suggestedName()) },
            strings.another,
          ),
        ),
        h("label", { for: "secret" }, strings.secret),
        h(
          "div.row.fields",
          {},
          secret,
          reveal,
          h("button.button", { type: "button", onclick: copy }, strings.copy),
        ),
        h("p.hint", { id: "meaning" }, strings.meaning),
        wrong,
        button,
      ),
    ),
  );
  document.title = `${strings.enter} · ${strings.title}`;
  return {};
}

function input(properties) {
  return h("input", { type: "text", spellcheck: "false", autocapitalize: "off", ...properties });
}

/** A few bones on felt. */
function scene() {
  const bone = (name, halves) =>
    h(
      `span.bone.${name}`,
      {},
      halves.map((pips) =>
        h(
          "span.half",
          {},
          Array.from({ length: pips }, () => h("i")),
        ),
      ),
    );
  return [bone("one", [3, 5]), bone("two", [6, 1]), bone("three", [4]), bone("four", [2])];
}
