// What the panel says: notices, failures with what mends them, commands to copy, and passing words.

import { button, iconButton } from "./components.js";
import { announce, h, icon } from "./dom.js";

/// A text whose `commands in backquotes` stand out, as messages of the hub have them.
export function prose(text) {
  return String(text ?? "")
    .split(/(`[^`]+`)/)
    .map((piece) => (piece.startsWith("`") && piece.length > 2 ? h("code", {}, piece.slice(1, -1)) : piece));
}

/// The command at the end of a remedy, such as "Fetch it: make setup", which is worth a button for copying it.
export function commandIn(text) {
  const quoted = /`([^`]+)`/.exec(text ?? "");
  if (quoted) return quoted[1];
  const shell = /(?:^|: |Run )((?:breeze|make|apt|sudo|swift) [^.,;]*[^.,;\s])\.?$/.exec(text ?? "");
  return shell?.[1] ?? null;
}

export function command(text) {
  return h(
    "div",
    { class: "command" },
    h("code", { tabindex: "0", role: "group", "aria-label": "Command" }, text),
    copyButton(() => text, "Copy the command"),
  );
}

export function notice(kind, title, text, ...more) {
  const glyph = { bad: "error", caution: "warning", good: "check" }[kind] ?? "about";
  return h(
    "div",
    { class: `notice ${kind}`, role: kind === "bad" ? "alert" : undefined },
    icon(glyph),
    h(
      "div",
      { class: "notice-text" },
      title && h("strong", {}, prose(title)),
      text && h("p", {}, prose(text)),
      more,
    ),
  );
}

/// A remedy in words, and its command apart, ready to be copied.
export function mend(remedy) {
  if (!remedy) return [];
  const shell = commandIn(remedy);
  if (!shell) return [h("p", {}, prose(remedy))];
  const words = remedy.replace(`\`${shell}\``, shell);
  const before = words.replace(/\.$/, "").endsWith(shell)
    ? words.slice(0, words.lastIndexOf(shell)).trim()
    : remedy;
  return [before && h("p", {}, prose(before)), command(shell)];
}

export function failure(error, retry) {
  return notice(
    "bad",
    error.message,
    null,
    mend(error.remedy),
    retry && h("div", { class: "actions" }, button("Try again", retry, { glyph: "retry", small: true })),
  );
}

export function toast(text) {
  const element = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(element);
  setTimeout(() => element.remove(), 4000);
}

export function copyButton(text, label = "Copy", { key, small = true } = {}) {
  const element = iconButton("copy", label, async () => {
    const done = await copy(text());
    if (!done) return;
    element.replaceChildren(icon("check"));
    announce("Copied.");
    setTimeout(() => element.replaceChildren(icon("copy")), 1500);
  }, { small, key });
  return element;
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    toast("This browser does not let the panel copy. Select the text and copy it yourself.");
    return false;
  }
}
