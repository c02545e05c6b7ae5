// Downloads, updated in place: a bar that is drawn anew ten times a second could not be clicked.

import { part, post } from "./api.js";
import { badge, button, section } from "./components.js";
import { act, confirm } from "./dialogs.js";
import { failure } from "./feedback.js";
import { announce, h } from "./dom.js";
import { bytes, duration } from "./format.js";

const STAGES = {
  discovery: "Looking what there is",
  download: "Downloading",
  extraction: "Unpacking",
  validation: "Checking what arrived",
  initialisation: "Preparing",
  loading: "Loading",
  ready: "Ready",
};

export class Downloads {
  #rows = new Map();
  #list = h("ul", { class: "card plain" });
  #changed;

  /// `changed` is called when somebody has done something to one.
  constructor(changed) {
    this.#changed = changed;
    this.element = section("Downloads", {}, this.#list);
    this.element.hidden = true;
  }

  show(found) {
    const downloads = found.filter((each) => !isOver(each));
    const there = new Set(downloads.map(({ id }) => id));
    for (const id of this.#rows.keys()) if (!there.has(id)) this.#drop(id);
    for (const download of downloads) this.update(download);
  }

  /// Whether its state is a new one: what was asked for before then tells of the old one.
  update(download) {
    if (isOver(download)) {
      if (this.#rows.has(download.id) && download.state === "ready") announce(`${download.id} is ready.`);
      this.#drop(download.id);
      return true;
    }
    let row = this.#rows.get(download.id);
    if (!row) {
      row = new Row(download.id, this.#changed);
      this.#rows.set(download.id, row);
      this.#list.append(row.element);
    }
    this.element.hidden = false;
    return row.update(download);
  }

  #drop(id) {
    this.#rows.get(id)?.element.remove();
    this.#rows.delete(id);
    this.element.hidden = this.#rows.size === 0;
  }
}

const isOver = ({ state }) => state === "ready" || state === "cancelled";

class Row {
  #state = null;
  #words = h("p", { class: "hint" });
  #fill = h("div", { class: "bar-fill" });
  #bar;
  #badges = h("span", { class: "badges" });
  #actions = h("div", { class: "actions" });
  #fault = h("div");

  constructor(id, changed) {
    this.id = id;
    this.changed = changed;
    this.#bar = h("div", {
      class: "bar",
      role: "progressbar",
      "aria-label": `Download of ${id}`,
      "aria-valuemin": "0",
      "aria-valuemax": "100",
    }, this.#fill);
    this.element = h(
      "li",
      { class: "row stacks download" },
      h(
        "div",
        { class: "row-text" },
        h("h3", { class: "row-title" }, h("span", {}, id), this.#badges),
        this.#bar,
        this.#words,
        this.#fault,
      ),
      this.#actions,
    );
  }

  update(download) {
    const { received, total, state, error } = download;
    const share = total ? Math.min(100, (100 * received) / total) : 0;
    this.#fill.style.width = `${share}%`;
    this.#fill.className = `bar-fill ${state === "running" ? "" : "paused"}`;
    if (total) this.#bar.setAttribute("aria-valuenow", String(Math.round(share)));
    else this.#bar.removeAttribute("aria-valuenow");
    this.#words.textContent = words(download);
    if (state === this.#state) return false;
    this.#state = state;
    const kind = { failed: "bad", paused: "caution", waiting: "caution" }[state];
    this.#badges.replaceChildren(
      ...(kind ? [badge({ failed: "Failed", paused: "Paused", waiting: "Waiting" }[state], kind)] : []),
    );
    const shown = typeof error === "string" ? { message: error } : error;
    this.#fault.replaceChildren(...(state === "failed" && shown ? [failure(shown)] : []));
    const hadFocus = this.#actions.contains(document.activeElement);
    this.#actions.replaceChildren(...this.#controls(state));
    if (hadFocus) this.#actions.firstElementChild.focus();
    return true;
  }

  #controls(state) {
    const moving = state === "running" || state === "waiting";
    const first = moving
      ? button("Pause", this.#ask("pause"), { glyph: "pause", small: true })
      : button(state === "failed" ? "Try again" : "Resume", this.#ask("resume"), {
        glyph: state === "failed" ? "retry" : "play",
        small: true,
      });
    return [
      first,
      button("Cancel", () => this.#cancel(), { glyph: "close", kind: "quiet danger", small: true }),
    ];
  }

  #ask(verb) {
    return async (event) => {
      if (await act(() => post(`models/${part(this.id)}/${verb}`), event.currentTarget)) this.changed();
    };
  }

  async #cancel() {
    const sure = await confirm(
      `Cancel the download of ${this.id}?`,
      "What has arrived so far is deleted.",
      "Cancel the download",
    );
    if (sure && (await act(() => post(`models/${part(this.id)}/cancel`)))) this.changed();
  }
}

function words({ stage, received, total, bytesPerSecond, secondsLeft, state }) {
  const parts = [STAGES[stage] ?? stage];
  if (stage === "download") parts.push(total ? `${bytes(received)} of ${bytes(total)}` : bytes(received));
  if (state === "running" && stage === "download") {
    if (bytesPerSecond) parts.push(`${bytes(bytesPerSecond)}/s`);
    if (secondsLeft !== undefined) parts.push(`${duration(secondsLeft)} left`);
  }
  return parts.join(" · ");
}
