// Waiting for what the hub sends, and trying again when it fails.

import { h, refill, visuallyHidden } from "./dom.js";
import { failure } from "./feedback.js";

// Parts of a page fail together, when the hub does: one press tries all of them again.
const failing = new Set();

/// Loads and shows: waiting, failure with a way to try again, and the view. Gives the function that loads again.
export function loading(container, load, view, signal) {
  let turn = 0;
  const again = async () => {
    const mine = (turn += 1);
    failing.delete(again);
    if (!container.childElementCount) refill(container, skeleton());
    try {
      const value = await load();
      if (mine === turn && !signal?.aborted) refill(container, view(value));
    } catch (error) {
      if (error.name === "AbortError" || mine !== turn || signal?.aborted) return;
      if (error.name !== "ApiError") console.warn(error);
      const known = error.name === "ApiError"
        ? error
        : { message: "The panel cannot show this.", remedy: "Load the page again." };
      failing.add(again);
      refill(container, failure(known, () => [...failing].forEach((each) => each())));
    }
  };
  signal?.addEventListener("abort", () => failing.delete(again));
  again();
  return again;
}

function skeleton() {
  return h(
    "div",
    { class: "skeleton", role: "status" },
    visuallyHidden("Loading"),
    h("div", {}),
    h("div", {}),
    h("div", {}),
  );
}
