// Searching for models.

import { get } from "./api.js";
import { badge, button, empty } from "./components.js";
import { failure } from "./feedback.js";
import { h, icon, newID, refill } from "./dom.js";
import { bytes, capability, number } from "./format.js";
import { licenseBadge } from "./license.js";
import { pull } from "./models-pull.js";

const FITS = {
  fits: ["Fits", "good"],
  fitsAfterEviction: ["Fits when others make room", "caution"],
  tooLarge: ["Too large for this device", "bad"],
  unknown: ["Not known whether it fits", ""],
};

export const fitBadge = (fit) => badge(...(FITS[fit] ?? FITS.unknown));

export function finder(pulled, signal) {
  const id = newID("search");
  const results = h("div", { class: "results", "aria-live": "polite" });
  const input = h("input", {
    type: "search",
    class: "input",
    id,
    placeholder: "Name, publisher, or hf.co/organisation/model",
    autocomplete: "off",
    spellcheck: "false",
  });
  const all = h("input", { type: "checkbox", id: newID("all") });
  let turn = 0;

  const search = async () => {
    const mine = (turn += 1);
    const query = input.value.trim();
    refill(results, h("p", { class: "hint pad" }, "Searching…"));
    try {
      const { models } = await get(
        `models/search?q=${encodeURIComponent(query)}&all=${all.checked ? 1 : 0}`,
        signal,
      );
      if (mine === turn) refill(results, found(models, query, pulled));
    } catch (error) {
      if (error.name !== "AbortError" && mine === turn) refill(results, failure(error, search));
    }
  };
  const form = h(
    "form",
    {
      class: "search",
      role: "search",
      "aria-label": "Models",
      onsubmit: (event) => (event.preventDefault(), search()),
    },
    h("label", { class: "visually-hidden", for: id }, "Search for a model"),
    h("div", { class: "search-box" }, icon("search"), input),
    button("Search", null, { kind: "primary", type: "submit" }),
  );
  all.addEventListener("change", search);
  return h(
    "div",
    { class: "card finder" },
    form,
    h(
      "label",
      { class: "check", for: all.id },
      all,
      h("span", { class: "hint" }, "Show those that do not fit this device, too"),
    ),
    results,
  );
}

function found(models, query, pulled) {
  const isReference = /[/:]/.test(query);
  const direct = isReference &&
    h(
      "div",
      { class: "row" },
      h(
        "div",
        { class: "row-text" },
        h("span", { class: "row-title" }, query),
        h("span", { class: "hint" }, "As a reference: the hub asks the source what it is."),
      ),
      button("Look at it…", () => pull(query, pulled), { small: true }),
    );
  if (!models.length && !direct) {
    return empty(
      "search",
      "Nothing was found",
      "Try a shorter name, or show those that do not fit, too. A model on Hugging Face is reached by its reference, such as hf.co/organisation/model.",
    );
  }
  return h(
    "ul",
    { class: "plain results-list" },
    direct && h("li", {}, direct),
    models.map((model) => h("li", {}, result(model, pulled))),
  );
}

function result(model, pulled) {
  const about = [
    model.publisher,
    model.format,
    bytes(model.size),
    model.memory && `${bytes(model.memory)} of memory`,
    model.contextLength && `${number(model.contextLength)} tokens of context`,
  ];
  return h(
    "div",
    { class: "row stacks" },
    h(
      "div",
      { class: "row-text" },
      h(
        "h3",
        { class: "row-title" },
        h("span", {}, model.name),
        fitBadge(model.fit),
        model.gated && badge("Key needed", "caution", "key"),
      ),
      h("p", { class: "hint" }, about.filter(Boolean).join(" · ")),
      h("div", { class: "badges" }, badge(capability(model.capability)), licenseBadge(model.license)),
      model.reason && model.fit !== "fits" && h("p", { class: "hint" }, model.reason),
    ),
    h(
      "div",
      { class: "actions" },
      model.installed
        ? badge("Installed", "good", "check")
        : button("Pull…", () => pull(model.reference, pulled), { glyph: "download", small: true }),
    ),
  );
}
