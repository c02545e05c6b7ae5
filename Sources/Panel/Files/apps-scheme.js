// Apps that ask by breezeapp:// URLs: questions that wait for the owner, and apps that were paired.

import { part, post, remove } from "./api.js";
import { doing } from "./apps-card.js";
import { badge, button, section } from "./components.js";
import { act, confirm } from "./dialogs.js";
import { h } from "./dom.js";
import { toast } from "./feedback.js";
import { ago, bytes, capability, day } from "./format.js";

/// Whatever is asked is shown whole: the text is a stranger's, and so stands apart from ours.
export function questions(list, refresh) {
  return list.length > 0 && section(
    "Asked by URL",
    {},
    h("div", { class: "card attention" }, list.map((each) => question(each, refresh))),
  );
}

function question(asked, refresh) {
  const runs = asked.kind === "run";
  const answer = (said, words) =>
    async (event) => {
      if (
        await act(() => post(`scheme/questions/${part(asked.id)}`, { answer: said }), event.currentTarget)
      ) toast(words);
      refresh();
    };
  return h(
    "article",
    { class: "row stacks", "aria-label": `Question of ${asked.callback}` },
    runs ? request(asked) : pairing(asked),
    h(
      "div",
      { class: "actions" },
      runs &&
      button("Allow once", answer("allow_once", "Allowed, this once."), {
        small: true,
        key: `once-${asked.id}`,
      }),
      runs
        ? button("Allow and let it pair", answer("allow_and_pair", "Allowed; the app may ask to be paired."), {
          small: true,
          key: `pair-${asked.id}`,
        })
        : button("The codes match: pair", answer("pair", `${asked.name} is paired.`), {
          small: true,
          key: `pair-${asked.id}`,
        }),
      button("Refuse", answer("refuse", "Refused."), {
        kind: "primary",
        small: true,
        key: `refuse-${asked.id}`,
      }),
    ),
  );
}

function request(asked) {
  const more = [
    asked.hiddenCharacters > 0 && `${asked.hiddenCharacters} more characters`,
    ...asked.attachments.map((size) => `an attachment of ${bytes(size)}`),
  ].filter(Boolean);
  return h(
    "div",
    { class: "row-text" },
    h(
      "h3",
      { class: "row-title" },
      h("span", {}, `${asked.callback}:// asks for ${capability(asked.capability)}`),
      badge("Unverified", "caution"),
    ),
    h("p", { class: "hint" }, `${asked.warning} It runs on this device, without tools. Asked ${ago(asked.time)}.`),
    h("blockquote", { class: "strange" }, asked.prompt),
    more.length > 0 && h("p", { class: "hint" }, `And ${more.join(", ")}.`),
  );
}

function pairing(asked) {
  return h(
    "div",
    { class: "row-text" },
    h("h3", {}, `“${asked.name}” asks to be paired`),
    h(
      "p",
      { class: "hint" },
      `Its answers go to ${asked.callback}://. Pair it only where the app shows this code, too:`,
    ),
    h("p", { class: "pair-code" }, asked.code),
    h("div", { class: "badges" }, reaches(asked.asked)),
    asked.replaced.length > 0 &&
    h("p", { class: "hint" }, `It takes the place of ${asked.replaced.join(", ")}.`),
  );
}

export function pairedApps(apps, refresh) {
  return apps.length > 0 && section(
    "Paired, and ask by URL",
    {},
    h("ul", { class: "card plain" }, apps.map((app) => paired(app, refresh))),
  );
}

function paired(app, refresh) {
  const forget = async () => {
    const sure = await confirm(
      `Forget ${app.name}?`,
      "What it asks is taken for nobody's. It can ask to be paired again.",
      "Forget",
    );
    if (sure && (await act(() => remove(`scheme/apps/${part(app.id)}`)))) toast(`${app.name} is forgotten.`);
    if (sure) refresh();
  };
  return h(
    "li",
    { class: "row stacks", "aria-label": app.name },
    h(
      "div",
      { class: "row-text" },
      h(
        "h3",
        { class: "row-title" },
        h("span", {}, app.name),
        app.revoked && badge("Revoked"),
      ),
      h("p", { class: "hint" }, `Answers go to ${app.callback}:// · paired ${day(app.paired)}`),
      h("div", { class: "badges" }, reaches(app.granted)),
    ),
    h(
      "div",
      { class: "actions" },
      h("a", { class: "button quiet small", href: `#/apps/audit/${part(app.id)}` }, "What it did"),
      !app.revoked &&
      button("Revoke", doing(`scheme/apps/${part(app.id)}/revoke`, `${app.name} may ask no more.`, refresh), {
        kind: "quiet danger",
        small: true,
        key: `revoke-${app.id}`,
      }),
      button("Forget…", forget, { kind: "quiet danger", small: true, key: `forget-${app.id}` }),
    ),
  );
}

const reaches = (granted) =>
  Object.entries(granted).map(([name, reach]) =>
    reach === "networkAllowed"
      ? badge(`${capability(name)} · network allowed`, "caution", "globe")
      : badge(capability(name), "good", "device")
  );
