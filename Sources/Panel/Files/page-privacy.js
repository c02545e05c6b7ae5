// What left the device, the switch that forbids it, and the keys of outside services.

import { get, part, put, remove } from "./api.js";
import { badge, button, empty, pageHead, section, switcher, table } from "./components.js";
import { act, confirm } from "./dialogs.js";
import { toast } from "./feedback.js";
import { loading } from "./loading.js";
import { h, icon } from "./dom.js";
import { bytes, moment, plural } from "./format.js";
import { keyForm, test } from "./keys.js";
import { refreshStatus } from "./status.js";

const SOURCES = {
  environment: "The environment sets it.",
  keyring: "Kept in the system's keyring.",
  file: "Kept in an encrypted file.",
};

export default {
  title: "Privacy",

  show(main, { signal }) {
    const egress = h("div", { class: "stack-wide" });
    const secrets = h("div");
    main.append(
      pageHead(
        "Privacy",
        "Everything that leaves this device goes through one door, and is written down there.",
      ),
      egress,
      section("Keys of services", {
        note: "A key is sent to its own service alone. Its value is never shown.",
      }, secrets),
    );
    const again = loading(egress, () => get("egress", signal), (found) => view(found, () => again()), signal);
    const reload = loading(
      secrets,
      () => get("secrets", signal),
      ({ services }) => keys(services, () => reload()),
      signal,
    );
    const timer = setInterval(() => again(), 15_000);
    signal.addEventListener("abort", () => clearInterval(timer));
  },
};

function view({ forbidden, connections }, again) {
  const toggle = async (on) => {
    if (
      !on &&
      !(await confirm(
        "Let the hub use the network again?",
        "Downloads go on, and network runners that you consented to may be used. Every connection is written down here.",
        "Allow it",
        { danger: false },
      ))
    ) return again();
    await put("egress", { forbidden: on });
    toast(on ? "Nothing leaves this device." : "The network is allowed again.");
    refreshStatus();
    again();
  };
  return [
    h(
      "div",
      { class: `card egress ${forbidden ? "is-off" : ""}` },
      h(
        "div",
        { class: "row" },
        icon(forbidden ? "lock" : "globe"),
        h(
          "div",
          { class: "row-text" },
          h("h2", {}, "Forbid all outgoing connections"),
          h(
            "p",
            { class: "hint" },
            forbidden
              ? "Nothing leaves this device. Downloads, searches and network runners wait or fail, and say why."
              : "The hub connects only to fetch what you asked for, and to services you consented to.",
          ),
        ),
        switcher("Forbid all outgoing connections", forbidden, toggle, { key: "egress" }),
      ),
    ),
    section(
      "Outgoing connections",
      { note: connections.length ? totals(connections) : null },
      h(
        "div",
        { class: "card" },
        connections.length ? ledger(connections) : empty(
          "privacy",
          "Nothing has left this device",
          "When the hub connects to anything, it stands here: where to, what for, for whom, and how much.",
        ),
      ),
    ),
  ];
}

function totals(connections) {
  const sum = (name) => connections.reduce((total, each) => total + (each[name] ?? 0), 0);
  const hosts = new Set(connections.map(({ host }) => host)).size;
  return `${plural(connections.length, "connection")} to ${plural(hosts, "host")}: ${
    bytes(sum("bytesUp"))
  } sent, ${bytes(sum("bytesDown"))} received.`;
}

function ledger(connections) {
  // For whom is a column of its own only where somebody knows.
  const isFor = connections.some((each) => each.for);
  const columns = [["Time"], ["Host"], ["What for"], isFor && ["For"], ["Outcome"], ["Sent", true], [
    "Received",
    true,
  ]];
  return table(
    "Outgoing connections",
    columns.filter(Boolean),
    connections.map((each) =>
      [
        h("span", { class: "nowrap" }, moment(each.time)),
        h(
          "span",
          { class: "mono" },
          each.port && each.port !== 443 ? `${each.host}:${each.port}` : each.host,
        ),
        PURPOSES[each.purpose] ?? each.purpose,
        isFor && (each.for ?? "–"),
        outcome(each),
        bytes(each.bytesUp),
        bytes(each.bytesDown),
      ].filter((cell) => cell !== false)
    ),
  );
}

const PURPOSES = {
  model_search: "Looking at a model",
  model_download: "Downloading a model",
  inference: "An answer",
  credential_check: "Testing a key",
};
const OUTCOMES = {
  open: "Open",
  finished: "Finished",
  cancelled: "Ended early",
  failed: "Failed",
  refused: "Refused: the network was off",
  stopped: "Stopped: the network was switched off",
};

function outcome({ method, status, outcome: word }) {
  const failed = (status ?? 0) >= 400 || /fail|refus|forbid|error|denied/i.test(word ?? "");
  const kind = failed ? "bad" : /^(open|cancelled|stopped)$/.test(word ?? "") ? "" : "good";
  return h(
    "div",
    { class: "badges" },
    badge(OUTCOMES[word] ?? word ?? "–", kind),
    h("span", { class: "hint" }, [method, status && String(status)].filter(Boolean).join(" ")),
  );
}

function keys(services, again) {
  if (!services.length) {
    return h(
      "div",
      { class: "card" },
      empty("key", "No service needs a key", "When you use one that does, its form opens by itself."),
    );
  }
  return h("ul", { class: "card plain" }, services.map((service) => row(service, again)));
}

function row(service, again) {
  const verdict = h("div", { "aria-live": "polite" });
  const fixed = service.source === "environment";
  const set = async () => {
    if (await keyForm(service.name)) toast("The key is saved.");
    again();
  };
  const drop = async () => {
    const sure = await confirm(
      `Remove the key for ${service.title}?`,
      "What needs it asks for a new one.",
      "Remove the key",
    );
    if (sure && (await act(() => remove(`secrets/${part(service.name)}`)))) again();
  };
  const on = (name) => ({ small: true, key: `${name}-${service.name}` });
  return h(
    "li",
    { class: "row stacks" },
    h(
      "div",
      { class: "row-text" },
      h(
        "h3",
        { class: "row-title" },
        h("span", {}, service.title),
        service.isSet ? badge("Set", "good", "check") : badge("Not set"),
      ),
      h(
        "p",
        { class: "hint" },
        [
          service.purpose ? `For ${service.purpose}.` : "Needed only for what its publisher gates.",
          service.isSet && SOURCES[service.source],
        ].filter(Boolean).join(" "),
      ),
      verdict,
    ),
    h(
      "div",
      { class: "actions" },
      button(service.isSet ? "Replace…" : "Set…", set, { glyph: "key", ...on("set") }),
      service.isSet && button("Test", () => test(service.name, verdict), { kind: "quiet", ...on("test") }),
      service.isSet && !fixed && button("Remove", drop, { kind: "quiet danger", ...on("remove") }),
    ),
  );
}
