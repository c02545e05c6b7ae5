// The owner's mail: folders, conversations, and search by words and by meaning.

import { get, part } from "./api.js";
import { button, more, pageHead } from "./components.js";
import { h, icon, newID, refill } from "./dom.js";
import { number } from "./format.js";
import { on } from "./live.js";
import { loading } from "./loading.js";
import { correctionList } from "./mail-corrections.js";
import { found, messageList, subject } from "./mail-list.js";
import { content, conversation } from "./mail-message.js";
import { categoryName, showTabs } from "./mail-tabs.js";
import { firstIndex, MailWork } from "./mail-work.js";

const MODES = [["both", "Words and meaning"], ["words", "Words"], ["meaning", "Meaning"]];

/// Views that new mail changes.
const LISTS = ["in", "category", "warnings"];

const HELP = [
  ["lighthouse tour", "plain words: what is meant, and what is said"],
  ["from:ada", "who wrote it; to: and cc: for who got it"],
  ["subject:invoice", "in its subject alone"],
  ["date:last-month", "also date:2026-09..2026-10 and date:yesterday"],
  ["has:attachment", "also has:link and has:list"],
  ["in:Lists/Charts", "in this folder"],
  ["is:unread", "also is:flagged and is:replied"],
  ["list:charts", "of a mailing list"],
  ["thread:ID", "the conversation that a Message-ID belongs to"],
  ['"exactly these words"', "one after the other"],
  ["-newsletter", "without this word; also before a field"],
];

export default {
  title: "Mail",

  show(main, { signal, rest }) {
    const [view = "in", ...values] = rest;
    const head = h("div");
    const side = h("nav", { class: "mail-folders", "aria-label": "Folders", hidden: true });
    const tabs = h("nav", { class: "tabs mail-tabs", "aria-label": "Categories", hidden: true });
    const body = h("div");
    const top = h("div", { class: "stack" });
    const list = h("div", { class: "mail-content" }, tabs, body);
    main.append(head, top, h("div", { class: "mail-columns" }, side, list));
    refill(head, pageHead("Mail", "Read where it lies, searched on this device. Nothing of it leaves."));
    // Made once: what is being typed outlives a status that comes meanwhile.
    let [work, renew, form] = [null, null, null];
    const again = loading(top, () => get("mail", signal), (status) => {
      if (!status.messages && status.work.stage === "idle" && !status.sources.length) {
        return [firstIndex(again)];
      }
      work = new MailWork(() => again());
      work.show(status);
      showTabs(tabs, status, view, values[0]);
      renew ??= shown(view, values, { head, side, body }, signal);
      form ??= searchForm(view === "search" ? values : []);
      return [form, work.element];
    }, signal);
    on("mail", signal, (each) => {
      if (work && !work.update(each)) return;
      again();
      renew?.();
    });
  },
};

/// Gives what loads the lists again, when there is new mail; what is being read stays.
function shown(view, values, { head, side, body }, signal) {
  const folders = loading(side, () => get("mail/folders", signal), ({ folders }) => {
    side.hidden = false;
    return folderLinks(folders, view === "in" ? values[0] : undefined, view);
  }, signal);
  const title = (text, lead) => {
    refill(head, pageHead(text, lead));
  };
  const views = {
    in: () =>
      messageList(
        values[0] === undefined ? {} : { folder: values[0] },
        signal,
        "This folder has no messages in the index.",
      ),
    category: () =>
      messageList({ category: values[0] }, signal, `No conversation is in ${categoryName(values[0])}.`),
    warnings: () =>
      messageList({ warning: "any" }, signal, "No message looks like phishing or spam."),
    corrections: () => {
      title("What you corrected", "Your word counts before what Breeze finds, for new mail as well.");
      return correctionList(signal);
    },
    search: () =>
      found(
        `mail/search?mode=${part(values[0])}&q=${part(values[1] ?? "")}`,
        signal,
        "Try fewer or other words, or the other way to search.",
      ),
    like: () =>
      found(`mail/messages/${part(values[0])}/similar?`, signal, "No other message is near to this one."),
    thread: async () => {
      const { messages } = await get(`mail/threads/${part(values[0])}`, signal);
      title(subject(messages[0].subject), `${number(messages.length)} in this conversation`);
      return conversation(messages, signal);
    },
    message: async () => {
      const message = await get(`mail/messages/${part(values[0])}`, signal);
      title(subject(message.subject));
      return [
        h("div", { class: "card pad" }, content(message)),
        message.thread !== undefined &&
          h(
            "p",
            { class: "mail-more" },
            h("a", { href: `#/mail/thread/${message.thread}` }, "The whole conversation"),
          ),
      ];
    },
  };
  const listed = loading(body, views[view] ?? views.in, (each) => each, signal);
  return () => {
    folders();
    if (!(view in views) || LISTS.includes(view)) listed();
  };
}

/// On a phone they are folded, so that the list comes first.
function folderLinks(folders, current, view) {
  const all = folders.reduce((sum, { messages }) => sum + messages, 0);
  const unread = folders.reduce((sum, each) => sum + each.unread, 0);
  const link = (name, label, messages, fresh) => {
    const isCurrent = view === "in" && (current ?? null) === name;
    return h(
      "li",
      {},
      h(
        "a",
        {
          href: name === null ? "#/mail" : `#/mail/in/${part(name)}`,
          "aria-current": isCurrent ? "page" : undefined,
          class: fresh ? "unread" : "",
        },
        h("span", {}, label),
        h(
          "span",
          { class: "mail-count", title: fresh ? `${number(fresh)} unread of ${number(messages)}` : undefined },
          fresh ? `${number(fresh)} / ${number(messages)}` : number(messages),
        ),
      ),
    );
  };
  const list = h(
    "ul",
    {},
    link(null, "All mail", all, unread),
    folders.map((each) => link(each.name, each.name || "Top", each.messages, each.unread)),
  );
  const folded = more("Folders", "mail-folders", list);
  folded.open = window.matchMedia("(min-width: 821px)").matches;
  return folded;
}

function searchForm([mode = "both", query = ""]) {
  const [field, choice] = [newID("query"), newID("mode")];
  const input = h("input", {
    class: "input",
    id: field,
    type: "search",
    "aria-label": "Search in mail",
    placeholder: "Search in mail",
    autocomplete: "off",
    value: query,
    data: { key: "mail-query" },
  });
  const select = h(
    "select",
    { class: "input", id: choice, "aria-label": "Search by", data: { key: "mail-mode" } },
    MODES.map(([value, label]) => h("option", { value, selected: value === mode }, label)),
  );
  const form = h(
    "form",
    { class: "mail-search", role: "search" },
    h("div", { class: "search-box" }, icon("search"), input),
    select,
    button("Search", null, { kind: "primary", type: "submit", key: "mail-go" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = input.value.trim();
    location.hash = words ? `#/mail/search/${select.value}/${part(words)}` : "#/mail";
  });
  return h(
    "div",
    { class: "stack" },
    form,
    more(
      "How to ask",
      "mail-help",
      h("dl", { class: "facts card pad" }, HELP.map(([example, says]) => [
        h("dt", {}, h("code", {}, example)),
        h("dd", {}, says),
      ])),
    ),
  );
}
