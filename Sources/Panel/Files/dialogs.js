// Actions that may fail, and dialogs: modal, closed by Esc, with failures shown inside.

import { button, iconButton } from "./components.js";
import { h, newID } from "./dom.js";
import { failure, prose } from "./feedback.js";
import { withKeys } from "./keys.js";

/// Runs an action of a person's: its failure becomes a dialog with the remedy. Gives whether it went well.
export async function act(action, control) {
  if (control) control.setAttribute("aria-busy", "true");
  try {
    await withKeys(action);
    return true;
  } catch (error) {
    if (error.name !== "AbortError" && error.code !== "cancelled_by_owner") showFailure(error);
    return false;
  } finally {
    control?.removeAttribute("aria-busy");
  }
}

function showFailure(error) {
  if (error.name !== "ApiError") console.warn(error);
  const plain = error.name === "ApiError"
    ? error
    : { message: "The panel could not do that.", remedy: "Load the page again." };
  dialog({ title: "That did not work", body: [failure(plain)], actions: [{ label: "Close", value: null }] });
}

/// Shows a modal dialog, and gives the value of the button that closed it; Esc gives null. An action's `run` may
/// refuse to close it by throwing, which is shown inside, or by giving `false`.
export function dialog({ title, body, actions = [], wide, onclose }) {
  return new Promise((resolve) => {
    const heading = newID("dialog");
    const faults = h("div", { "aria-live": "assertive" });
    const element = h("dialog", { "aria-labelledby": heading, class: wide ? "wide" : "" });
    let result = null;
    const finish = (value) => {
      result = value;
      element.close();
    };
    const press = (action) => async (event) => {
      event.preventDefault();
      faults.replaceChildren();
      if (!action.run) return finish(action.value ?? null);
      const control = event.currentTarget;
      control.disabled = true;
      try {
        const value = await withKeys(action.run);
        if (value !== false) finish(value ?? true);
      } catch (error) {
        if (error.code !== "cancelled_by_owner" && error.name !== "AbortError") {
          faults.replaceChildren(failure(error));
        }
      } finally {
        control.disabled = false;
      }
    };
    const foot = actions.map((action) => {
      const control = button(action.label, press(action), {
        kind: action.kind,
        glyph: action.glyph,
        disabled: action.disabled,
      });
      action.attach?.(control);
      return control;
    });
    element.append(
      h(
        "div",
        { class: "dialog-head" },
        h("h2", { id: heading }, title),
        iconButton("close", "Close", () => finish(null)),
      ),
      h("div", { class: "dialog-body" }, body, faults),
      foot.length ? h("div", { class: "dialog-foot" }, foot) : "",
    );
    element.addEventListener("close", () => {
      element.remove();
      onclose?.();
      resolve(result);
    });
    document.body.append(element);
    element.showModal();
    const first = element.querySelector(
      ".dialog-body input:not([disabled]), .dialog-body select, .dialog-body textarea",
    );
    (first ?? element.querySelector(".dialog-foot .button:not([disabled])") ?? element).focus();
  });
}

export async function confirm(title, text, label, { danger = true } = {}) {
  const value = await dialog({
    title,
    body: [h("p", {}, prose(text))],
    actions: [{ label: "Keep as it is", value: null }, {
      label,
      value: true,
      kind: danger ? "danger primary" : "primary",
    }],
  });
  return value === true;
}
