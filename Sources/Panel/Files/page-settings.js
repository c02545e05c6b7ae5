// Every setting, its value, and where the value comes from.

import { get, part, put, remove } from "./api.js";
import { button, empty, pageHead, section } from "./components.js";
import { act } from "./dialogs.js";
import { toast } from "./feedback.js";
import { loading } from "./loading.js";
import { h, icon, newID, refill } from "./dom.js";
import { control, isFixed, range, sourceBadge, valueText } from "./forms.js";
import { bytes } from "./format.js";

const GROUPS = {
  privacy: "Privacy",
  guardian: "Guardian",
  routing: "Routing",
  scheduling: "Queues",
  defaults: "Defaults of requests",
  residency: "Memory",
  models: "Models",
  hub: "Hub",
  server: "Server",
  audit: "Audit",
  encoder: "Encoder",
  llama: "llama.cpp",
  runtimes: "Runtimes",
  runners: "Runners",
  log: "Log",
};

export default {
  title: "Settings",

  show(main, { signal }) {
    const list = h("div", { class: "stack-wide" });
    const id = newID("filter");
    const filter = h("input", {
      class: "input",
      id,
      type: "search",
      placeholder: "Find a setting",
      autocomplete: "off",
      spellcheck: "false",
    });
    let settings = [];
    const draw = () => view(settings, filter.value.trim().toLowerCase(), changed);
    const changed = (next) => {
      settings = settings.map((each) => (each.name === next.name ? { ...each, ...next } : each));
      refill(list, draw());
    };
    main.append(
      pageHead(
        "Settings",
        "Each value says where it comes from. What the environment or the command line sets is changed there.",
      ),
      h(
        "div",
        { class: "search-box" },
        icon("search"),
        h("label", { class: "visually-hidden", for: id }, "Find a setting"),
        filter,
      ),
      list,
    );
    loading(list, async () => (settings = (await get("settings", signal)).settings), draw, signal);
    filter.addEventListener("input", () => refill(list, draw()));
  },
};

function view(settings, words, changed) {
  const found = settings.filter(({ name, description }) =>
    `${name} ${description}`.toLowerCase().includes(words)
  );
  if (!found.length) {
    return h(
      "div",
      { class: "card" },
      empty(
        "search",
        settings.length ? "No setting matches" : "There are no settings",
        settings.length ? "Try another word, such as “memory” or “network”." : "The hub told none.",
      ),
    );
  }
  const groups = Map.groupBy ? Map.groupBy(found, groupOf) : grouped(found);
  const order = Object.keys(GROUPS);
  const place = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  return [...groups].sort(([a], [b]) => place(a) - place(b)).map(([name, rows]) =>
    section(GROUPS[name] ?? name, {}, h("div", { class: "card" }, rows.map((each) => row(each, changed))))
  );
}

const groupOf = ({ name }) => name.split(".")[0];

function grouped(settings) {
  const groups = new Map();
  for (const each of settings) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
  return groups;
}

function row(setting, changed) {
  const { name, source } = setting;
  const key = `setting-${name}`;
  const hint = newID("hint");
  const save = (value) =>
    act(async () => {
      changed(await put("settings", { name, value }));
      toast(`${name} is saved.`);
    });
  const reset = () =>
    act(async () => {
      changed(await remove(`settings/${part(name)}`));
      toast(`${name} is back at its default.`);
    });
  const isSize = /\bIn bytes\.$/.test(setting.description);
  const limits = [
    isSize && setting.value >= 1_000_000 && `now ${bytes(setting.value)}`,
    range(setting),
    source !== "default" && setting.default !== undefined && `default: ${valueText(setting.default)}`,
  ].filter(Boolean).join(" · ");
  const fixed = {
    environment: "The environment sets it; unset the variable to change it here.",
    flag: "The hub was started with it.",
  }[source];
  return h(
    "div",
    { class: "setting" },
    h(
      "div",
      { class: "row-text" },
      h("h3", { class: "row-title" }, h("span", { class: "mono setting-name" }, name), sourceBadge(source)),
      h("p", { id: hint }, setting.description),
      (limits || fixed) && h("p", { class: "hint" }, [limits, fixed].filter(Boolean).join(" · ")),
    ),
    h(
      "div",
      { class: "setting-control" },
      control({ ...setting, isSize, unset: "the default" }, save, { label: name, key, describedBy: hint }),
      source === "file" && !isFixed(source) &&
        button("Back to default", reset, { kind: "quiet", small: true, key: `reset-${name}` }),
    ),
  );
}
