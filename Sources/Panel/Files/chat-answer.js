// One answer: streamed, stopped, copied, asked for again, and explained.

import { ApiError, events, request } from "./api.js";
import { badge, button } from "./components.js";
import { copyButton, failure, notice } from "./feedback.js";
import { announce, h, icon, refill } from "./dom.js";
import { locality, number, seconds } from "./format.js";
import { explanation } from "./chat-routing.js";
import { withKeys } from "./keys.js";
import { MarkdownView } from "./markdown.js";

export class Answer {
  text = "";
  isRunning = false;
  #thought = "";
  #said = 0;
  #drawing = 0;
  #finish = null;
  #account = null;
  #asks;
  #abort = new AbortController();
  #body = h("div", { class: "prose" });
  #thinking = h(
    "details",
    { class: "more thinking", hidden: true },
    h("summary", { class: "disclosure" }, icon("chevron", "small turns"), "Thinking"),
    h("p", {}),
  );
  #foot = h("div", { class: "answer-foot" });
  #view = new MarkdownView(this.#body);

  /// `asks` is {model, privacy, messages, retry, changed, ended}.
  constructor(asks) {
    this.#asks = asks;
    this.element = h(
      "article",
      { class: "answer", "aria-label": "Answer" },
      this.#thinking,
      this.#body,
      this.#foot,
    );
  }

  async start() {
    this.isRunning = true;
    this.element.setAttribute("aria-busy", "true");
    refill(
      this.#foot,
      h(
        "span",
        { class: "working" },
        h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
        "Waiting for the first word",
      ),
    );
    let fault = null;
    try {
      await this.#stream(await withKeys(() => this.#request()));
    } catch (error) {
      if (error.name !== "AbortError" || !this.#abort.signal.aborted) fault = error;
    }
    this.isRunning = false;
    this.element.removeAttribute("aria-busy");
    cancelAnimationFrame(this.#drawing);
    this.#draw();
    this.#end(fault);
    this.#asks.ended();
    this.#asks.changed();
  }

  stop() {
    this.#abort.abort();
  }

  #request() {
    return request("POST", "/v1/chat/completions", {
      signal: this.#abort.signal,
      headers: { "x-breeze-privacy": this.#asks.privacy, "x-breeze-priority": "user-initiated" },
      body: {
        model: this.#asks.model,
        messages: this.#asks.messages,
        stream: true,
        stream_options: { include_usage: true },
      },
    });
  }

  async #stream(response) {
    for await (const { data } of events(response)) {
      if (data === "[DONE]") return;
      const chunk = JSON.parse(data);
      if (chunk.error) {
        throw new ApiError(response.status, { message: "The answer broke off.", ...chunk.error });
      }
      const delta = chunk.choices?.[0]?.delta;
      this.#finish = chunk.choices?.[0]?.finish_reason ?? this.#finish;
      this.#account = chunk.breeze ?? this.#account;
      if (delta?.reasoning_content) this.#thought += delta.reasoning_content;
      if (delta?.content) this.text += delta.content;
      if (delta) this.#drawSoon();
    }
    throw new ApiError(0, {
      message: "The connection to the hub broke before the answer was whole.",
      remedy: "Try again.",
    });
  }

  #drawSoon() {
    if (this.#drawing) return;
    this.#drawing = requestAnimationFrame(() => {
      this.#drawing = 0;
      this.#draw();
      this.#asks.changed();
    });
  }

  #draw() {
    this.#thinking.hidden = !this.#thought;
    this.#thinking.lastElementChild.textContent = this.#thought;
    this.#view.text = this.text;
    if (this.isRunning && this.text && this.#foot.childElementCount) this.#foot.replaceChildren();
    // A screen reader gets whole sentences, not every few letters anew.
    const ready = this.isRunning ? sentenceEnd(this.text) : this.text.length;
    if (ready > this.#said) announce(this.text.slice(this.#said, ready));
    this.#said = Math.max(this.#said, ready);
  }

  #end(fault) {
    const account = this.#account;
    const parts = [];
    const stopped = this.#abort.signal.aborted;
    if (fault?.code === "cancelled_by_owner") {
      parts.push(notice("caution", "This needs a key.", fault.message));
    } else if (fault) parts.push(failure(plain(fault)));
    else if (stopped) parts.push(h("p", { class: "hint" }, "Stopped."));
    else if (this.#finish === "length") {
      parts.push(notice("caution", "The answer ends here because its limit of tokens is reached."));
    } else if (this.#finish === "content_filter") {
      parts.push(
        notice("caution", "The guardian held back part of this answer.", "What it found stands below."),
      );
    } else if (!this.text) parts.push(h("p", { class: "hint" }, "The model answered with nothing."));
    if (account?.mock) {
      parts.push(
        notice(
          "caution",
          "A mock made this answer up.",
          "No model was asked. Pull a chat model to get real answers.",
        ),
      );
    }
    for (const each of account?.notices ?? []) parts.push(notice("", each));
    parts.push(h("div", { class: "answer-bar" }, this.#controls(), account && this.#origin(account)));
    refill(this.#foot, parts, account && explanation(account));
    announce(
      fault ? `The answer failed. ${fault.message}` : stopped ? "Stopped." : "The answer is complete.",
    );
  }

  #controls() {
    return h(
      "div",
      { class: "actions" },
      this.text && copyButton(() => this.text, "Copy the answer", { key: "copy" }),
      button("Retry", this.#asks.retry, { kind: "quiet", glyph: "retry", small: true, key: "retry" }),
    );
  }

  #origin(account) {
    const chosen = account.routing?.candidates?.find(({ runner }) => runner === account.runner);
    const where = chosen?.locality ?? account.locality;
    const speed = account.timings?.tokensPerSecond;
    return h(
      "div",
      { class: "origin" },
      account.mock && badge("mock", "caution"),
      where &&
        badge(
          locality(where),
          where === "network" ? "caution" : "good",
          where === "network" ? "globe" : "device",
        ),
      h("span", {}, account.model ?? account.runner),
      h(
        "span",
        { class: "figures" },
        [speed && `${number(speed)} tokens/s`, account.timings && seconds(account.timings.total)].filter(
          Boolean,
        ).join(" · "),
      ),
    );
  }
}

const plain = (error) =>
  error.name === "ApiError"
    ? error
    : { message: "The connection to the hub broke before the answer was whole.", remedy: "Try again." };

function sentenceEnd(text) {
  const match = /^[\s\S]*[.!?:](?=\s)|^[\s\S]*\n/.exec(text);
  return match ? match[0].length : 0;
}
