// What a stranger laid out, in a frame that runs nothing, asks for nothing and knows nothing of the panel.

import { h } from "./dom.js";

/// The frame's own policy. The hub wrote the page anew without anything that it forbids; this holds all the same.
const POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'";

/// Strangers write for white paper.
const PAPER = "margin: 16px; background: #fff; color: #1a1a1a; font: 15px/1.5 system-ui, sans-serif; " +
  "overflow-wrap: anywhere";

export function strangersPage(html, title) {
  return h("iframe", {
    class: "mail-frame",
    title,
    sandbox: "allow-popups allow-popups-to-escape-sandbox",
    referrerpolicy: "no-referrer",
    srcdoc: '<!doctype html><html><head><meta charset="utf-8">' +
      `<meta http-equiv="Content-Security-Policy" content="${POLICY}">` +
      '<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">' +
      `<meta name="color-scheme" content="light"></head><body style="${PAPER}">${html}</body></html>`,
  });
}
