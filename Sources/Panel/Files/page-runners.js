// What can answer: whether it is available, what mends it where not, and its parameters.

import { get, part, put, remove } from "./api.js";
import { badge, button, empty, facts, more, pageHead } from "./components.js";
import { act } from "./dialogs.js";
import { mend, notice, toast } from "./feedback.js";
import { loading } from "./loading.js";
import { h } from "./dom.js";
import { control, range, sourceBadge, valueText } from "./forms.js";
import { bytes, capability, locality } from "./format.js";
import { on } from "./live.js";

export default {
  title: "Runners",

  show(main, { signal }) {
    const list = h("div", { class: "stack" });
    main.append(
      pageHead(
        "Runners",
        "A runner brings one kind of model to life. The hub picks one for each request by what it can do, where it runs and what you prefer.",
      ),
      list,
    );
    const again = loading(
      list,
      () => get("runners", signal),
      ({ runners }) => view(runners, () => again()),
      signal,
    );
    on("engine", signal, () => again());
  },
};

function view(runners, again) {
  if (!runners.length) {
    return h(
      "div",
      { class: "card" },
      empty(
        "runners",
        "There are no runners",
        "Install a model, or build the hub with llama.cpp: make setup",
      ),
    );
  }
  const sorted = [...runners].sort((a, b) =>
    Number(b.available) - Number(a.available) || a.id.localeCompare(b.id)
  );
  return sorted.map((runner) => card(runner, again));
}

function card(runner, again) {
  const { id, available, isMock, loaded, pinned, queue = {} } = runner;
  const work = [queue.running && `${queue.running} running`, queue.waiting && `${queue.waiting} waiting`]
    .filter(Boolean).join(" · ");
  return h(
    "article",
    { class: "card runner", "aria-label": id },
    h(
      "div",
      { class: "row" },
      h("span", { class: `state-dot ${available ? "good" : "bad"}`, "aria-hidden": "true" }),
      h(
        "div",
        { class: "row-text" },
        h(
          "h2",
          { class: "row-title" },
          h("span", {}, id),
          available ? badge("Available", "good") : badge("Not available", "bad"),
          isMock && badge("Mock: its answers are made up", "caution"),
          loaded && badge("In memory", "accent"),
          pinned && badge("Pinned", "accent", "pin"),
          work && badge(work),
        ),
        h(
          "div",
          { class: "badges" },
          badge(
            locality(runner.locality),
            runner.locality === "network" ? "caution" : "",
            runner.locality === "network" ? "globe" : "device",
          ),
          runner.capabilities.map((each) => badge(capability(each))),
        ),
      ),
    ),
    !available &&
      h(
        "div",
        { class: "runner-fault" },
        notice("bad", runner.reason ?? "It is not available.", null, mend(runner.remedy)),
      ),
    h(
      "div",
      { class: "runner-more" },
      facts([["Framework", runner.backend], ["Model", runner.model], [
        "Memory",
        runner.memory ? bytes(runner.memory) : null,
      ]]),
      settings(runner, again),
    ),
  );
}

function settings(runner, again) {
  const count = runner.parameters?.length ?? 0;
  if (!count) return h("p", { class: "hint" }, "It has no parameters.");
  return more(
    `Parameters (${count})`,
    `parameters-${runner.id}`,
    h("p", { class: "hint" }, "These count for every request that says nothing of its own."),
    h("div", { class: "parameters" }, runner.parameters.map((each) => parameter(runner, each, again))),
  );
}

function parameter(runner, described, again) {
  const key = `parameter-${runner.id}-${described.name}`;
  const name = `runners.${runner.id}.${described.name}`;
  const save = (value) =>
    act(async () => {
      await put("settings", { name, value });
      toast(`${described.name} is saved.`);
      again();
    });
  const reset = () =>
    act(async () => {
      await remove(`settings/${part(name)}`);
      toast(`${described.name} is no longer set for this runner.`);
      again();
    });
  const limits = [
    range(described),
    described.default !== undefined && described.default !== null &&
    `default: ${valueText(described.default)}`,
  ].filter(Boolean).join(" · ");
  return h(
    "div",
    { class: "setting" },
    h(
      "div",
      { class: "row-text" },
      h(
        "div",
        { class: "row-title" },
        h("span", {}, described.name),
        described.source && described.source !== "default" && sourceBadge(described.source),
      ),
      h("p", { class: "hint" }, described.description),
      limits && h("p", { class: "hint" }, limits),
    ),
    h(
      "div",
      { class: "setting-control" },
      control(described, save, { label: `${described.name} of ${runner.id}`, key }),
      described.source === "file" &&
        button("Back to default", reset, { kind: "quiet", small: true, key: `reset-${key}` }),
    ),
  );
}
