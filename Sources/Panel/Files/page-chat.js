// The conversation. It lives in this tab's memory alone and outlasts a look at another page.

import { get } from "./api.js";
import { button, empty } from "./components.js";
import { confirm } from "./dialogs.js";
import { failure } from "./feedback.js";
import { h, icon, newID, refill } from "./dom.js";
import { Answer } from "./chat-answer.js";
import { Composer } from "./chat-composer.js";

let conversation = null;

class Conversation {
  turns = []; // {text, images, answer}
  models = [];
  #log = h("div", { class: "chat-log", role: "region", "aria-label": "Conversation" });
  #hello = h("div", { class: "chat-hello" });
  #model = h("select", { class: "input", id: newID("model") });
  #privacy = h("select", { class: "input", id: newID("privacy") });
  #follows = true;

  constructor() {
    this.composer = new Composer({
      send: (text, images) => this.ask(text, images),
      stop: () => this.running?.stop(),
    });
    this.#privacy.append(
      h("option", { value: "user-settings" }, "Where settings allow"),
      h("option", { value: "on-device" }, "On this device only"),
    );
    this.element = h(
      "div",
      { class: "chat" },
      h("div", { class: "page-head chat-head" }, h("h1", { tabindex: "-1" }, "Chat"), this.#options()),
      this.#hello,
      this.#log,
      this.composer.element,
    );
    this.#model.addEventListener("change", () => this.#modelChanged());
  }

  get running() {
    return this.turns.at(-1)?.answer?.isRunning ? this.turns.at(-1).answer : null;
  }

  #options() {
    return h(
      "div",
      { class: "chat-options" },
      h("label", { class: "visually-hidden", for: this.#model.id }, "Model"),
      this.#model,
      h("label", { class: "visually-hidden", for: this.#privacy.id }, "Where it may be answered"),
      this.#privacy,
      button("New chat", () => this.#clear(), { glyph: "plus" }),
    );
  }

  async refresh() {
    try {
      this.models = await chatModels();
      const chosen = this.#model.value;
      refill(
        this.#model,
        this.models.map(({ id }) => h("option", { value: id, selected: id === chosen }, id)),
      );
      this.#model.disabled = !this.models.length;
      if (!this.models.length) this.#model.append(h("option", { value: "" }, "No chat model"));
      this.#modelChanged();
    } catch (error) {
      if (error.name === "AbortError") return;
      this.composer.enable(false);
      refill(this.#hello, failure(error, () => this.refresh()));
      this.#hello.hidden = false;
    }
  }

  #modelChanged() {
    this.composer.enable(this.models.length > 0);
    this.#greet();
  }

  #greet() {
    this.#hello.hidden = this.turns.length > 0;
    refill(
      this.#hello,
      this.models.length
        ? empty(
          "chat",
          "Ask something",
          "The answer is made by a model on this device, unless you allowed a service on the network. This conversation stays in this tab and is gone when you close it.",
        )
        : empty(
          "models",
          "There is no chat model yet",
          "Pull one that fits this device; small ones answer quickly and need little memory.",
          h("a", { class: "button primary", href: "#/models" }, icon("search"), "Find a model"),
        ),
    );
  }

  async #clear() {
    if (
      this.running &&
      !(await confirm("Start a new chat?", "The answer that is being written is stopped.", "New chat"))
    ) return;
    this.running?.stop();
    this.turns = [];
    this.#log.replaceChildren();
    this.#greet();
    this.composer.focus();
  }

  ask(text, images) {
    const turn = { text, images };
    this.turns.push(turn);
    this.#hello.hidden = true;
    this.#log.append(question(text, images));
    this.#answer(turn);
  }

  #answer(turn) {
    const index = this.turns.indexOf(turn);
    // What was asked after an answer that is made anew would no longer follow from it.
    for (const later of this.turns.splice(index + 1)) {
      later.answer?.element.previousElementSibling?.remove();
      later.answer?.element.remove();
    }
    turn.answer?.element.remove();
    turn.answer = new Answer({
      model: this.#model.value,
      privacy: this.#privacy.value,
      messages: this.#messages(),
      retry: () => this.#answer(turn),
      changed: () => this.#scroll(),
      ended: () => this.composer.busy(Boolean(this.running)),
    });
    this.#log.append(turn.answer.element);
    this.#follows = true;
    this.composer.busy(true);
    turn.answer.start();
    this.#scroll();
  }

  #messages() {
    return this.turns.flatMap(({ text, images, answer }) => {
      const pictures = images.map((url) => ({ type: "image_url", image_url: { url } }));
      const asked = { role: "user", content: pictures.length ? [{ type: "text", text }, ...pictures] : text };
      return answer?.text ? [asked, { role: "assistant", content: answer.text }] : [asked];
    });
  }

  /// Follows the answer unless the reader has scrolled up.
  #scroll() {
    if (this.#follows && this.element.isConnected) {
      window.scrollTo({ top: document.documentElement.scrollHeight });
    }
  }

  watchScrolling(signal) {
    const page = document.documentElement;
    const look = () => (this.#follows = page.scrollHeight - page.clientHeight - window.scrollY < 60);
    window.addEventListener("scroll", look, { signal, passive: true });
    this.#follows = true;
    if (this.turns.length) requestAnimationFrame(() => this.#scroll());
  }
}

/// Of all models those that hold a conversation. The list does not say what each can do; the runners do.
async function chatModels() {
  const [{ data = [] }, { runners }] = await Promise.all([get("/v1/models"), get("runners")]);
  const talks = new Set(
    runners
      .filter(({ capabilities }) => capabilities.some((each) => each === "chat" || each === "vlm"))
      .flatMap(({ id, model }) => [model ?? id.replaceAll(":", "-"), id]),
  );
  return data.filter(({ id }) => talks.has(id));
}

function question(text, images) {
  return h(
    "article",
    { class: "question", "aria-label": "You" },
    images.length > 0 &&
      h(
        "div",
        { class: "pictures" },
        images.map((src, index) => h("img", { src, alt: `Attached image ${index + 1}` })),
      ),
    text && h("p", {}, text),
  );
}

export default {
  title: "Chat",

  show(main, { signal }) {
    conversation ??= new Conversation();
    main.append(conversation.element);
    conversation.refresh();
    conversation.watchScrolling(signal);
  },

  /// Nothing of a conversation is left when the owner signs out.
  forget() {
    conversation?.running?.stop();
    conversation = null;
  },
};
