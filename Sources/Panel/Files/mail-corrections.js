// What the owner said of mail: it counts before every judgement, and can be taken back.

import { get, post } from "./api.js";
import { badge, button, empty } from "./components.js";
import { act } from "./dialogs.js";
import { notice } from "./feedback.js";
import { announce, h, refill } from "./dom.js";
import { day, plural } from "./format.js";
import { loading } from "./loading.js";
import { words } from "./mail-list.js";
import { categoryName } from "./mail-tabs.js";

const WARNINGS = { spam: "Spam", phishing: "Phishing", no: "No warning" };

export const valueName = ({ kind, value }) =>
  kind === "category" ? categoryName(value) : WARNINGS[value] ?? value;

/// `made` is in seconds.
export const madeOn = ({ made }) => day(new Date(made * 1000).toISOString());

/// What it counts for: `everything from ada@example.org`.
export function reach({ scope, key }) {
  if (scope === "message") return "this message";
  const name = words(key.replace(/^[a-z]+:/, ""));
  return scope === "list" ? `the list ${name}` : `everything from ${name}`;
}

export const changes = (changed) => `${plural(changed, "message")} changed`;

/// Gives how many messages are judged otherwise without it.
export async function takeBack({ kind, key }) {
  return (await post("mail/corrections/undo", { kind, key })).changed;
}

/// All of them, newest first.
export function correctionList(signal) {
  const said = h("div");
  const box = h("div");
  const undo = (each) => async (event) => {
    const control = event.currentTarget;
    await act(async () => {
      const text = `Taken back; ${changes(await takeBack(each))}.`;
      refill(said, notice("good", null, text));
      announce(text);
      again();
    }, control);
  };
  const again = loading(box, () => get("mail/corrections", signal), ({ corrections }) => {
    const rows = corrections.map((each) => row(each, undo(each)));
    const nothing = "Where a message is judged wrong, open it and say what is right.";
    return h("div", { class: "card" }, rows.length ? rows : empty("mail", "You corrected nothing", nothing));
  }, signal);
  return h("div", { class: "stack" }, said, box);
}

function row(each, undo) {
  const what = each.scope === "message" ? words(each.subject ?? "") || "One message" : reach(each);
  return h(
    "div",
    { class: "row" },
    h(
      "div",
      { class: "row-text" },
      h(
        "div",
        { class: "row-title" },
        what[0].toUpperCase() + what.slice(1),
        badge(valueName(each), "category"),
      ),
      h("p", { class: "hint" }, `You said so on ${madeOn(each)}`),
    ),
    button("Take back", undo, { small: true, key: `undo-${each.kind}-${each.key}` }),
  );
}
