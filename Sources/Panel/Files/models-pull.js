// Before anything is fetched: what it is, where it comes from, how large it is, and under which terms.

import { part, post } from "./api.js";
import { badge, button, facts, more, table } from "./components.js";
import { act, dialog } from "./dialogs.js";
import { notice, toast } from "./feedback.js";
import { h } from "./dom.js";
import { bytes, origin, webAddress } from "./format.js";
import { licenseBadge, licenseFacts } from "./license.js";
import { fitBadge } from "./models-find.js";

/// Asks the hub for the plan, shows it, and pulls when the owner has agreed.
export async function pull(reference, pulled) {
  let answer;
  if (!(await act(async () => (answer = await post("models/plan", { model: reference }))))) return;
  const { plan, planID } = answer;
  const agreed = await terms({
    title: `Pull ${plan.id}?`,
    what: plan,
    confirm: "Pull",
    run: (noncommercial) => post("models/pull", { planID, accept: { terms: true, noncommercial } }),
  });
  if (!agreed) return;
  toast(`${plan.id} is on its way.`);
  pulled();
}

/// A row for a model that an app asked for.
export function waitingPull(what, settled) {
  const refuse = async (event) => {
    if (await act(() => post(`pulls/${part(what.id)}/refuse`), event.currentTarget)) settled();
  };
  const look = async () => {
    const agreed = await terms({
      title: `Pull ${what.model}?`,
      what: { ...what, id: what.model },
      confirm: "Pull",
      run: (noncommercial) => post(`pulls/${part(what.id)}/accept`, noncommercial ? { noncommercial } : {}),
    });
    if (agreed) settled();
  };
  return h(
    "div",
    { class: "row stacks" },
    h(
      "div",
      { class: "row-text" },
      h("h3", { class: "row-title" }, what.model),
      h(
        "p",
        { class: "hint" },
        "The app ",
        h("strong", {}, what.app),
        ` asks for it · ${bytes(what.size)}`,
        origin(what.source) !== what.model && [" · from ", h("span", { class: "mono" }, origin(what.source))],
      ),
      h("div", { class: "badges" }, licenseBadge(what.license)),
    ),
    h(
      "div",
      { class: "actions" },
      button("Review…", look, { kind: "primary", small: true, key: `review-${what.id}` }),
      button("Refuse", refuse, { kind: "quiet danger", small: true, key: `refuse-${what.id}` }),
    ),
  );
}

/// The dialog; its button works only when every box is ticked that the licence needs.
function terms({ title, what, confirm, run }) {
  const license = what.license ?? {};
  const limited = license.commercialUse === "forbidden";
  const terms = h("input", { type: "checkbox" });
  const limit = h("input", { type: "checkbox" });
  let go = null;
  const check = () => (go.disabled = !terms.checked || (limited && !limit.checked));
  terms.addEventListener("change", check);
  limit.addEventListener("change", check);
  return dialog({
    title,
    wide: true,
    body: [
      facts([
        ["Source", source(origin(what.source))],
        ["Size", bytes(what.size)],
        ["Publisher", what.publisher],
        ...licenseFacts(license),
        ["On this device", what.fit && h("span", {}, fitBadge(what.fit), " ", what.reason)],
      ]),
      what.gated &&
      notice(
        "caution",
        "The publisher gives it only to people it knows.",
        "Your key for that service is used, and you must have agreed to its terms there.",
      ),
      !license.name &&
      notice(
        "caution",
        "Nobody stated a licence.",
        "Without one you may have no right to use it. Look at the source first.",
      ),
      files(what.files),
      h(
        "div",
        { class: "ticks" },
        h(
          "label",
          { class: "check" },
          terms,
          h(
            "span",
            {},
            "I accept the source and the licence",
            license.name ? ` (${license.name})` : "",
            " of this model.",
          ),
        ),
        limited &&
          h(
            "label",
            { class: "check" },
            limit,
            h("span", {}, "I will use it for non-commercial purposes only, as this licence demands."),
          ),
      ),
    ],
    actions: [
      { label: "Cancel", value: null },
      {
        label: confirm,
        kind: "primary",
        glyph: "download",
        disabled: true,
        attach: (control) => (go = control),
        run: async () => (await run(limit.checked), true),
      },
    ],
  });
}

function source(text) {
  const href = webAddress(text);
  return href
    ? h("a", { class: "mono", href, target: "_blank", rel: "noopener noreferrer" }, text)
    : h("span", { class: "mono" }, text);
}

function files(list) {
  if (!list?.length) return null;
  const rows = list.map((
    { name, size, sha256 },
  ) => [
    name,
    bytes(size),
    sha256 ? h("code", { title: sha256 }, `${sha256.slice(0, 16)}…`) : badge("No digest", "caution"),
  ]);
  return more(
    list.length === 1 ? "1 file" : `${list.length} files`,
    null,
    table("Files", [["Name"], ["Size", true], ["SHA-256"]], rows),
  );
}
