// A conversation and its messages: the writer's words first, what was quoted folded, and the sender's own layout only
// when it is asked for, in a frame that can do nothing.

import { get } from "./api.js";
import { badge, button, facts, more } from "./components.js";
import { act, confirm } from "./dialogs.js";
import { notice } from "./feedback.js";
import { h, refill, visuallyHidden } from "./dom.js";
import { bytes, moment, number, plural } from "./format.js";
import { loading } from "./loading.js";
import { strangersPage } from "./mail-frame.js";
import { sender, words } from "./mail-list.js";
import { warningBadge } from "./mail-tabs.js";
import { Verdict } from "./mail-verdict.js";

const FOLDED = { quote: "Quoted text", signature: "Signature", footer: "Footer of the list" };
/// Steps that answers are set in at most.
const DEEPEST = 5;
/// Bytes that the hub gives of a text.
const LONGEST = 512 * 1024;

const NOTICES = {
  message_too_long: "The message is longer than what is read of one.",
  too_many_parts: "It has more parts than are read of one.",
  too_deep: "Parts within parts were not opened.",
  headers_dropped: "Some of its headers were left out.",
  encoded_words_kept: "Some headers are shown as they are written.",
  addresses_dropped: "It has more addresses than are listed.",
  text_too_long: "The end of its text was left out.",
  html_too_long: "The end of its layout was left out.",
  html_too_deep: "Its layout is nested so deep that the rest was read as text.",
  links_dropped: "It has more links than are listed.",
  no_headers: "It has no headers: perhaps this is no message.",
  message_id_made: "It has no Message-ID of its own.",
  date_unreadable: "Its date cannot be read.",
  date_clamped: "Its date cannot be right.",
  charset_wrong: "It says a wrong character set, so that letters may be wrong.",
  malformed: "It is not built as messages should be, and was read as far as it goes.",
};

/// Of a conversation the newest message is open, and what was not read yet.
export function conversation(messages, signal) {
  const last = messages.length - 1;
  let open = 0;
  return h(
    "div",
    { class: "mail-thread" },
    messages.map((message, index) => {
      const isOpen = index === last || (message.unread && (open += 1) <= 4);
      return folded(message, isOpen, signal);
    }),
  );
}

function folded(message, isOpen, signal) {
  const body = h("div", { class: "mail-body" });
  const details = h(
    "details",
    {
      class: `card mail-message depth-${Math.min(DEEPEST, message.depth)}`,
      data: { key: `message-${message.id}` },
    },
    h(
      "summary",
      { data: { key: `open-${message.id}` } },
      h("h2", { class: "mail-from" }, message.unread && visuallyHidden("Unread: "), sender(message.from)),
      warningBadge(message.warning),
      h("span", { class: "mail-preview" }, words(message.preview)),
      h("span", { class: "mail-date" }, moment(message.date)),
    ),
    body,
  );
  let asked = false;
  const load = () => {
    if (!details.open || asked) return;
    asked = true;
    loading(body, () => get(`mail/messages/${message.id}`, signal), content, signal);
  };
  details.addEventListener("toggle", load);
  details.open = isOpen;
  load();
  return details;
}

const addresses = (list) =>
  words(list.map(({ name, address }) => name ? `${name} <${address}>` : address).join(", "));

/// A message's verdict and fields, its text, and what else there is to know of it.
export function content(message) {
  const verdict = new Verdict(message);
  const text = h("div", { class: "mail-text" }, passages(message));
  const page = h("div", { hidden: true });
  const layout = button("Show as the sender laid it out", async () => {
    if (!page.hidden || verdict.warning !== "phishing" || (await mayShow())) act(show, layout);
  }, {
    glyph: "image",
    small: true,
    key: `layout-${message.id}`,
  });
  const show = async () => {
    const isText = page.hidden;
    if (isText && !page.childElementCount) refill(page, laidOut(await get(`mail/messages/${message.id}/page`)));
    [page.hidden, text.hidden] = [!isText, isText];
    layout.lastChild.textContent = isText ? "Show the text" : "Show as the sender laid it out";
  };
  return h(
    "div",
    { class: "stack" },
    verdict.element,
    facts([
      ["From", addresses(message.from)],
      ["To", addresses(message.to)],
      ["Copies", addresses(message.copies)],
      ["List", message.list && words(message.list)],
    ]),
    remarks(message).map((each) => notice("", null, each)),
    text,
    page,
    files(message.attachments),
    h(
      "div",
      { class: "actions mail-actions" },
      layout,
      h("a", { class: "button small", href: `#/mail/like/${message.id}` }, "Like this"),
    ),
    more(
      "Where it lies",
      `places-${message.id}`,
      facts([
        ["Message-ID", message.messageID],
        ["Size", bytes(message.size)],
        ...message.places.map(({ path, folder }) => [folder || "Top", h("code", {}, path)]),
      ]),
    ),
  );
}

const mayShow = () =>
  confirm(
    "Show it as its sender laid it out?",
    "This looks like phishing: its layout is made to look like somebody else's, and its links lead where its sender " +
      "wants you to go.",
    "Show it",
  );

function remarks(message) {
  const list = message.notices.map(({ kind }) => NOTICES[kind] ?? kind.replaceAll("_", " "));
  if (message.hiddenCharacters > 0) {
    list.push(`${plural(message.hiddenCharacters, "character")} that a reader would not see are not shown.`);
  }
  if (message.textRead < message.textSize) {
    list.push(`The index has ${bytes(message.textRead)} of its ${bytes(message.textSize)} of text.`);
  }
  if (message.textShown >= LONGEST) {
    list.push(`This is the beginning of its text. All of it: breeze mail show ${message.id}`);
  }
  return list;
}

/// What was quoted, and what stands under every letter, is folded.
function passages({ id, text }) {
  if (!text.length) return h("p", { class: "hint" }, "It has no text.");
  return text.map(({ kind, text: said }, index) => {
    const paragraph = h("div", { class: `mail-words ${kind}` }, said);
    return FOLDED[kind] ? more(FOLDED[kind], `fold-${id}-${index}`, paragraph) : paragraph;
  });
}

function laidOut(page) {
  if (page.html === undefined) {
    return notice("", null, "The message has no layout of its own: its text is all.");
  }
  const left = [
    page.remote && `${plural(page.remote, "content")} of other places not loaded`,
    page.hiddenCharacters && `${plural(page.hiddenCharacters, "hidden character")} left out`,
    page.scripts && `${plural(page.scripts, "script")} left out`,
    page.controls && `${plural(page.controls, "field")} of forms left out`,
    page.picturesDropped && `${plural(page.picturesDropped, "picture")} too large, missing or none`,
    page.isCut && "its end left out",
  ].filter(Boolean);
  return [
    notice(
      "",
      null,
      left.length
        ? `Shown without what strangers could learn or do by it: ${left.join("; ")}.`
        : "Nothing had to be left out.",
      page.notices.map(({ kind }) => h("p", {}, NOTICES[kind] ?? kind.replaceAll("_", " "))),
    ),
    strangersPage(page.html, "The message as its sender laid it out"),
  ];
}

function files(attachments) {
  if (!attachments.length) return null;
  return h(
    "ul",
    { class: "mail-attachments", "aria-label": `${number(attachments.length)} attached` },
    attachments.map(({ name, type, size }) =>
      h(
        "li",
        {},
        badge(name ? words(name) : "without a name", "", "file"),
        " ",
        h("span", { class: "hint" }, `${type}, ${bytes(size)}`),
      )
    ),
  );
}
