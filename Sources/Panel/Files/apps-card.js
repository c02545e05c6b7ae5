// An app that may use the hub: what it may do, what it used today, and its keys.

import { part, post, remove } from "./api.js";
import { accessDialog, keyOnce } from "./apps-access.js";
import { badge, bar, button, iconButton, more } from "./components.js";
import { act, confirm } from "./dialogs.js";
import { h, icon } from "./dom.js";
import { toast } from "./feedback.js";
import { ago, capability, day, number } from "./format.js";

/// The app chose its icon: nothing but picture data is shown, and a letter where there is none.
export function picture({ icon: source, name }) {
  const isPicture = /^data:image\/(png|jpeg|webp);base64,[A-Za-z0-9+/=]+$/.test(source ?? "") &&
    source.length < 400_000;
  return isPicture ? h("img", { class: "app-icon", src: source, alt: "" }) : h(
    "span",
    { class: "app-icon letter", "aria-hidden": "true" },
    [...name.trim()][0]?.toUpperCase() ?? "?",
  );
}

export const doing = (path, said, refresh) => async (event) => {
  if (await act(() => post(path), event.currentTarget)) toast(said);
  refresh();
};

export function card(app, refresh) {
  return h(
    "article",
    { class: "card app", "aria-label": app.name },
    h(
      "div",
      { class: "row stacks" },
      h(
        "div",
        { class: "app-head" },
        picture(app),
        h(
          "div",
          { class: "row-text" },
          h("h3", {}, app.name),
          h(
            "p",
            { class: "hint" },
            app.lastUsed ? `Last used ${ago(app.lastUsed)}` : app.used?.requests ? "Used today" : "Never used",
            app.expires && ` · expires ${day(app.expires)}`,
          ),
          h("div", { class: "badges" }, scopes(app.scopes)),
        ),
      ),
      h(
        "div",
        { class: "actions" },
        button("Change…", () => accessDialog(app, refresh), { small: true, key: `change-${app.id}` }),
        button("Revoke", () => revoke(app, refresh), {
          kind: "quiet danger",
          small: true,
          key: `revoke-${app.id}`,
        }),
      ),
    ),
    h(
      "div",
      { class: "app-more" },
      usage(app),
      h(
        "div",
        { class: "app-foot" },
        keys(app, refresh),
        h("a", { href: `#/apps/audit/${part(app.id)}` }, "What it did"),
      ),
    ),
  );
}

function scopes(scopes = {}) {
  return Object.entries(scopes)
    .filter(([, value]) => value)
    .map((
      [name, value],
    ) => (value === "networkAllowed"
      ? badge(`${capability(name)} · network allowed`, "caution", "globe")
      : badge(
        capability(name),
        name === "models" ? "caution" : "good",
        name === "models" ? "download" : "device",
      ))
    );
}

function usage({ used = {}, quota = {} }) {
  const kinds = [["Requests", used.requests, quota.requestsPerDay], [
    "Tokens",
    used.tokens,
    quota.tokensPerDay,
  ], ["Minutes of compute", used.computeMinutes, quota.computeMinutesPerDay]];
  return h(
    "div",
    { class: "usage" },
    kinds.map(([name, value = 0, limit]) =>
      h(
        "div",
        {},
        h("p", { class: "hint" }, `${name} today`),
        h("p", {}, h("strong", {}, number(value)), limit ? ` of ${number(limit)}` : " · no limit"),
        limit &&
          bar(
            `${name} today: ${number(value)} of ${number(limit)}`,
            value,
            limit,
            value / limit > 0.9 ? "caution" : "",
          ),
      )
    ),
  );
}

async function revoke(app, refresh) {
  const sure = await confirm(
    `Revoke ${app.name}?`,
    "Its keys stop working at once, and what it has running is ended. You can let it in again later.",
    "Revoke",
  );
  if (sure && (await act(() => post(`apps/${part(app.id)}/revoke`)))) {
    toast(`${app.name} may no longer use the hub.`);
  }
  if (sure) refresh();
}

function keys(app, refresh) {
  const list = app.keys ?? [];
  const create = async (event) => {
    let made;
    if (!(await act(async () => (made = await post(`apps/${part(app.id)}/keys`)), event.currentTarget))) {
      return;
    }
    await keyOnce(app.name, made.key);
    refresh();
  };
  const drop = async (key) => {
    const sure = await confirm(
      "Delete this key?",
      `Whatever uses it for ${app.name} gets no more answers.`,
      "Delete the key",
    );
    if (sure && (await act(() => remove(`apps/${part(app.id)}/keys/${part(key.id)}`)))) refresh();
  };
  return more(
    list.length === 1 ? "1 key" : `${list.length} keys`,
    `keys-${app.id}`,
    h(
      "ul",
      { class: "plain key-list" },
      list.map((key) =>
        h(
          "li",
          {},
          icon("key", "small"),
          h(
            "span",
            { class: "row-text" },
            h("code", {}, key.id),
            h(
              "span",
              { class: "hint" },
              `made ${day(key.created)}, ${key.lastUsed ? `last used ${ago(key.lastUsed)}` : "never used"}`,
            ),
          ),
          iconButton("trash", `Delete the key ${key.id}`, () => drop(key), {
            small: true,
            kind: "quiet danger",
          }),
        )
      ),
    ),
    button("New key…", create, { glyph: "plus", small: true, key: `key-${app.id}` }),
  );
}
