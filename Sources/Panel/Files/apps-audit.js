// Who asked what, when, and what it took; never what was said.

import { get } from "./api.js";
import { badge, button, empty, more, table } from "./components.js";
import { failure } from "./feedback.js";
import { h, newID, refill } from "./dom.js";
import { bytes, capability, locality, moment, number, seconds } from "./format.js";

const PAGE = 50;
const PERIODS = [["", "Any time"], ["1", "Last hour"], ["24", "Last 24 hours"], ["168", "Last 7 days"]];

const WHO = {
  owner: "Owner",
  anonymous: "Without a key",
  unknown: "Not known",
  unverified: "A URL, unverified",
};
const ACTIONS = { list: "List of models", models: "Models", owner: "This panel" };
const OUTCOMES = {
  stop: ["Answered", "good"],
  length: ["Answered, up to its limit", "good"],
  toolCalls: ["Answered with a tool call", "good"],
  tool_calls: ["Answered with a tool call", "good"],
  cancelled: ["Stopped", ""],
  error: ["Failed", "caution"],
  content_filter: ["Held back by the guardian", "caution"],
  guardian_blocked: ["Held back by the guardian", "caution"],
  app_waiting: ["Not approved yet", "caution"],
  app_refused: ["Refused", "caution"],
  revoked: ["Revoked", "caution"],
  expired: ["Expired", "caution"],
  forbidden: ["Ended by you", "caution"],
  scope_denied: ["Not allowed", "caution"],
  consent_required: ["Waits for you", "caution"],
  daily_quota_exceeded: ["Above its quota", "caution"],
  invalid_key: ["No such key", "caution"],
};

function outcome({ outcome: word, action }) {
  if (word === "stop" && action && action !== "run") return badge("Done", "good");
  return badge(...(OUTCOMES[word] ?? [word, "caution"]));
}

/// `only` is the id of the app to begin with.
export function audit(signal, only = "") {
  const app = h("select", { class: "input", id: newID("app") }, h("option", { value: "" }, "All apps"));
  const period = h(
    "select",
    { class: "input", id: newID("period") },
    PERIODS.map(([value, label]) => h("option", { value }, label)),
  );
  const rows = h("div", { class: "card" });
  const foot = h("div", { class: "actions" });
  let entries = [];
  let names = new Map();
  let turn = 0;

  const query = (cursor) => {
    const parts = new URLSearchParams({ limit: String(PAGE) });
    if (app.value) parts.set("app", app.value);
    if (period.value) {
      parts.set("since", new Date(Date.now() - Number(period.value) * 3_600_000).toISOString());
    }
    if (cursor) parts.set("cursor", cursor);
    return `audit?${parts}`;
  };
  const load = async (cursor) => {
    const mine = (turn += 1);
    try {
      const page = await get(query(cursor), signal);
      if (mine !== turn) return;
      entries = cursor ? [...entries, ...page.entries] : page.entries;
      refill(rows, entries.length ? list(entries, names) : nothing(app.value || period.value));
      refill(
        foot,
        page.next && button("Show more", () => load(page.next), { key: "more" }),
        entries.length > 0 && h("span", { class: "hint", role: "status" }, `${number(entries.length)} shown`),
      );
    } catch (error) {
      if (error.name !== "AbortError" && mine === turn) refill(rows, failure(error, () => load(cursor)));
    }
  };
  const begin = async () => {
    try {
      const [{ apps: byKey }, { apps: byURL }] = await Promise.all([
        get("apps", signal),
        get("scheme", signal),
      ]);
      const apps = [...byKey, ...byURL];
      names = new Map(apps.map(({ id, name }) => [id, name]));
      app.append(...apps.map(({ id, name }) => h("option", { value: id, selected: id === only }, name)));
    } catch {
      // Then their ids have to do.
    }
    if (!signal.aborted) load();
  };
  app.addEventListener("change", () => load());
  period.addEventListener("change", () => load());
  begin();
  return h(
    "section",
    { class: "stack", "aria-label": "Audit" },
    h("h2", { class: "visually-hidden" }, "Audit"),
    h(
      "p",
      { class: "hint" },
      "Sizes and timings of every request. What was asked and answered is not in it.",
    ),
    h(
      "div",
      { class: "filters" },
      h("div", { class: "field" }, h("label", { for: app.id }, "App"), app),
      h("div", { class: "field" }, h("label", { for: period.id }, "Time"), period),
    ),
    rows,
    foot,
  );
}

const nothing = (filtered) =>
  filtered ? empty("search", "Nothing matches", "Choose another app or a longer time.") : empty(
    "activity",
    "Nothing was asked yet",
    "Every request that an app or this panel makes appears here.",
  );

function list(entries, names) {
  return table(
    "Requests",
    [["Time"], ["App"], ["What for"], ["Outcome"], ["Tokens", true], ["Time taken", true], ["Details"]],
    entries.map((entry) => [
      h("span", { class: "nowrap" }, moment(entry.time)),
      names.get(entry.app) ?? WHO[entry.app] ?? entry.app,
      [
        entry.capability ? capability(entry.capability) : ACTIONS[entry.action] ?? entry.action,
        entry.count > 1 && h("span", { class: "hint" }, ` × ${number(entry.count)}`),
      ],
      outcome(entry),
      entry.tokensIn || entry.tokensOut ? `${number(entry.tokensIn)} → ${number(entry.tokensOut)}` : "–",
      seconds(entry.total),
      more("More", `audit-${entry.id}`, details(entry)),
    ]),
  );
}

const details = (entry) =>
  h(
    "ul",
    { class: "plain-list" },
    [
      entry.model && `Model ${entry.model}`,
      entry.runner &&
      `Runner ${entry.runner}${entry.locality ? `, ${locality(entry.locality).toLowerCase()}` : ""}`,
      `${bytes(entry.bytesIn)} in, ${bytes(entry.bytesOut)} out`,
      `Queue ${seconds(entry.queue)}, load ${seconds(entry.load)}, run ${seconds(entry.run)}`,
      `Request ${entry.requestID}`,
    ].filter(Boolean).map((text) => h("li", {}, text)),
  );
