// The pieces that every page is made of.

import { act } from "./dialogs.js";
import { h, icon, newID } from "./dom.js";

export function button(
  label,
  onclick,
  { kind = "", glyph, key, small, disabled, title, type = "button" } = {},
) {
  const props = { type, class: `button ${kind} ${small ? "small" : ""}`, onclick, disabled, title };
  if (key) props["data-key"] = key;
  return h("button", props, glyph && icon(glyph), label);
}

export function iconButton(glyph, label, onclick, { kind = "quiet", key, small, disabled } = {}) {
  const props = {
    type: "button",
    class: `button icon-only ${kind} ${small ? "small" : ""}`,
    "aria-label": label,
    title: label,
    onclick,
    disabled,
  };
  if (key) props["data-key"] = key;
  return h("button", props, icon(glyph));
}

export const badge = (text, kind = "", glyph) =>
  h("span", { class: `badge ${kind}` }, glyph && icon(glyph, "small"), text);

/// `toggle(on)` may fail: then the switch goes back and the failure is shown.
export function switcher(label, isOn, toggle, { key, disabled } = {}) {
  const element = h(
    "button",
    {
      type: "button",
      class: "switch",
      role: "switch",
      "aria-checked": String(isOn),
      "aria-label": label,
      disabled,
    },
    h("span", { class: "switch-track" }),
  );
  if (key) element.dataset.key = key;
  element.addEventListener("click", async () => {
    const wanted = element.getAttribute("aria-checked") !== "true";
    element.setAttribute("aria-checked", String(wanted));
    const done = await act(() => toggle(wanted), element);
    if (!done) element.setAttribute("aria-checked", String(!wanted));
  });
  return element;
}

export function section(title, { note, actions, id } = {}, ...content) {
  const heading = newID("heading");
  return h(
    "section",
    { class: "section", "aria-labelledby": heading, id },
    h(
      "div",
      { class: "section-head" },
      h("div", {}, h("h2", { id: heading }, title), note && h("p", { class: "hint" }, note)),
      actions && h("div", { class: "actions" }, actions),
    ),
    content,
  );
}

export function pageHead(title, lead, actions) {
  return h(
    "div",
    { class: "page-head" },
    h("div", {}, h("h1", { tabindex: "-1" }, title), lead && h("p", { class: "lead" }, lead)),
    actions && h("div", { class: "actions" }, actions),
  );
}

export function empty(glyph, title, text, action) {
  return h(
    "div",
    { class: "empty" },
    icon(glyph, "large"),
    h("p", { class: "empty-title" }, title),
    h("p", {}, text),
    action,
  );
}

/// A bar; `total` missing gives one without an end, whose share nobody knows.
export function bar(label, value, total, kind = "") {
  const share = total ? Math.min(100, Math.max(0, (100 * value) / total)) : 0;
  const fill = h("div", { class: `bar-fill ${kind}` });
  fill.style.width = `${share}%`;
  return h(
    "div",
    {
      class: "bar",
      role: "progressbar",
      "aria-label": label,
      "aria-valuemin": "0",
      "aria-valuemax": "100",
      "aria-valuenow": total ? String(Math.round(share)) : undefined,
    },
    fill,
  );
}

export function facts(pairs) {
  return h(
    "dl",
    { class: "facts" },
    pairs.filter(([, value]) => value !== undefined && value !== null && value !== "").map((
      [name, value],
    ) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

export function more(label, key, ...content) {
  return h(
    "details",
    { class: "more", "data-key": key },
    h(
      "summary",
      { class: "disclosure", "data-key": key && `summary-${key}` },
      icon("chevron", "small turns"),
      label,
    ),
    content,
  );
}

/// Columns are [title, numeric]; rows are lists of cells. On a phone each row becomes a block with its titles;
/// the roles stay what they are, which the change of layout would take away.
export function table(caption, columns, rows) {
  const head = columns.map(([title, numeric]) =>
    h("th", { scope: "col", role: "columnheader", class: numeric ? "num" : "" }, title)
  );
  const cell = (content, index) => {
    const [title, numeric] = columns[index];
    return h("td", { role: "cell", class: numeric ? "num" : "", data: { title } }, h("div", {}, content));
  };
  return h(
    "div",
    {
      class: "table-box",
      tabindex: "0",
      role: "region",
      "aria-label": caption,
      "data-key": `table-${caption}`,
    },
    h(
      "table",
      { role: "table", class: "stacks" },
      h("caption", { class: "visually-hidden" }, caption),
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, head)),
      h("tbody", { role: "rowgroup" }, rows.map((cells) => h("tr", { role: "row" }, cells.map(cell)))),
    ),
  );
}
