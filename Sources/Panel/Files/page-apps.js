// Who may use the hub: requests that wait, what each app may do, its keys, and what it did.

import { get, part } from "./api.js";
import { accessDialog, appDialog } from "./apps-access.js";
import { audit } from "./apps-audit.js";
import { card, doing, picture } from "./apps-card.js";
import { pairedApps, questions } from "./apps-scheme.js";
import { badge, button, empty, pageHead, section } from "./components.js";
import { h } from "./dom.js";
import { notice } from "./feedback.js";
import { ago, capability, moment } from "./format.js";
import { on } from "./live.js";
import { loading } from "./loading.js";
import { refreshStatus } from "./status.js";

export default {
  title: "Apps",

  show(main, { signal, rest }) {
    const body = h("div", { class: "stack-wide" });
    const tab = rest[0] === "audit" ? "audit" : "access";
    main.append(
      pageHead(
        "Apps",
        "No program uses the hub without your leave.",
        tab === "access" &&
          button("Add an app…", () => appDialog(() => again()), { glyph: "plus", key: "add-app" }),
      ),
      tabs(tab),
      body,
    );
    if (tab === "audit") {
      body.append(audit(signal, rest[1]));
      return;
    }
    const both = async () => {
      const [found, scheme] = await Promise.all([get("apps", signal), get("scheme", signal)]);
      return { ...found, scheme };
    };
    const again = loading(body, both, (found) => view(found, refresh), signal);
    const refresh = () => {
      again();
      refreshStatus();
    };
    on("apps", signal, again);
  },
};

function tabs(current) {
  const tab = (name, address, label) =>
    h("a", { href: address, "aria-current": name === current ? "page" : undefined }, label);
  return h(
    "nav",
    { class: "tabs", "aria-label": "Apps" },
    tab("access", "#/apps", "Access"),
    tab("audit", "#/apps/audit", "Audit"),
  );
}

function view({ apps, open, scheme }, refresh) {
  const waiting = apps.filter(({ state }) => state === "waiting");
  const known = apps.filter(({ state }) => state === "approved");
  const past = apps.filter(({ state }) => state !== "waiting" && state !== "approved");
  return [
    open &&
    notice(
      "caution",
      "Open mode is on: approval does not count.",
      "Every program on this device is answered. Models, settings, audit and this panel stay closed to them.",
    ),
    questions(scheme.questions, refresh),
    waiting.length > 0 &&
    section(
      "Waiting for you",
      {},
      h("div", { class: "card attention" }, waiting.map((app) => request(app, refresh))),
    ),
    section(
      "May use the hub",
      {},
      known.length
        ? h("div", { class: "stack" }, known.map((app) => card(app, refresh)))
        : h("div", { class: "card" }, nobody(waiting.length)),
    ),
    pairedApps(scheme.apps, refresh),
    past.length > 0 &&
    section(
      "No longer, or never",
      {},
      h("ul", { class: "card plain" }, past.map((app) => former(app, refresh))),
    ),
  ];
}

function nobody(waiting) {
  const text = waiting
    ? "Look at the request above and decide what the app may do."
    : "An app that asks for access appears here and waits. For a program with a field for an API key, add it yourself: you get a key to paste there.";
  return empty("apps", "No app may use the hub yet", text);
}

function request(app, refresh) {
  return h(
    "article",
    { class: "row stacks", "aria-label": `Request of ${app.name}` },
    h(
      "div",
      { class: "app-head" },
      picture(app),
      h(
        "div",
        { class: "row-text" },
        h("h3", {}, app.name),
        h("p", { class: "hint" }, `Asked ${ago(app.created)} for:`),
        h("div", { class: "badges" }, app.asked.map((each) => badge(capability(each)))),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      button("Decide…", () => accessDialog(app, refresh), {
        kind: "primary",
        small: true,
        key: `decide-${app.id}`,
      }),
      button("Refuse", doing(`apps/${part(app.id)}/refuse`, `${app.name} was refused.`, refresh), {
        kind: "quiet danger",
        small: true,
        key: `refuse-${app.id}`,
      }),
    ),
  );
}

const STATES = { refused: "Refused", revoked: "Revoked", expired: "Expired" };

function former(app, refresh) {
  return h(
    "li",
    { class: "row stacks" },
    h(
      "div",
      { class: "app-head" },
      picture(app),
      h(
        "div",
        { class: "row-text" },
        h("h3", { class: "row-title" }, h("span", {}, app.name), badge(STATES[app.state] ?? app.state)),
        h("p", { class: "hint" }, moment(app.decided ?? app.expires ?? app.created)),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      h("a", { class: "button quiet small", href: `#/apps/audit/${part(app.id)}` }, "What it did"),
      button("Let it in…", () => accessDialog(app, refresh), { small: true, key: `again-${app.id}` }),
    ),
  );
}
