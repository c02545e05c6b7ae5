// What a message was judged to be, what spoke for it, and the owner's own word, which counts before it.

import { get, post } from "./api.js";
import { button, more } from "./components.js";
import { act } from "./dialogs.js";
import { notice } from "./feedback.js";
import { announce, h, newID, refill, visuallyHidden } from "./dom.js";
import { changes, madeOn, reach, takeBack, valueName } from "./mail-corrections.js";
import { words } from "./mail-list.js";
import { categories, categoryName } from "./mail-tabs.js";

const MISSING = {
  encoder:
    "Judged without an encoder: by words and headers alone. It is judged again when one is installed.",
  headers: "Judged without its headers and links: its file could not be read.",
};

const QUESTIONS = { spam: "Spam", phishing: "Phishing" };

/// What the kinds of senders are, of which evidence tells the sign.
const SENDERS = {
  list: "A mailing list",
  bulk: "Sent to many",
  social: "A social network",
  automatic: "Written by a program",
};

const DONE = { spam: "Marked as spam", phishing: "Marked as phishing", no: "The warning is gone" };

function percent(share) {
  if (share > 0.995) return "over 99\u00a0%";
  return share < 0.005 ? "under 1\u00a0%" : `${Math.round(100 * share)}\u00a0%`;
}

/// What the hub saw, as a sentence. It may quote a stranger.
function sentence({ kind, detail }) {
  const text = words(detail).trim();
  const [, name, share] = /^(?:text|head): (.+) (\d(?:\.\d+)?)$/.exec(text) ?? [];
  if (kind === "text" && name) {
    return `Its text reads like ${name === "unwanted" ? "unwanted mail" : name}: ${percent(Number(share))}.`;
  }
  if (kind === "head" && name) return `Its text reads like ${categoryName(name)}: ${percent(Number(share))}.`;
  if (kind === "words") return `Words that count: ${text.replace(/^words: /, "")}.`;
  if (SENDERS[kind]) return `${SENDERS[kind]}: ${text}.`;
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?…]$/.test(text) ? "" : ".");
}

/// The owner's own word: that for one message counts before that for its sender or its list.
function own({ corrections }, kind) {
  const said = (scope) => corrections.find((each) => each.kind === kind && each.scope === scope);
  return said("message") ?? said("sender") ?? said("list");
}

function warningOf(verdict) {
  const word = own(verdict, "spam")?.value;
  if (word) return word === "no" ? undefined : word;
  if (verdict.phishing.flagged) return "phishing";
  return verdict.spam.flagged ? "spam" : undefined;
}

/// A message's verdict as it is now: drawn anew when the owner corrects it.
export class Verdict {
  #message;
  #verdict;
  #said = h("div", { class: "mail-said", tabindex: "-1" });
  #box = h("div", { class: "stack" });

  constructor(message) {
    this.#message = message;
    this.element = h("div", { class: "mail-verdict" }, this.#said, this.#box);
    this.#show(message.verdict);
  }

  /// "phishing", "spam" or undefined.
  get warning() {
    return this.#verdict && warningOf(this.#verdict);
  }

  #show(verdict) {
    this.#verdict = verdict;
    if (!verdict) return refill(this.#box, h("p", { class: "hint" }, "It is not judged yet."));
    const said = own(verdict, "category");
    const category = said?.value ?? verdict.category;
    const { id } = this.#message;
    refill(
      this.#box,
      this.#warning(),
      h(
        "div",
        { class: "mail-judged" },
        h(
          "p",
          {},
          h("strong", {}, categoryName(category)),
          said ? " · you said so" : ` · ${percent(verdict.confidence)}`,
        ),
        more("Why", `why-${id}`, h("div", { class: "mail-aside stack" }, why(verdict, this.warning))),
        more("Correct it", `correct-${id}`, this.#form(category)),
      ),
      verdict.corrections.length > 0 &&
        h("ul", { class: "plain-list" }, verdict.corrections.map((each) => this.#correction(each))),
      verdict.missing.map((each) => h("p", { class: "hint" }, MISSING[each] ?? `Judged without: ${each}.`)),
    );
  }

  #warning() {
    const verdict = this.#verdict;
    if (!this.warning) return null;
    const isPhishing = this.warning === "phishing";
    const certain = own(verdict, "spam")
      ? "You said so."
      : `Breeze is ${percent(verdict[this.warning].score)} certain.`;
    const right = (label) =>
      h(
        "div",
        { class: "actions" },
        button(label, this.#correct({ spam: "no", scope: "message" }), {
          small: true,
          key: `right-${this.#message.id}`,
        }),
      );
    if (!isPhishing) return notice("caution", "This looks like spam", certain, right("Not spam"));
    const evidence = verdict.evidence.filter(({ about, weight }) => about === "phishing" && weight > 0);
    const element = notice(
      "bad",
      "This looks like phishing",
      `${certain} Do not follow its links, and do not answer. ` +
        "If you know the sender, ask in another way, such as by telephone.",
      evidence.length > 0 &&
        [h("p", {}, "What speaks for it:"), h("ul", {}, evidence.map((each) => h("li", {}, sentence(each))))],
      right("This is no phishing"),
    );
    element.classList.add("mail-phishing");
    return element;
  }

  #form(category) {
    const { id, from, list } = this.#message;
    const [reachID, categoryID] = [newID("reach"), newID("category")];
    const address = from[0]?.address;
    const scope = h(
      "select",
      { class: "input", id: reachID, data: { key: `reach-${id}` } },
      h("option", { value: "message" }, "this message"),
      address && h("option", { value: "sender" }, reach({ scope: "sender", key: address })),
      list && h("option", { value: "list" }, reach({ scope: "list", key: list })),
    );
    const select = h(
      "select",
      { class: "input", id: categoryID, data: { key: `category-${id}` } },
      categories.map((each) => h("option", { value: each, selected: each === category }, categoryName(each))),
    );
    const field = (label, control) =>
      h("div", { class: "field" }, h("label", { for: control.id }, label), control);
    const form = h(
      "form",
      { class: "mail-aside mail-correct" },
      field("Applies to", scope),
      field("Category", select),
      button("Save", null, { kind: "primary", type: "submit", key: `save-${id}` }),
      h(
        "div",
        { class: "actions" },
        Object.entries(QUESTIONS).filter(([value]) => value !== this.warning).map(([value, name]) =>
          button(
            `This is ${name.toLowerCase()}`,
            (event) => this.#correct({ spam: value, scope: scope.value })(event),
            { small: true, key: `${value}-${id}` },
          )
        ),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#correct({ category: select.value, scope: scope.value })(event);
    });
    return form;
  }

  #correction(each) {
    return h(
      "li",
      { class: "mail-own" },
      h("span", {}, `You said “${valueName(each)}” of ${reach(each)} on ${madeOn(each)}`),
      button("Take back", (event) => act(() => this.#undo([each]), event.currentTarget), {
        small: true,
        key: `undo-${this.#message.id}-${each.kind}-${each.scope}`,
      }),
    );
  }

  #correct(word) {
    return (event) =>
      act(async () => {
        const { corrections, changed, verdict } = await post(
          `mail/messages/${this.#message.id}/correct`,
          word,
        );
        for (const form of this.#box.querySelectorAll(".mail-correct")) form.closest("details").open = false;
        this.#show(verdict);
        const done = word.category ? `Moved to ${categoryName(word.category)}` : DONE[word.spam];
        this.#tell(
          `${done}; ${changes(changed)}.`,
          button("Undo", (event) => act(() => this.#undo(corrections), event.currentTarget), { small: true }),
        );
      }, event.currentTarget);
  }

  async #undo(corrections) {
    let changed = 0;
    for (const each of corrections) changed += await takeBack(each);
    this.#show((await get(`mail/messages/${this.#message.id}`)).verdict);
    this.#tell(`Taken back; ${changes(changed)}.`);
  }

  #tell(text, control) {
    refill(this.#said, notice("good", null, text, control && h("div", { class: "actions" }, control)));
    announce(text);
    (control ?? this.#said).focus({ preventScroll: true });
  }
}

/// What counted of each question; what a notice tells already is left out.
function why(verdict, warning) {
  const of = (question) => verdict.evidence.filter(({ about }) => about === question);
  const told = (question) =>
    of(question).filter(({ weight }) =>
      weight < 0 || (weight > 0 && !(question === "phishing" && warning === question))
    );
  const category = `${categoryName(verdict.category)}: ${percent(verdict.confidence)}`;
  return [
    counted(category, of("category"), "Nothing says that it went to many."),
    Object.entries(QUESTIONS).map(([question, name]) =>
      counted(
        `${name}: ${percent(verdict[question].score)}`,
        told(question),
        of(question).length ? "Nothing spoke against it." : "Nothing spoke for it or against it.",
      )
    ),
  ];
}

function counted(title, evidence, nothing) {
  return h(
    "div",
    {},
    h("p", { class: "label" }, title),
    evidence.length === 0 && h("p", { class: "hint" }, nothing),
    h("ul", { class: "mail-evidence" }, evidence.map((each) =>
      h(
        "li",
        { class: each.weight < 0 ? "against" : "for" },
        visuallyHidden(each.weight < 0 ? "Against: " : "For: "),
        sentence(each),
      ))),
  );
}
