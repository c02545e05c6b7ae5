// Which runner answered, and why no other: the `breeze` object of an answer in words.

import { badge, facts, more } from "./components.js";
import { h } from "./dom.js";
import { locality, number, seconds } from "./format.js";

export function explanation(account) {
  const { routing, timings, guardian, ignored } = account;
  return more(
    "Why this runner",
    null,
    h(
      "div",
      { class: "explanation" },
      routing?.candidates?.length
        ? candidates(account)
        : h("p", { class: "hint" }, "The hub told no routing decision."),
      routing?.failures?.length &&
        h(
          "ul",
          { class: "plain-list" },
          routing.failures.map(({ runner, error }) =>
            h("li", {}, `${runner} failed first: ${error?.message ?? error}`)
          ),
        ),
      timings && h("div", {}, h("p", { class: "label" }, "Time"), times(timings)),
      guardian?.length && verdicts(guardian),
      ignored?.length && h("p", { class: "hint" }, `The hub ignored: ${ignored.join(", ")}.`),
    ),
  );
}

function candidates({ routing, runner }) {
  const sorted = [...routing.candidates].sort(
    (a, b) => Number(b.runner === runner) - Number(a.runner === runner) || (b.score ?? -1) - (a.score ?? -1),
  );
  return h(
    "ul",
    { class: "plain candidates", "aria-label": "Runners that were weighed" },
    sorted.map((each) => candidate(each, each.runner === runner)),
  );
}

function candidate({ runner, score, exclusion, reasons, remedy, ...each }, answered) {
  const about = [
    each.locality && locality(each.locality),
    !exclusion && score !== undefined && `score ${number(score)}`,
  ];
  return h(
    "li",
    {},
    h(
      "p",
      { class: "row-title" },
      h("span", {}, runner),
      answered ? badge("Answered", "accent") : exclusion && badge("Ruled out"),
      h("span", { class: "hint" }, about.filter(Boolean).join(" · ")),
    ),
    h("ul", { class: "reasons" }, (reasons ?? []).map((reason) => h("li", {}, reason))),
    remedy && h("p", { class: "hint" }, "To let it answer: ", h("code", {}, remedy)),
  );
}

const times = ({ queue, load, firstChunk, run, total, tokensPerSecond }) =>
  facts([
    ["In the queue", seconds(queue)],
    ["Loading the model", seconds(load)],
    ["To the first token", firstChunk === undefined ? null : seconds(firstChunk)],
    ["Running", seconds(run)],
    ["In all", seconds(total)],
    ["Speed", tokensPerSecond === undefined ? null : `${number(tokensPerSecond)} tokens per second`],
  ]);

const STAGES = { input: "The question", output: "The answer", tools: "What tools returned" };

function verdicts(guardian) {
  const words = guardian.map(({ action, stage, findings }) => {
    const found = (findings ?? []).map(({ category }) => category).join(", ");
    const where = STAGES[stage] ?? stage ?? "The request";
    return h("li", {}, found ? `${where}: found ${found}, so: ${action}` : `${where}: nothing was found`);
  });
  return h("div", {}, h("p", { class: "label" }, "Guardian"), h("ul", { class: "plain-list" }, words));
}
