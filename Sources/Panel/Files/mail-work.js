// Reading mail into the index and making its vectors: how far it is, what went wrong, and what to do.

import { post } from "./api.js";
import { bar, button, empty, facts, more } from "./components.js";
import { act } from "./dialogs.js";
import { command, failure, mend, notice } from "./feedback.js";
import { announce, h, newID, refill } from "./dom.js";
import { bytes, duration, number, plural } from "./format.js";

/// What is done at each stage, and which part of the work tells how far it is.
const STAGES = {
  reading: { title: "Reading mail", measure: "Mail read", unit: "message" },
  embedding: { title: "Making vectors", measure: "Vectors made", unit: "passage" },
  judging: { title: "Judging mail", measure: "Mail judged", unit: "message" },
};

/// How far the stage is: done, total, and what else is known of it.
function progress({ stage, reading, vectors, judging }) {
  if (stage === "reading") return { ...reading, done: reading?.read, total: reading?.found };
  return (stage === "embedding" ? vectors : judging) ?? {};
}

/// Where nothing was indexed yet.
export function firstIndex(again) {
  return h(
    "div",
    { class: "card" },
    empty(
      "mail",
      "No mail is indexed yet",
      "Name where your mail lies: a Maildir, an mbox file, or a folder of these. It is read there and never changed, and nothing of it leaves this device.",
      h(
        "div",
        { class: "mail-begin" },
        placeForm(again),
        h("p", { class: "hint" }, "Or in a terminal:"),
        command("breeze mail index PATH"),
      ),
    ),
  );
}

function placeForm(again) {
  const id = newID("mailbox");
  const field = h("input", {
    class: "input",
    id,
    type: "text",
    placeholder: "~/Mail",
    autocomplete: "off",
    spellcheck: "false",
    required: true,
    data: { key: "mailbox" },
  });
  const form = h(
    "form",
    { class: "mail-place" },
    h("div", { class: "field" }, h("label", { for: id }, "Path of a mailbox"), field),
    button("Index it", null, { kind: "primary", type: "submit", key: "mailbox-go" }),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const path = field.value.trim();
    if (path && (await act(() => post("mail/index", { paths: [path] })))) again();
  });
  return form;
}

/// What is done now and what was done: changed in place, since what is drawn anew takes no click.
export class MailWork {
  #box = h("div", { class: "stack" });
  #now = h("div", { class: "mail-work", "aria-label": "Work on the index", role: "group" });
  #rest = h("div");
  #again;
  #shape = null;
  #stage = "idle";
  #words = null;
  #bar = null;

  /// `again` loads the status anew.
  constructor(again) {
    this.#again = again;
    this.element = this.#box;
    this.#box.append(this.#now, this.#rest);
  }

  show(status) {
    this.update(status.work);
    refill(this.#rest, this.#index(status));
  }

  /// Whether the work ended with it.
  update(work) {
    const ended = this.#stage !== "idle" && work.stage === "idle";
    const shape = `${work.stage} ${progress(work).state} ${work.error?.message} ${work.failures.length}`;
    if (shape !== this.#shape) {
      this.#shape = shape;
      this.#draw(work);
    }
    this.#measure(work);
    if (ended) announce(work.error ? work.error.message : "The mail is indexed.");
    this.#stage = work.stage;
    return ended;
  }

  #draw(work) {
    [this.#words, this.#bar] = [null, null];
    if (!STAGES[work.stage]) return refill(this.#now, faults(work));
    this.#words = h("p", { class: "hint" });
    this.#bar = h("div");
    const paused = progress(work).state === "paused";
    const title = `${STAGES[work.stage].title}${paused ? ": paused" : ""}`;
    refill(
      this.#now,
      h(
        "div",
        { class: "card row stacks" },
        h("div", { class: "row-text" }, h("h2", { class: "row-title" }, title), this.#bar, this.#words),
        h(
          "div",
          { class: "actions" },
          paused &&
            button("Resume", this.#ask("vectors/resume"), { glyph: "play", small: true, key: "vectors" }),
          work.stage === "embedding" && !paused &&
            button("Pause", this.#ask("vectors/pause"), { glyph: "pause", small: true, key: "vectors" }),
          button("Stop", this.#ask("index/stop"), {
            glyph: "stop",
            kind: "quiet danger",
            small: true,
            key: "stop",
          }),
        ),
      ),
      faults(work),
    );
  }

  #measure(work) {
    if (!this.#words) return;
    const { measure, unit } = STAGES[work.stage];
    const { done = 0, total = 0, state, reason, secondsLeft } = progress(work);
    this.#words.textContent = [
      `${number(done)} of ${plural(total, unit)}`,
      state === "waiting" && `waits: ${reason}`,
      secondsLeft !== undefined && `${duration(Math.max(1, secondsLeft))} left`,
    ].filter(Boolean).join(" · ");
    this.#bar.replaceChildren(bar(measure, done, total));
  }

  #ask(path) {
    return async (event) => {
      if (await act(() => post(`mail/${path}`), event.currentTarget)) this.#again();
    };
  }

  #index(status) {
    const { vectors, judged, encoder } = status;
    const idle = status.work.stage === "idle";
    return [
      status.notice && notice("caution", "The index was made anew", status.notice),
      encoder && notice("caution", encoder.message, "Until then words alone find mail.", mend(encoder.remedy)),
      more(
        `The index: ${plural(status.messages, "message")}`,
        "mail-index",
        h(
          "div",
          { class: "card pad stack" },
          facts([
            ["Conversations", number(status.threads)],
            ["Size", bytes(status.bytes)],
            ["Vectors", vectors && `${number(vectors.done)} of ${number(vectors.total)}${
              vectors.model ? `, by ${vectors.model}` : ""
            }`],
            ["Judged", judged && `${number(judged.done)} of ${number(judged.total)}`],
          ]),
          h("ul", { class: "plain-list" }, status.sources.map(({ path, messages }) =>
            h("li", {}, h("code", {}, path), ` ${plural(messages, "message")}`))),
          judged && h("p", {}, h("a", { href: "#/mail/corrections" }, "What you corrected")),
          idle && h(
            "div",
            { class: "actions" },
            button("Look for new mail", this.#ask("index"), { glyph: "retry", small: true, key: "again" }),
          ),
          idle && placeForm(this.#again),
        ),
      ),
    ];
  }
}

function faults(work) {
  return [
    work.error && failure(work.error),
    work.failures.length > 0 &&
    more(
      `${plural(work.reading?.failed ?? work.failures.length, "file")} could not be read`,
      "mail-failures",
      h("ul", { class: "plain-list" }, work.failures.map(({ message }) => h("li", {}, message))),
    ),
  ];
}
