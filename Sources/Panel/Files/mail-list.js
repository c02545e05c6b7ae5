// Lists of mail: a folder's messages or conversations, and what a search found.

import { get, part } from "./api.js";
import { badge, button, empty } from "./components.js";
import { act } from "./dialogs.js";
import { notice } from "./feedback.js";
import { h, icon, visuallyHidden } from "./dom.js";
import { day, number, plural } from "./format.js";
import { categoryBadge, warningBadge } from "./mail-tabs.js";

const PAGE = 50;

/// A stranger's words without the marks that turn the direction of what follows: `gnp.exe` stays what it is.
export const words = (text) => text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");

export const subject = (text) => words(text) || "(no subject)";

export const sender = ([first] = []) => first ? words(first.name || first.address) : "Nobody";

/// A page of all mail or of what is asked of it, with a button for the next one. Of one category alone its name is
/// not said in each row.
export async function messageList(asked, signal, nothing) {
  const query = Object.entries(asked).map(([name, value]) => `&${name}=${part(value)}`).join("");
  const load = (offset) => get(`mail/messages?grouping=threads&limit=${PAGE}&offset=${offset}${query}`, signal);
  const first = await load(0);
  if (!first.messages.length) {
    return h("div", { class: "card" }, empty("mail", "Nothing is here", nothing));
  }
  const row = (message) => listed(message, asked.category === undefined);
  const list = h("ul", { class: "card plain mail-list" }, first.messages.map(row));
  return [list, next(list, first, load, row, (page) => page.messages)];
}

/// Grows the list by a page.
function next(list, first, load, row, rows) {
  if (!first.isMore) return null;
  const more = button("Show more", () =>
    act(async () => {
      const page = await load(list.childElementCount);
      list.append(...rows(page).map(row));
      if (!page.isMore || !rows(page).length) more.remove();
    }, more));
  return h("div", { class: "actions mail-more" }, more);
}

function listed(message, namesCategory) {
  const address = message.thread === undefined ? `message/${message.id}` : `thread/${message.thread}`;
  return h(
    "li",
    { class: message.unread ? "mail-row unread" : "mail-row" },
    h(
      "a",
      { href: `#/mail/${address}` },
      h(
        "span",
        { class: "mail-head" },
        message.unread && visuallyHidden("Unread: "),
        h("span", { class: "mail-from" }, sender(message.from)),
        message.threadCount > 1 &&
          h("span", { class: "mail-count" }, number(message.threadCount), visuallyHidden(" messages")),
        warningBadge(message.warning),
        message.flagged && badge("Flagged", "accent"),
        message.attachments > 0 &&
          h("span", { class: "mail-files" }, icon("file", "small"), visuallyHidden("with files")),
        h("span", { class: "mail-date" }, day(message.date)),
      ),
      h("span", { class: "mail-subject" }, subject(message.subject)),
      h(
        "span",
        { class: "mail-foot" },
        h("span", { class: "mail-preview" }, words(message.preview)),
        namesCategory && categoryBadge(message.category),
      ),
    ),
  );
}

/// What was found for a query, or what is like a message.
export async function found(path, signal, nothing) {
  const load = (offset) => get(`${path}&grouping=threads&limit=30&offset=${offset}`, signal);
  const first = await load(0);
  const notes = first.notices.map(({ message }) => notice("", null, message));
  if (!first.hits.length) {
    return [notes, h("div", { class: "card" }, empty("search", "Nothing was found", nothing))];
  }
  const total = first.found > first.hits.length ? first.found : first.hits.length;
  const list = h("ul", { class: "card plain mail-list" }, first.hits.map(hit));
  const paged = { ...first, isMore: first.found > first.hits.length };
  return [
    notes,
    h(
      "p",
      { class: "hint", role: "status" },
      `${plural(total, "conversation")}${first.isMore ? " or more" : ""} found.`,
    ),
    list,
    next(list, paged, async (offset) => {
      const page = await load(offset);
      return { ...page, isMore: page.found > offset + page.hits.length };
    }, hit, (page) => page.hits),
  ];
}

function hit(each) {
  const from = words(each.from).replace(/ <[^>]*>/g, "");
  return h(
    "li",
    { class: "mail-row mail-hit" },
    h(
      "a",
      { href: `#/mail/message/${each.id}` },
      h(
        "span",
        { class: "mail-head" },
        h("span", { class: "mail-from" }, from || "Nobody"),
        each.threadCount > 1 &&
          h("span", { class: "mail-count" }, number(each.threadCount), visuallyHidden(" messages")),
        h("span", { class: "mail-date" }, day(each.date)),
      ),
      h("span", { class: "mail-subject" }, subject(each.subject)),
      h("span", { class: "mail-preview" }, marked(each)),
    ),
    h(
      "div",
      { class: "mail-hit-more" },
      h("a", { href: `#/mail/like/${each.id}` }, "Like this", visuallyHidden(`: ${words(each.subject)}`)),
      each.others > 0 && each.threadNumber !== undefined &&
        h(
          "a",
          { href: `#/mail/thread/${each.threadNumber}` },
          `${plural(each.others, "other hit")} in the conversation`,
        ),
      each.partlyRead && h("span", { class: "hint" }, "The index has only the beginning of its text."),
    ),
  );
}

/// Marks count whole characters, as the hub does.
function marked({ snippet, marks, cutBefore, cutAfter }) {
  const characters = [...snippet];
  const pieces = [cutBefore && "… "];
  let place = 0;
  for (const [from, to] of marks) {
    pieces.push(characters.slice(place, from).join(""), h("mark", {}, characters.slice(from, to).join("")));
    place = to;
  }
  pieces.push(characters.slice(place).join(""), cutAfter && " …");
  return pieces;
}
