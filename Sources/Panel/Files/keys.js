// Keys of outside services: the form for them, and the detour over it when an action lacks one.

import { ApiError, get, part, post, put } from "./api.js";
import { badge } from "./components.js";
import { dialog } from "./dialogs.js";
import { failure, notice } from "./feedback.js";
import { h, newID } from "./dom.js";
import { webAddress } from "./format.js";

/// Runs `action`; where the hub answers that a service's key is missing, asks for the key and runs it again.
export async function withKeys(action) {
  for (let round = 0;; round += 1) {
    try {
      return await action();
    } catch (error) {
      if (error.code !== "auth_required" || !error.service || round === 3) throw error;
      const saved = await keyForm(error.service, error.message);
      if (!saved) throw new ApiError(0, { code: "cancelled_by_owner", message: "No key was given." });
    }
  }
}

/// Gives whether a key was saved.
export async function keyForm(name, reason) {
  let service = { name, title: name, isSet: false, fields: [{ name: "token", title: "Key" }] };
  try {
    service = (await get("secrets")).services.find((each) => each.name === name) ?? service;
  } catch {
    // The form works without what is known of the service.
  }
  const inputs = service.fields.map((field) => ({ field, id: newID("key"), input: h("input", keyInput()) }));
  for (const { id, input } of inputs) input.id = id;
  const verdict = h("div", { "aria-live": "polite" });

  const save = async () => {
    for (const { input } of inputs) input.removeAttribute("aria-invalid");
    const empty = inputs.find(({ input }) => !input.value.trim());
    if (empty) {
      empty.input.setAttribute("aria-invalid", "true");
      empty.input.focus();
      throw new ApiError(0, {
        message: `“${empty.field.title}” is empty.`,
        remedy: "Paste the key as the service shows it.",
      });
    }
    const fields = Object.fromEntries(inputs.map(({ field, input }) => [field.name, input.value.trim()]));
    await put(`secrets/${part(name)}`, { fields });
  };

  const value = await dialog({
    title: `Key for ${service.title}`,
    body: [
      reason && notice("", reason),
      h(
        "p",
        { class: "hint" },
        "The hub keeps it in the system's keyring, or encrypted where there is none. It is sent to that service alone and never shown again.",
      ),
      webAddress(service.page) &&
      h(
        "p",
        {},
        "You find it at ",
        h("a", { href: webAddress(service.page), target: "_blank", rel: "noopener noreferrer" }, service.page),
        ".",
      ),
      service.isSet && h("p", {}, badge("A key is set", "good"), " What you save replaces it."),
      service.source === "environment" &&
      notice("caution", "The environment sets this key.", "It counts before one that is saved here."),
      inputs.map(({ field, id, input }) =>
        h("div", { class: "field" }, h("label", { for: id }, field.title), input)
      ),
      verdict,
    ],
    actions: [
      { label: "Cancel", value: null },
      {
        label: "Save and test",
        run: async () => {
          await save();
          await test(name, verdict);
          return false; // it stays open with the verdict
        },
      },
      { label: "Save", kind: "primary", run: async () => (await save(), "saved") },
    ],
  });
  return value === "saved";
}

const keyInput = () => ({
  type: "password",
  class: "input mono",
  autocomplete: "off",
  spellcheck: "false",
  autocapitalize: "off",
});

/// Shows in `place` what the service said of its key. Gives whether it took it.
export async function test(name, place) {
  place.replaceChildren(h("p", { class: "hint" }, "Asking the service…"));
  try {
    const { ok, message } = await post(`secrets/${part(name)}/test`);
    place.replaceChildren(notice(ok ? "good" : "bad", message));
    return ok;
  } catch (error) {
    place.replaceChildren(failure(error));
    return false;
  }
}
