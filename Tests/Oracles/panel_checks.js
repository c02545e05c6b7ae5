// What a page of the panel must hold for everybody, checked in the page itself. Gives a list of faults.
(() => {
  const faults = [];
  const visible = (element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    element.getClientRects().length > 0;
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = open ?? document.body;
  const describe = (element) =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute("class") ?? ""}"> ${
      element.textContent.trim().slice(0, 40)
    }`;

  const ids = new Map();
  for (const { id } of document.querySelectorAll("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
  for (const [id, count] of ids) if (count > 1) faults.push(`the id ${id} is there ${count} times`);

  const labelText = (element) => {
    const by = element.getAttribute("aria-labelledby");
    if (by) return by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ").trim();
    const direct = element.getAttribute("aria-label");
    if (direct) return direct.trim();
    if (element.labels?.length) return [...element.labels].map((label) => label.textContent).join(" ").trim();
    if (["INPUT", "SELECT", "TEXTAREA"].includes(element.tagName)) return element.title;
    return (element.textContent + [...element.querySelectorAll("img")].map(({ alt }) => alt).join(" "))
      .trim() || element.title;
  };
  const CONTROLS =
    "a[href], button, input, select, textarea, summary, [role=button], [role=switch], [role=progressbar], [role=region], [tabindex='0']";
  for (const element of root.querySelectorAll(CONTROLS)) {
    if (visible(element) && !labelText(element)) faults.push(`no name: ${element.outerHTML.slice(0, 140)}`);
  }
  for (const element of root.querySelectorAll("[tabindex]")) {
    if (element.tabIndex > 0) faults.push(`an order of its own: ${describe(element)}`);
  }
  for (const image of root.querySelectorAll("img")) {
    if (!image.hasAttribute("alt")) faults.push("an image without alt");
  }
  for (const drawing of root.querySelectorAll("svg")) {
    if (!drawing.closest("[aria-hidden=true]") && !drawing.getAttribute("aria-label")) {
      faults.push(`a drawing without words: ${drawing.outerHTML.slice(0, 80)}`);
    }
  }
  for (const element of document.querySelectorAll("[aria-labelledby], [aria-controls], [aria-describedby]")) {
    for (const name of ["aria-labelledby", "aria-controls", "aria-describedby"]) {
      for (const id of (element.getAttribute(name) ?? "").split(" ").filter(Boolean)) {
        if (!document.getElementById(id)) faults.push(`${name} names ${id}, which is not there`);
      }
    }
  }
  for (const hidden of document.querySelectorAll("[aria-hidden=true]")) {
    if (hidden.querySelector("a[href], button, input, select, textarea")) {
      faults.push(`hidden, and yet focusable: ${describe(hidden)}`);
    }
  }

  let level = 0;
  for (const heading of document.querySelectorAll("main h1, main h2, main h3, main h4")) {
    if (!visible(heading)) continue;
    const next = Number(heading.tagName[1]);
    if (next > level + 1) {
      faults.push(`a heading of level ${next} follows one of ${level}: ${heading.textContent}`);
    }
    level = next;
  }
  if (document.querySelectorAll("main h1").length !== 1) faults.push("not exactly one h1");
  if (document.querySelectorAll("main").length !== 1) faults.push("not exactly one main");
  if (!document.documentElement.lang) faults.push("no language");
  if (!document.title.endsWith("Breeze")) faults.push("no title");
  for (const bad of document.querySelectorAll("[style]")) {
    // Set through the CSSOM, which the policy allows; an attribute in markup would have been a violation.
    if (bad.getAttribute("style").includes("url(")) faults.push("a style with an address");
  }

  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (
    [r, g, b, a],
    [R, G, B],
  ) => [r * a + R * (1 - a), g * a + G * (1 - a), b * a + B * (1 - a), 1];
  const ground = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      const color = rgba(getComputedStyle(each).backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce(
      (under, layer) => over(layer, under),
      rgba(getComputedStyle(document.documentElement).backgroundColor),
    );
  };
  const luminance = ([r, g, b]) => {
    const [R, G, B] = [r, g, b].map((
      value,
    ) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * R + 0.7152 * G + 0.0722 * B;
  };
  const contrast = (a, b) => {
    const [light, dark] = [luminance(a), luminance(b)].sort((x, y) => y - x);
    return (light + 0.05) / (dark + 0.05);
  };
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const element = node.parentElement;
    if (!node.textContent.trim() || !visible(element) || element.closest(".visually-hidden, option, .skip")) {
      continue;
    }
    const style = getComputedStyle(element);
    const under = ground(element);
    const ratio = contrast(over(rgba(style.color), under), under);
    const size = Number.parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) - 0.01) faults.push(`contrast ${ratio.toFixed(2)}: ${describe(element)}`);
  }
  for (const field of root.querySelectorAll("input.input, select.input")) {
    if (!visible(field) || field.disabled) continue;
    const edge = contrast(rgba(getComputedStyle(field).borderTopColor), ground(field.parentElement));
    if (edge < 3 && !field.closest(".chat-options")) {
      faults.push(`a field's edge has contrast ${edge.toFixed(2)}`);
    }
  }
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) {
    const wide = [...document.querySelectorAll("body *")].filter((each) =>
      visible(each) && each.getBoundingClientRect().right > innerWidth + 1 &&
      !each.closest(".table-box, pre, .command")
    );
    faults.push(`wider than the window: ${wide.slice(0, 3).map(describe).join(" | ")}`);
  }
  if (innerWidth < 500) {
    for (
      const element of root.querySelectorAll("button, select, input:not([type=checkbox]):not([type=radio])")
    ) {
      if (!visible(element)) continue;
      const { width, height } = element.getBoundingClientRect();
      if (width < 24 || height < 24) {
        faults.push(
          `${Math.round(width)} × ${Math.round(height)} is too small to touch: ${
            element.outerHTML.slice(0, 90)
          }`,
        );
      }
    }
  }
  return faults;
})();
