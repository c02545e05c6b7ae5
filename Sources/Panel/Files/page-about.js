// The hub and this device, and the licences of the models.

import { get } from "./api.js";
import { badge, button, empty, facts, more, pageHead, section } from "./components.js";
import { loading } from "./loading.js";
import { h } from "./dom.js";
import { bytes, duration, number, origin } from "./format.js";
import { licenseFacts } from "./license.js";

const STATUS = {
  approved: ["Approved", "good"],
  "needs review": ["Needs review", "caution"],
  forbidden: ["Forbidden", "bad"],
};

export default {
  title: "About",

  show(main, { signal }) {
    const hub = h("div", { class: "card about-hub" });
    const licenses = h("div", { class: "stack" });
    main.append(
      pageHead("About", "One private AI brain for this device."),
      hub,
      section(
        "AI Model Licenses",
        { note: "Every installed model with the terms its publisher gave it." },
        licenses,
      ),
    );
    loading(hub, () => get("status", signal), device, signal);
    loading(licenses, () => get("licenses", signal), ({ licenses: list }) => view(list), signal);
  },
};

const device = (status) =>
  h(
    "div",
    { class: "pad" },
    facts([
      ["Version", status.version],
      ["Address", h("span", { class: "mono" }, status.address)],
      ["Running for", duration(status.uptime)],
      ["Device", status.device.name],
      ["Memory", bytes(status.device.memory)],
      ["Processor", `${number(status.device.cores)} cores`],
      ["The hub itself uses", bytes(status.memory.resident)],
    ]),
  );

function view(licenses) {
  if (!licenses.length) {
    return h(
      "div",
      { class: "card" },
      empty(
        "file",
        "No model is installed",
        "When one is, its licence text, attribution and terms of use stand here.",
        h("a", { class: "button", href: "#/models" }, "Models"),
      ),
    );
  }
  return [
    h("ul", { class: "card plain" }, licenses.map(item)),
    h(
      "div",
      { class: "actions" },
      button("Save as a file", () => save(licenses), { glyph: "download", key: "save-licenses" }),
    ),
  ];
}

function item({ model, license, text, source, status }) {
  return h(
    "li",
    { class: "row license" },
    h(
      "div",
      { class: "row-text" },
      h(
        "h3",
        { class: "row-title" },
        h("span", {}, model),
        badge(...(STATUS[status] ?? [status, "caution"])),
      ),
      facts([...licenseFacts(license), ["Source", source && h("span", { class: "mono" }, origin(source))]]),
      text
        ? more(
          "Licence text",
          `text-${model}`,
          h("pre", {
            class: "license-text",
            tabindex: "0",
            role: "region",
            "aria-label": `Licence text of ${model}`,
          }, text),
        )
        : h("p", { class: "hint" }, "No licence text came with it. Look at its source."),
    ),
  );
}

function save(licenses) {
  const text = licenses.map(({ model, license, text: full, source }) =>
    [model, license?.name, license?.attribution, source, full].filter(Boolean).join("\n")
  ).join("\n\n————\n\n");
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = h("a", { href: address, download: "breeze-model-licenses.txt" });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
