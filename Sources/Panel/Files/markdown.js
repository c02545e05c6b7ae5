// Markdown to DOM nodes. Text of a model is never parsed as HTML: tags in it are shown as they stand, links lead
// to the web alone, and pictures become links, so that an answer can load nothing.

import { copyButton } from "./feedback.js";
import { h } from "./dom.js";
import { webAddress } from "./format.js";

/// Renders into `container` again and again while text arrives: blocks that have not changed keep their nodes, so
/// that a selection or a scrolled code block survives the stream.
export class MarkdownView {
  #container;
  #blocks = [];

  constructor(container) {
    this.#container = container;
  }

  set text(text) {
    const blocks = split(text);
    let same = 0;
    while (same < blocks.length && same < this.#blocks.length && blocks[same] === this.#blocks[same]) {
      same += 1;
    }
    while (this.#container.childElementCount > same) this.#container.lastElementChild.remove();
    for (const block of blocks.slice(same)) this.#container.append(render(block));
    this.#blocks = blocks;
  }
}

const FENCE = /^ {0,3}(`{3,}|~{3,})\s*([^`\s]*)/;
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;

/// The text's blocks as they stand: fenced code, or what blank lines part.
function split(text) {
  const blocks = [];
  let lines = [];
  let fence = null;
  const flush = () => {
    if (lines.length) blocks.push(lines.join("\n"));
    lines = [];
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    if (fence) {
      lines.push(line);
      if (line.trim().startsWith(fence) && !line.trim().slice(fence.length).trim()) {
        flush();
        fence = null;
      }
      continue;
    }
    const opening = FENCE.exec(line);
    if (opening) {
      flush();
      fence = opening[1];
      lines.push(line);
    } else if (!line.trim()) {
      // A list goes on over a blank line where an item or an indented line follows; that is settled there.
      if (lines.length && isList(lines[0])) lines.push("");
      else flush();
    } else {
      const afterGap = lines.length && lines[lines.length - 1] === "";
      if (afterGap && !ITEM.test(line) && !/^\s{2,}/.test(line)) flush();
      if (/^ {0,3}#{1,6}\s/.test(line)) {
        flush();
        blocks.push(line);
        continue;
      }
      if (lines.length && !isList(lines[0]) && ITEM.test(line) && !isQuote(lines[0])) flush();
      lines.push(line);
    }
  }
  flush();
  return blocks;
}

const isList = (line) => ITEM.test(line) && !isRule(line);
const isQuote = (line) => /^ {0,3}>/.test(line);
const isRule = (line) => /^ {0,3}([-*_])(\s*\1){2,}\s*$/.test(line);

function render(block) {
  const lines = block.split("\n");
  const fence = FENCE.exec(lines[0]);
  if (fence) return code(lines, fence[1], fence[2]);
  const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0]);
  // A page has its own h1 and h2: an answer's headings come below them.
  if (heading && lines.length === 1) {
    return h("p", { class: `heading level-${heading[1].length}` }, inline(heading[2]));
  }
  if (lines.length === 1 && isRule(lines[0])) return h("hr");
  if (isQuote(lines[0])) {
    return h(
      "blockquote",
      {},
      blocks(lines.map((line) => line.replace(/^ {0,3}> ?/, "")).join("\n")),
    );
  }
  if (isList(lines[0])) return list(lines);
  if (lines.length > 1 && /^\s*\|?[\s:|-]+\|[\s:|-]*$/.test(lines[1]) && lines[0].includes("|")) {
    return grid(lines);
  }
  return h("p", {}, withBreaks(lines));
}

const blocks = (text) => split(text).map(render);

function withBreaks(lines) {
  const pieces = [];
  let run = "";
  lines.forEach((line, index) => {
    const breaks = /( {2,}|\\)$/.test(line) && index < lines.length - 1;
    run += (run ? "\n" : "") + line.trimStart().replace(/( {2,}|\\)$/, "");
    if (!breaks) return;
    pieces.push(inline(run), h("br"));
    run = "";
  });
  return [pieces, inline(run)];
}

function code(lines, fence, language) {
  const last = lines[lines.length - 1].trim();
  const body = lines.slice(1, lines.length > 1 && last.startsWith(fence) ? -1 : undefined).join("\n");
  return h(
    "div",
    { class: "code" },
    h(
      "div",
      { class: "code-head" },
      h("span", {}, language || "text"),
      copyButton(() => body, "Copy the code"),
    ),
    h(
      "pre",
      { tabindex: "0", role: "region", "aria-label": `Code, ${language || "text"}` },
      h("code", {}, body),
    ),
  );
}

function list(lines) {
  const first = ITEM.exec(lines[0]);
  const indent = first[1].length;
  const ordered = /\d/.test(first[2]);
  const items = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (item && item[1].length <= indent + 1) items.push([item[3]]);
    else items[items.length - 1].push(line.replace(new RegExp(`^\\s{0,${indent + 3}}`), ""));
  }
  const start = ordered ? Number.parseInt(first[2], 10) : 1;
  return h(
    ordered ? "ol" : "ul",
    { start: start === 1 ? undefined : start },
    items.map((item) => h("li", {}, inItem(item))),
  );
}

/// An item of one paragraph has no paragraph around it, so that a list stays tight.
function inItem(lines) {
  const nested = lines.findIndex((line, index) => index > 0 && (ITEM.test(line) || FENCE.test(line)));
  if (nested < 0) {
    return blocks(lines.join("\n")).map((
      each,
      index,
    ) => (index === 0 && each.tagName === "P" ? [...each.childNodes] : each));
  }
  return [inItem(lines.slice(0, nested)), blocks(lines.slice(nested).join("\n"))];
}

function grid(lines) {
  const cells = (line) =>
    line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
  const ends = cells(lines[1]).map((cell) => /^-+:$/.test(cell));
  const row = (line, tag) =>
    h("tr", {}, cells(line).map((cell, index) => h(tag, { class: ends[index] ? "num" : "" }, inline(cell))));
  return h(
    "div",
    { class: "table-box", tabindex: "0", role: "region", "aria-label": "Table" },
    h(
      "table",
      {},
      h("thead", {}, row(lines[0], "th")),
      h("tbody", {}, lines.slice(2).map((line) => row(line, "td"))),
    ),
  );
}

const INLINE = new RegExp(
  [
    /(`+)([\s\S]*?[^`])\1(?!`)/, // code
    /\\([!-/:-@[-`{-~])/, // an escaped character
    /!?\[([^\]]*)\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)/, // a link, or a picture
    /\*\*(?=\S)([\s\S]*?\S)\*\*/, // bold
    /__(?=\S)([\s\S]*?\S)__(?!\w)/,
    /\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)/, // italic
    /(?<!\w)_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)/,
    /~~(?=\S)([\s\S]*?\S)~~/, // struck
    /(https?:\/\/[^\s<>()[\]]*[^\s<>()[\].,;:!?'"])/, // a plain address
  ].map(({ source }) => source).join("|"),
);
/(`+)([\s\S]*?[^`])\1(?!`)|\\([!-/:-@[-`{-~])|!?\[([^\]]*)\]\(\s*<?([^\s)>]+)>?(?:\s+"[^"]*")?\s*\)|\*\*(?=\S)([\s\S]*?\S)\*\*|__(?=\S)([\s\S]*?\S)__(?!\w)|\*(?=[^\s*])([\s\S]*?[^\s*])\*(?!\*)|(?<!\w)_(?=[^\s_])([\s\S]*?[^\s_])_(?!\w)|~~(?=\S)([\s\S]*?\S)~~|(https?:\/\/[^\s<>()[\]]*[^\s<>()[\].,;:!?'"])/;

/// Text nodes and elements; what is not markup, HTML included, stays text.
function inline(text) {
  const nodes = [];
  let rest = text;
  for (let match; (match = INLINE.exec(rest)); rest = rest.slice(match.index + match[0].length)) {
    if (match.index) nodes.push(rest.slice(0, match.index));
    nodes.push(span(match));
  }
  nodes.push(rest);
  return nodes;
}

function span([whole, , codeText, escaped, label, address, bold, bold2, italic, italic2, struck, plain]) {
  if (codeText !== undefined) return h("code", {}, codeText.replace(/^ (.*\S.*) $/, "$1"));
  if (escaped !== undefined) return escaped;
  if (address !== undefined) return link(address, label || address, whole);
  if (bold ?? bold2) return h("strong", {}, inline(bold ?? bold2));
  if (italic ?? italic2) return h("em", {}, inline(italic ?? italic2));
  if (struck) return h("del", {}, inline(struck));
  return link(plain, plain, whole);
}

function link(address, label, whole) {
  const href = webAddress(address);
  if (!href) return whole;
  return h(
    "a",
    { href, target: "_blank", rel: "noopener noreferrer", title: href },
    address === label ? label : inline(label),
  );
}
