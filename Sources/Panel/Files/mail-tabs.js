// The categories that mail is sorted into: tabs above the list, and what a message of the list bears.

import { badge } from "./components.js";
import { h, icon, refill, visuallyHidden } from "./dom.js";
import { number } from "./format.js";

const CATEGORIES = {
  primary: "Primary",
  social: "Social",
  promotions: "Promotions",
  updates: "Updates",
  forums: "Forums",
};
export const categories = Object.keys(CATEGORIES);
export const categoryName = (name) => CATEGORIES[name] ?? name;

export const categoryBadge = (name) => name !== undefined && badge(categoryName(name), "category");

export function warningBadge(warning) {
  if (warning === "phishing") return badge("Phishing", "bad", "warning");
  return warning === "spam" && badge("Spam", "caution");
}

// A page is drawn anew for each tab: who goes from tab to tab by keyboard stays among them.
let pressed = false;

/// Fills `nav` where a list is shown and something is judged; elsewhere it is hidden.
export function showTabs(nav, { judged, categories = [], warnings }, view, name) {
  const lists = { in: name === undefined ? "all" : "", category: name, warnings: "warnings" };
  nav.hidden = !judged?.done || !(view in lists);
  if (nav.hidden) return nav.replaceChildren();
  const tab = (key, address, label, count, more) =>
    h(
      "a",
      {
        href: address,
        "aria-current": key === lists[view] ? "page" : undefined,
        class: more?.kind,
        title: more?.title,
        data: { key: `tab-${key}` },
        onclick: (event) => (pressed = !event.ctrlKey && !event.metaKey),
      },
      more?.glyph && icon(more.glyph, "small"),
      h("span", { class: "mail-tab" }, label),
      count > 0 &&
        h("span", { class: "mail-count" }, number(count), visuallyHidden(` ${more?.of ?? "unread"}`)),
    );
  const { spam = 0, phishing = 0 } = warnings ?? {};
  const unread = categories.reduce((sum, each) => sum + each.unread, 0);
  refill(
    nav,
    tab("all", "#/mail", "All", unread),
    categories.map((each) =>
      tab(each.category, `#/mail/category/${each.category}`, categoryName(each.category), each.unread)
    ),
    (spam + phishing > 0 || view === "warnings") &&
      tab("warnings", "#/mail/warnings", "Warnings", spam + phishing, {
        kind: phishing ? "warnings bad" : "warnings",
        glyph: "warning",
        of: "messages",
        title: `${number(phishing)} phishing, ${number(spam)} spam`,
      }),
  );
  const current = nav.querySelector("[aria-current]");
  if (!current) return;
  // On a phone they are wider than the window.
  nav.scrollLeft = current.offsetLeft - (nav.clientWidth - current.offsetWidth) / 2;
  if (pressed) current.focus({ preventScroll: true });
  pressed = false;
}
