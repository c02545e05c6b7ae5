// What the hub does right now, and did in the last hours.

import { get, part, post } from "./api.js";
import { chart } from "./chart.js";
import { badge, button, empty, pageHead, section, table } from "./components.js";
import { act } from "./dialogs.js";
import { failure } from "./feedback.js";
import { h, newID, refill } from "./dom.js";
import { bytes, capability, number, seconds } from "./format.js";
import { on, samples } from "./live.js";
import { status } from "./status.js";

const HEAT = {
  nominal: ["Normal", "good"],
  fair: ["Warm", ""],
  serious: ["Hot: the hub slows down", "caution"],
  critical: ["Too hot: the hub waits", "bad"],
};
const STATES = {
  queued: ["Waiting", ""],
  loading: ["Loading the model", "caution"],
  running: ["Answering", "good"],
};

export default {
  title: "Activity",

  show(main, { signal }) {
    const tiles = h("dl", { class: "tiles" });
    const requests = h("div", { class: "card" });
    const now = h("div", { class: "charts" });
    main.append(
      pageHead("Activity", "Live, once a second."),
      tiles,
      section("Requests", {}, requests),
      section("The last five minutes", {}, now),
      history(signal),
    );
    const draw = (sample) => {
      refill(tiles, figures(sample));
      // What is replaced between press and release takes no click.
      if (!requests.matches(":active")) refill(requests, list(sample?.running ?? []));
      if (!now.matches(":active")) refill(now, recent());
    };
    draw(samples.at(-1));
    on("sample", signal, draw);
  },
};

function figures(sample) {
  const running = sample?.running ?? [];
  const first = running.map(({ firstChunk }) => firstChunk).filter((value) => value !== undefined);
  const budget = status()?.memory?.budget;
  const heat = HEAT[sample?.temperature ?? status()?.device?.temperature];
  const active = running.filter(({ state }) => state !== "queued").length;
  return [
    tile("Running", number(active)),
    tile("In the queue", number(sample?.queued ?? 0)),
    tile("Tokens per second", sample?.tokensPerSecond === undefined ? "–" : number(sample.tokensPerSecond)),
    tile("To the first token", first.length ? seconds(Math.min(...first)) : "–"),
    tile("Memory", sample ? bytes(sample.memory) : "–", budget && `of ${bytes(budget)}`),
    tile("Temperature", heat ? badge(...heat) : "Not known", heat ? "" : "this device does not tell"),
  ];
}

const tile = (name, value, note) =>
  h(
    "div",
    { class: "card tile" },
    h("dt", {}, name),
    h("dd", {}, h("span", { class: "tile-value" }, value), note && h("span", { class: "hint" }, note)),
  );

function list(running) {
  if (!running.length) {
    return empty(
      "activity",
      "Nothing is running",
      "Ask something in Chat, or let an app ask: each request appears here while it is worked on, and can be ended.",
    );
  }
  return table(
    "Requests being worked on",
    [
      ["App"],
      ["Capability"],
      ["Runner"],
      ["State"],
      ["For", true],
      ["Tokens/s", true],
      ["First token", true],
      ["Action"],
    ],
    running.map((each) => [
      each.app,
      capability(each.capability),
      h("div", {}, each.runner ?? "–", each.model && h("div", { class: "hint" }, each.model)),
      badge(...(STATES[each.state] ?? [each.state, ""])),
      seconds(each.seconds),
      number(each.tokensPerSecond),
      each.firstChunk === undefined ? "–" : seconds(each.firstChunk),
      button(
        "End",
        (event) => act(() => post(`requests/${part(each.requestID)}/cancel`), event.currentTarget),
        { kind: "quiet danger", small: true, key: `end-${each.requestID}` },
      ),
    ]),
  );
}

function recent() {
  return [
    chart("Tokens per second", points(samples, ({ tokensPerSecond }) => tokensPerSecond), number, {
      key: "live-speed",
    }),
    chart("Memory", points(samples, ({ memory }) => memory), bytes, { key: "live-memory" }),
  ];
}

const points = (list, value) => list.map((sample) => ({ time: sample.time, value: value(sample) }));

function history(signal) {
  const id = newID("hours");
  const hours = h(
    "select",
    { class: "input", id },
    [["1", "Last hour"], ["6", "Last 6 hours"], ["24", "Last 24 hours"]].map(([value, label]) =>
      h("option", { value }, label)
    ),
  );
  const charts = h("div", { class: "charts" });
  const load = async () => {
    try {
      const { samples: past } = await get(`history?hours=${hours.value}`, signal);
      refill(
        charts,
        past.length ? all(past) : h(
          "div",
          { class: "card" },
          empty(
            "activity",
            "No history yet",
            "Charts appear when the hub has been at work for a few minutes.",
          ),
        ),
      );
    } catch (error) {
      if (error.name !== "AbortError") refill(charts, failure(error, load));
    }
  };
  hours.addEventListener("change", load);
  load();
  const timer = setInterval(load, 60_000);
  signal.addEventListener("abort", () => clearInterval(timer));
  return section(
    "History",
    { actions: [h("label", { class: "visually-hidden", for: id }, "Period"), hours] },
    charts,
  );
}

const all = (past) => [
  chart("Requests", points(past, ({ requests }) => requests), number, { key: "requests" }),
  chart("Tokens", points(past, ({ tokens }) => tokens), number, { key: "tokens" }),
  chart("Time to first token", points(past, ({ firstChunk }) => firstChunk), seconds, { key: "first" }),
  chart("Memory", points(past, ({ memory }) => memory), bytes, { key: "memory" }),
];
