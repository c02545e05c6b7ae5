// Fields made from a description {name, kind, default, minimum, maximum, choices, description}.

import { badge, switcher } from "./components.js";
import { h, newID } from "./dom.js";
import { exact } from "./format.js";

const SOURCES = {
  default: ["Default", ""],
  file: ["Settings file", "accent"],
  environment: ["Environment", "caution"],
  flag: ["Command line", "caution"],
};

export const sourceBadge = (source) => badge(...(SOURCES[source] ?? [source, ""]));

/// What the environment or the command line says cannot be changed from here.
export const isFixed = (source) => source === "environment" || source === "flag";

export function valueText(value) {
  if (value === undefined || value === null || value === "") return "not set";
  if (value === true) return "on";
  if (value === false) return "off";
  return Array.isArray(value) ? value.join(", ") || "none" : String(value);
}

export function range({ minimum, maximum }) {
  if (minimum === undefined && maximum === undefined) return "";
  if (maximum === undefined) return `${exact(minimum)} or more`;
  if (minimum === undefined) return `at most ${exact(maximum)}`;
  return `${exact(minimum)} to ${exact(maximum)}`;
}

/// A control that calls `save(value)` when its value has changed and is valid. What nobody has set says
/// `described.unset`; with `described.isSize` it takes 4 GiB as well as bytes.
export function control(described, save, { label, key, describedBy } = {}) {
  const disabled = isFixed(described.source);
  const value = described.value ?? described.default;
  if (described.kind === "boolean") return switcher(label, value === true, save, { key, disabled });
  const props = {
    class: "input",
    "aria-label": label,
    "aria-describedby": describedBy,
    disabled,
    data: { key },
  };
  const choices = described.choices;
  if (choices?.length) return choice(props, described, value, save);
  return entry(props, described, value, save);
}

const upper = (text) => text[0].toUpperCase() + text.slice(1);

function choice(props, described, value, save) {
  const { choices } = described;
  const unset = value === undefined || value === null;
  const select = h(
    "select",
    props,
    unset && h("option", { value: "" }, upper(described.unset ?? "not set")),
    choices.map((each) => h("option", { value: String(each), selected: each === value }, String(each))),
  );
  select.addEventListener("change", async () => {
    const picked = choices.find((each) => String(each) === select.value);
    if (picked !== undefined && !(await save(picked))) select.value = unset ? "" : String(value);
  });
  return select;
}

function entry(props, described, value, save) {
  const numeric = described.kind === "number" || described.kind === "integer";
  const list = described.kind === "strings" || Array.isArray(value);
  const text = list ? (value ?? []).join(", ") : value ?? "";
  const fault = h("span", { class: "fault", id: newID("fault"), "aria-live": "polite" });
  const input = h("input", {
    ...props,
    type: "text",
    inputmode: numeric ? (described.kind === "integer" ? "numeric" : "decimal") : undefined,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: list ? "one, two, three" : text === "" ? described.unset ?? "not set" : undefined,
    value: String(text),
  });
  let saved = input.value;
  const commit = async () => {
    const typed = input.value.trim();
    if (typed === saved) return flag("");
    // 4 GiB, which the hub counts.
    const isSize = described.isSize && /^[\d.]+ ?[kmgt]i?b$/i.test(typed);
    const wanted = list
      ? typed.split(",").map((each) => each.trim()).filter(Boolean)
      : isSize
      ? typed.replaceAll(" ", "")
      : numeric
      ? Number(typed)
      : typed;
    const problem = numeric && !isSize ? numericFault(typed, wanted, described) : "";
    flag(problem);
    if (problem) return;
    if (await save(wanted)) saved = typed;
    else input.value = saved;
  };
  const flag = (problem) => {
    fault.textContent = problem;
    if (problem) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
  };
  input.addEventListener("change", commit);
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      input.value = saved;
      flag("");
    }
  });
  return h("div", { class: "field" }, input, fault);
}

function numericFault(typed, value, described) {
  if (typed === "" || !Number.isFinite(value)) return "This takes a number.";
  if (described.kind === "integer" && !Number.isInteger(value)) return "This takes a whole number.";
  const { minimum, maximum } = described;
  if ((minimum !== undefined && value < minimum) || (maximum !== undefined && value > maximum)) {
    return `This takes ${range(described)}.`;
  }
  return "";
}
