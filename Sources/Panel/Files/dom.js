// Elements without markup: whatever comes from outside becomes a text node, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/// h("p", {class: "note", onclick: f}, "text", child, [more]): empty children (null, false, "", 0) are left out.
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  setAll(element, props);
  append(element, children);
  return element;
}

export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) element.setAttribute(name, value);
  }
  append(element, children);
  return element;
}

function setAll(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child) element.append(child);
  }
}

/// Puts the panel's own icons into the page: drawn from there they show also while the hub is gone.
export async function loadIcons() {
  const text = await (await fetch("icons.svg")).text();
  const sprite = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  sprite.setAttribute("aria-hidden", "true");
  sprite.setAttribute("hidden", "");
  document.body.append(sprite);
}

export function icon(name, size) {
  const element = svg("svg", { class: size ? `icon ${size}` : "icon", "aria-hidden": "true" });
  element.append(svg("use", { href: `#icon-${name}` }));
  return element;
}

/// Fills `container` anew; the focus and open details that bear a `data-key` stay as they were.
export function refill(container, ...children) {
  const active = container.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.dataset.key;
  const selection = active && "selectionStart" in active
    ? [active.selectionStart, active.selectionEnd]
    : null;
  const open = new Map();
  for (const details of container.querySelectorAll("details[data-key]")) {
    open.set(details.dataset.key, details.open);
  }
  container.replaceChildren();
  append(container, children);
  for (const details of container.querySelectorAll("details[data-key]")) {
    if (open.has(details.dataset.key)) details.open = open.get(details.dataset.key);
  }
  if (!active) return;
  const next = key && container.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (next) {
    next.focus({ preventScroll: true });
    if (selection && next.setSelectionRange && next.type !== "number") {
      try {
        next.setSelectionRange(...selection);
      } catch {
        // Some kinds of fields have no selection.
      }
    }
  } else {
    // What had the focus is gone: a keyboard's way must not begin at the top of the page again.
    const heading = container.closest("section")?.querySelector("h2") ?? document.querySelector("main h1");
    heading?.setAttribute("tabindex", "-1");
    heading?.focus({ preventScroll: true });
  }
}

let lastID = 0;
export const newID = (prefix) => `${prefix}-${(lastID += 1)}`;

export const visuallyHidden = (text) => h("span", { class: "visually-hidden" }, text);

/// Says `text` to a screen reader when it has time.
export function announce(text) {
  const region = document.getElementById("announcer");
  if (!region || !text) return;
  region.append(h("p", {}, text));
  while (region.childElementCount > 6) region.firstElementChild.remove();
}
