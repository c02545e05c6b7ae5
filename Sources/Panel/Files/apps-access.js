// What an app may do: granting, narrowing, quotas, expiry, and keys.

import { ApiError, part, post } from "./api.js";
import { dialog } from "./dialogs.js";
import { command, copyButton, notice, toast } from "./feedback.js";
import { h, newID } from "./dom.js";
import { capability, capabilityNames } from "./format.js";

const DAY = 86_400_000;
const EXPIRIES = [["never", "Never"], ["1", "In a day"], ["7", "In a week"], ["30", "In 30 days"], [
  "365",
  "In a year",
]];
const QUOTAS = [["requestsPerDay", "Requests per day"], ["tokensPerDay", "Tokens per day"], [
  "computeMinutesPerDay",
  "Minutes of compute per day",
]];

/// Approves a request, or changes what was approved.
export async function accessDialog(app, settled) {
  const isNew = app.state !== "approved";
  const granted = isNew && app.state === "waiting" ? null : app.scopes ?? {};
  const names = [
    ...new Set([
      ...app.asked.filter((name) => name !== "models"),
      ...Object.keys(app.scopes ?? {}).filter((name) => name !== "models"),
    ]),
  ];
  const scopes = names.map((name) => scopeRow(name, granted ? granted[name] : "onDevice"));
  const manages = h("input", { type: "checkbox", checked: granted?.models === true });
  const asksModels = app.asked.includes("models") || granted?.models;
  const quotas = QUOTAS.map(([name, label]) => quotaField(name, label, app.quota?.[name]));
  const expiry = expiryField(app);

  const run = async () => {
    const chosen = Object.fromEntries(
      scopes.filter(({ tick }) => tick.checked).map(({ name, where }) => [name, where.value]),
    );
    if (manages.checked) chosen.models = true;
    if (!Object.keys(chosen).length) {
      throw new ApiError(0, {
        message: "Nothing is ticked.",
        remedy: "Tick what the app may do, or refuse it.",
      });
    }
    const body = { scopes: chosen };
    const quota = Object.fromEntries(
      quotas.map((each) => [each.name, each.read()]).filter(([, value]) => value !== undefined),
    );
    if (Object.keys(quota).length) body.quota = quota;
    if (expiry.read()) body.expires = expiry.read();
    await post(`apps/${part(app.id)}/approve`, body);
  };
  const done = await dialog({
    title: isNew ? `What may ${app.name} do?` : `Change what ${app.name} may do`,
    body: [
      h(
        "fieldset",
        { class: "choices" },
        h("legend", { class: "label" }, "Capabilities"),
        scopes.map(({ element }) => element),
      ),
      asksModels &&
      h(
        "label",
        { class: "check" },
        manages,
        h(
          "span",
          {},
          "Manage models",
          h("br"),
          h(
            "span",
            { class: "hint" },
            "It may ask for models to be pulled, and delete them. You still agree to each source and licence.",
          ),
        ),
      ),
      h(
        "fieldset",
        { class: "choices" },
        h("legend", { class: "label" }, "Limits"),
        h("p", { class: "hint" }, "Left empty, there is none."),
        h("div", { class: "field-row" }, quotas.map(({ element }) => element)),
      ),
      expiry.element,
    ],
    actions: [{ label: "Cancel", value: null }, { label: isNew ? "Approve" : "Save", kind: "primary", run }],
  });
  if (!done) return false;
  toast(isNew ? `${app.name} may use the hub.` : "Saved.");
  settled();
  return true;
}

function scopeRow(name, now) {
  const id = newID("scope");
  const tick = h("input", { type: "checkbox", id, checked: Boolean(now) });
  const where = h(
    "select",
    { class: "input", "aria-label": `Where ${capability(name)} may run`, disabled: !now },
    h("option", { value: "onDevice", selected: now !== "networkAllowed" }, "On this device only"),
    h("option", { value: "networkAllowed", selected: now === "networkAllowed" }, "Network allowed"),
  );
  tick.addEventListener("change", () => (where.disabled = !tick.checked));
  return {
    name,
    tick,
    where,
    element: h(
      "div",
      { class: "scope" },
      h("label", { class: "check", for: id }, tick, h("span", {}, capability(name))),
      where,
    ),
  };
}

function quotaField(name, label, now) {
  const id = newID("quota");
  const input = h("input", {
    class: "input",
    id,
    type: "text",
    inputmode: "numeric",
    placeholder: "no limit",
    autocomplete: "off",
    value: now ?? "",
  });
  return {
    name,
    element: h("div", { class: "field" }, h("label", { for: id }, label), input),
    read() {
      const text = input.value.trim();
      input.removeAttribute("aria-invalid");
      if (!text) return undefined;
      if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
      input.setAttribute("aria-invalid", "true");
      input.focus();
      throw new ApiError(0, {
        message: `“${label}” takes a whole number above 0.`,
        remedy: "Leave it empty for no limit.",
      });
    },
  };
}

function expiryField(app) {
  const id = newID("expiry");
  const select = h(
    "select",
    { class: "input", id },
    app.expires && h("option", { value: "keep" }, `As it is: ${new Date(app.expires).toLocaleDateString()}`),
    EXPIRIES.map(([value, label]) => h("option", { value }, label)),
  );
  return {
    element: h("div", { class: "field" }, h("label", { for: id }, "Expires"), select),
    read() {
      if (select.value === "keep") return app.expires;
      return select.value === "never"
        ? undefined
        : new Date(Date.now() + Number(select.value) * DAY).toISOString();
    },
  };
}

/// Registers an app for a program that cannot ask by itself, and gives its key.
export async function appDialog(settled) {
  const id = newID("name");
  const name = h("input", { class: "input", id, type: "text", maxlength: "80", autocomplete: "off" });
  const ticks = capabilityNames.map((each) => ({
    each,
    input: h("input", { type: "checkbox", checked: each === "chat" }),
  }));
  let made;
  const added = await dialog({
    title: "Add an app",
    body: [
      h(
        "p",
        { class: "hint" },
        "For a program that has a field for an API key. You get the key when you have approved it.",
      ),
      h("div", { class: "field" }, h("label", { for: id }, "Name"), name),
      h(
        "fieldset",
        { class: "choices two" },
        h("legend", { class: "label" }, "It wants"),
        ticks.map(({ each, input }) =>
          h("label", { class: "check" }, input, h("span", {}, capability(each)))
        ),
      ),
    ],
    actions: [
      { label: "Cancel", value: null },
      {
        label: "Go on",
        kind: "primary",
        run: async () => {
          const capabilities = ticks.filter(({ input }) => input.checked).map(({ each }) => each);
          if (!name.value.trim()) {
            throw new ApiError(0, {
              message: "The app has no name.",
              remedy: "Type one that you will recognise.",
            });
          }
          if (!capabilities.length) {
            throw new ApiError(0, { message: "Nothing is ticked.", remedy: "Tick what the app is to do." });
          }
          made = await post("apps", { name: name.value.trim(), capabilities });
          made.app = {
            id: made.id,
            name: name.value.trim(),
            state: "waiting",
            asked: capabilities,
            scopes: {},
          };
        },
      },
    ],
  });
  if (!added) return;
  settled();
  // The key is worth nothing before that, so it is shown after it.
  if (!(await accessDialog(made.app, settled))) return;
  await keyOnce(made.app.name, made.key);
  settled();
}

export function keyOnce(name, key) {
  const base = `${location.origin}/v1`;
  return dialog({
    title: `Key for ${name}`,
    body: [
      notice(
        "caution",
        "This is the only time the key is shown.",
        "The hub keeps a fingerprint of it and cannot show it again. Copy it now.",
      ),
      h(
        "div",
        { class: "command secret" },
        h("code", { tabindex: "0", role: "group", "aria-label": "The key" }, key),
        copyButton(() => key, "Copy the key"),
      ),
      h("p", {}, "In an app that speaks the OpenAI API, set this address:"),
      command(base),
    ],
    actions: [{ label: "I have copied it", kind: "primary", value: true }],
  });
}
