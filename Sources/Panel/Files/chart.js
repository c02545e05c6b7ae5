// Small charts: a line over time, with its figures in words and as a table for who does not see it.

import { table } from "./components.js";
import { h, icon, newID, svg } from "./dom.js";
import { clock } from "./format.js";

const WIDTH = 320;
const HEIGHT = 96;

/// `points` are {time, value}, oldest first, `value` missing where nothing was measured; `show` writes a value.
export function chart(title, points, show, { key, tableOpen } = {}) {
  const known = points.filter(({ value }) => value !== undefined && value !== null);
  const words = summary(known, show);
  const heading = newID("chart");
  return h(
    "figure",
    { class: "card chart", "aria-labelledby": heading },
    h(
      "figcaption",
      {},
      h("h3", { id: heading }, title),
      h("span", { class: "chart-now" }, known.length ? show(known[known.length - 1].value) : "–"),
    ),
    known.length > 1
      ? drawing(points, known, words, show)
      : h("p", { class: "chart-none hint" }, known.length ? "Measured once so far." : "Nothing was measured yet."),
    known.length > 1 && h("p", { class: "hint chart-words" }, words),
    known.length > 1 && figures(title, known, show, key, tableOpen),
  );
}

function figures(title, known, show, key, open) {
  const step = Math.max(1, Math.ceil(known.length / 24));
  const rows = known.filter((_, index) => index % step === 0).map((
    { time, value },
  ) => [clock(time), show(value)]);
  return h(
    "details",
    { class: "more", "data-key": key && `table-${key}`, open },
    h(
      "summary",
      { class: "disclosure", "data-key": key && `summary-${key}` },
      icon("chevron", "small turns"),
      "As a table",
    ),
    table(title, [["Time"], ["Value", true]], rows),
  );
}

function summary(known, show) {
  if (!known.length) return "Nothing was measured yet.";
  const values = known.map(({ value }) => value);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return `Lowest ${show(Math.min(...values))}, mean ${show(mean)}, highest ${show(Math.max(...values))}.`;
}

function drawing(points, known, words, show) {
  const first = Date.parse(points[0].time);
  const span = Math.max(1, Date.parse(points[points.length - 1].time) - first);
  const top = nice(Math.max(...known.map(({ value }) => value)));
  const x = (time) => ((Date.parse(time) - first) / span) * WIDTH;
  const y = (value) => HEIGHT - (value / top) * (HEIGHT - 4) - 1;
  let line = "";
  let area = "";
  let run = [];
  const close = () => {
    if (run.length) {
      if (run.length === 1) run.push(run[0]); // a dot, by the line's round end
      const path = run.map(([left, down]) => `${left.toFixed(1)} ${down.toFixed(1)}`).join(" L");
      line += `M${path}`;
      area += `M${run[0][0].toFixed(1)} ${HEIGHT} L${path} L${run[run.length - 1][0].toFixed(1)} ${HEIGHT} Z`;
    }
    run = [];
  };
  for (const { time, value } of points) {
    if (value === undefined || value === null) close(); // a gap is no zero
    else run.push([x(time), y(value)]);
  }
  close();
  return h(
    "div",
    { class: "chart-box" },
    svg(
      "svg",
      { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": words },
      [0.25, 0.5, 0.75].map((share) =>
        svg("line", { class: "chart-grid", x1: 0, x2: WIDTH, y1: HEIGHT * share, y2: HEIGHT * share })
      ),
      svg("path", { class: "chart-area", d: area }),
      svg("path", { class: "chart-line", d: line }),
    ),
    h(
      "div",
      { class: "chart-axis", "aria-hidden": "true" },
      h("span", {}, clock(points[0].time)),
      h("span", {}, `0 to ${show(top)}`),
      h("span", {}, clock(points[points.length - 1].time)),
    ),
  );
}

/// The next round figure: a small one times a power of ten.
function nice(value) {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * [1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= value);
}
