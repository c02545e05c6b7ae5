// What is installed, what is on its way, and what could be.

import { get, part, post, remove } from "./api.js";
import { badge, bar, button, empty, facts, more, pageHead, section } from "./components.js";
import { act, confirm, dialog } from "./dialogs.js";
import { toast } from "./feedback.js";
import { loading } from "./loading.js";
import { h, newID, refill } from "./dom.js";
import { bytes, capability, number, origin } from "./format.js";
import { licenseBadge, licenseFacts } from "./license.js";
import { on } from "./live.js";
import { Downloads } from "./models-downloads.js";
import { finder } from "./models-find.js";
import { waitingPull } from "./models-pull.js";
import { refreshStatus, status, statusChanged } from "./status.js";

export default {
  title: "Models",

  show(main, { signal }) {
    const waiting = h("div");
    const installed = h("div");
    const usage = h("div");
    let again = () => {};
    const downloads = new Downloads(() => again());
    again = loading(installed, () => get("models", signal), (found) => {
      downloads.show(found.downloads);
      refill(usage, meters(found));
      return list(found.models, again);
    }, signal);
    const settled = () => {
      askedFor();
      again();
      refreshStatus();
    };
    const askedFor = loading(
      waiting,
      () => get("pulls", signal),
      ({ pulls }) => requests(pulls, settled),
      signal,
    );
    main.append(
      pageHead(
        "Models",
        "Models run on this device. You see where one comes from, its size and its licence before anything is fetched.",
      ),
      waiting,
      downloads.element,
      section(
        "Find a model",
        { note: "Search what is known to work, or give the reference of any model." },
        finder(again, signal),
      ),
      section("Installed", {}, usage, installed),
    );
    on("download", signal, (download) => {
      if (downloads.update(download)) again();
    });
    on("apps", signal, askedFor);
    on("engine", signal, () => again());
    // The meters show the memory's budget, which the status knows.
    statusChanged.addEventListener("change", () => again(), { signal });
  },
};

function requests(pulls, again) {
  if (!pulls.length) return [];
  return section(
    "Asked for by apps",
    { note: "Nothing is fetched before you have agreed." },
    h("div", { class: "card attention" }, pulls.map((pull) => waitingPull(pull, again))),
  );
}

function meters({ models, disk }) {
  const memory = status()?.memory;
  const inMemory = models.reduce((sum, model) => sum + (model.loaded ? model.memory ?? 0 : 0), 0);
  const limit = disk.quota ?? disk.models + disk.free;
  return h(
    "div",
    { class: "meters" },
    meter(
      "Disk",
      `${bytes(disk.models)} of models`,
      disk.quota
        ? `quota ${bytes(disk.quota)}, ${bytes(disk.free)} free on the disk`
        : `${bytes(disk.free)} free`,
      disk.models,
      limit,
    ),
    meter(
      "Memory",
      `${bytes(memory?.used ?? inMemory)} in use`,
      memory?.budget ? `of a budget of ${bytes(memory.budget)}` : memory ? "no budget set" : "",
      memory?.used ?? inMemory,
      memory?.budget,
    ),
  );
}

function meter(name, now, rest, value, total) {
  const high = total && value / total > 0.9;
  return h(
    "div",
    { class: "card meter" },
    h(
      "div",
      { class: "meter-text" },
      h("span", { class: "label" }, name),
      h("span", {}, now),
      h("span", { class: "hint" }, rest),
    ),
    bar([`${name}: ${now}`, rest].filter(Boolean).join(", "), value, total, high ? "caution" : ""),
  );
}

function list(models, again) {
  if (!models.length) {
    return h(
      "div",
      { class: "card" },
      empty(
        "models",
        "Nothing is installed yet",
        "Search above for a model that fits this device, and pull it. Everything it needs is then on this device, and works without a network.",
      ),
    );
  }
  const sorted = [...models].sort((a, b) => Number(b.loaded) - Number(a.loaded) || a.id.localeCompare(b.id));
  return h("ul", { class: "card plain" }, sorted.map((model) => item(model, again)));
}

function item(model, again) {
  const about = [
    model.format,
    model.quantization,
    bytes(model.size),
    model.contextLength && `${number(model.contextLength)} tokens of context`,
  ];
  return h(
    "li",
    { class: "row stacks model" },
    h(
      "div",
      { class: "row-text" },
      h(
        "h3",
        { class: "row-title" },
        h("span", {}, model.id),
        model.loaded && badge("In memory", "good"),
        model.pinned && badge("Pinned", "accent", "pin"),
        state(model),
      ),
      h(
        "p",
        { class: "hint" },
        about.filter(Boolean).join(" · "),
        model.loaded && model.memory && ` · ${bytes(model.memory)} of memory`,
      ),
      h(
        "div",
        { class: "badges" },
        model.capabilities.map((each) => badge(capability(each))),
        licenseBadge(model.license),
      ),
      details(model),
    ),
    h("div", { class: "actions" }, controls(model, again)),
  );
}

function state(model) {
  if (model.state === "ready") {
    return model.runners.length ? null : badge("No runner here takes it", "caution");
  }
  return badge(model.state === "damaged" ? "Damaged: remove it and pull it again" : model.state, "bad");
}

const details = (model) =>
  more(
    "Details",
    `model-${model.id}`,
    facts([
      ["Publisher", model.publisher],
      ["Source", model.source && h("span", { class: "mono" }, origin(model.source))],
      ...licenseFacts(model.license),
      ["Runners", model.runners.join(", ")],
    ]),
  );

function controls(model, again) {
  const path = `models/${part(model.id)}`;
  const on = (key) => ({ small: true, key: `${key}-${model.id}` });
  const doing = (verb, said) => async (event) => {
    if (await act(() => post(`${path}/${verb}`), event.currentTarget)) toast(said);
    again();
    refreshStatus();
  };
  const runs = model.state === "ready" && model.runners.length > 0;
  return [
    runs &&
    (model.loaded
      ? button("Unload", doing("unload", `${model.id} left the memory.`), { glyph: "unload", ...on("load") })
      : button("Load…", () => load(model, again), { glyph: "load", ...on("load") })),
    runs &&
    button(
      model.pinned ? "Unpin" : "Pin",
      doing(
        model.pinned ? "unpin" : "pin",
        model.pinned ? "It may be unloaded again." : "It stays in memory.",
      ),
      { glyph: "pin", kind: "quiet", ...on("pin") },
    ),
    button("Remove", () => drop(model, path, again), {
      glyph: "trash",
      kind: "quiet danger",
      ...on("remove"),
    }),
  ];
}

async function drop(model, path, again) {
  const sure = await confirm(
    `Remove ${model.id}?`,
    `${
      bytes(model.size)
    } are freed. To use it again it has to be fetched again. Apps that ask for it get an error.`,
    "Remove",
  );
  if (!sure) return;
  if (await act(async () => toast(`${bytes((await remove(path)).freed)} are free again.`))) {
    again();
    refreshStatus();
  }
}

/// Which framework runs it is the owner's choice where there are several.
async function load(model, again) {
  const name = newID("runner");
  const available = new Map();
  try {
    for (const runner of (await get("runners")).runners) available.set(runner.id, runner);
  } catch {
    // Then the names alone have to do.
  }
  const options = model.runners.map((id) => ({ id, runner: available.get(id) }));
  const first = options.findIndex(({ runner }) => runner?.available !== false);
  const radios = options.map(({ id, runner }, index) => option(name, id, runner, index === first));
  await dialog({
    title: `Load ${model.id}`,
    body: [
      h(
        "p",
        {},
        "Loading it now makes the first answer quicker. It needs about ",
        h("strong", {}, bytes(model.memory ?? model.size)),
        " of memory; what is idle makes room.",
      ),
      options.length
        ? h("fieldset", { class: "choices" }, h("legend", { class: "label" }, "Run it with"), radios)
        : h("p", { class: "hint" }, "The hub picks the runner."),
    ],
    actions: [
      { label: "Cancel", value: null },
      {
        label: "Load",
        kind: "primary",
        disabled: options.length > 0 && first < 0,
        run: async () => {
          const runner = document.querySelector(`input[name="${name}"]:checked`)?.value;
          await post(`models/${part(model.id)}/load`, runner ? { runner } : {});
          toast(`${model.id} is in memory.`);
        },
      },
    ],
  });
  again();
  refreshStatus();
}

function option(name, id, runner, checked) {
  const off = runner?.available === false;
  return h(
    "label",
    { class: "check" },
    h("input", { type: "radio", name, value: id, checked, disabled: off }),
    h(
      "span",
      { class: "row-text" },
      h(
        "span",
        { class: "row-title" },
        id,
        runner && badge(runner.backend),
        off && badge("Not available", "bad"),
      ),
      off && h("span", { class: "hint" }, [runner.reason, runner.remedy].filter(Boolean).join(" ")),
    ),
  );
}
