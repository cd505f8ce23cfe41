/** Telling a moderator about somebody at the table. */

import { h } from "./dom.js";
import { select } from "./opening.js";
import { strings } from "./strings.js";

const TEXT_LENGTH = 1000;

/** A server says in its limits whether it takes reports. */
export const hasReports = (app) => "reports_per_hour" in app.server.limits;

export function reportDialog(app, table, nameOf) {
  const others = table.seats.filter((seat) => seat.kind === "human" && seat.seat !== table.you);
  const seat = select(
    "about",
    others.map((each) => each.seat),
    others[0].seat,
    Object.fromEntries(others.map((each) => [each.seat, nameOf(table, each.seat)])),
  );
  const reason = select("reason", Object.keys(strings.reportReasons), "cheating", strings.reportReasons);
  const text = h("textarea", { id: "report-text", rows: "4", maxlength: TEXT_LENGTH });
  const form = h(
    "form",
    { onsubmit: submit },
    h("h2", { id: "reporting" }, strings.report),
    h("p.hint", {}, strings.reportText),
    h("p.field", {}, h("label", { for: "about" }, strings.reportSeat), seat),
    h("p.field", {}, h("label", { for: "reason" }, strings.reportReason), reason),
    h("p.field", {}, h("label", { for: "report-text" }, strings.reportWords), text),
    h(
      "div.row.end",
      {},
      h("button.button", { type: "button", onclick: () => dialog.close() }, strings.cancel),
      h("button.button.main", {}, strings.send),
    ),
  );
  const dialog = h("dialog", { "aria-labelledby": "reporting", onclose: () => dialog.remove() }, form);

  async function submit(event) {
    event.preventDefault();
    try {
      await app.client.post(`tables/${table.id}/reports`, {
        seat: Number(seat.value),
        reason: reason.value,
        text: text.value,
      });
      app.notice(strings.reported);
    } catch (error) {
      app.refused(error);
    }
    dialog.close();
  }

  document.body.append(dialog);
  dialog.showModal();
}
