// Values as a person reads them.

export function bytes(count) {
  if (count === undefined || count === null) return "unknown size";
  if (count < 1000) return `${count} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = count;
  let unit = -1;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function seconds(value) {
  if (value === undefined || value === null) return "–";
  if (value < 0.0005) return "0 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  if (value < 60) return `${value.toFixed(value < 10 ? 1 : 0)} s`;
  return duration(value);
}

export function duration(value) {
  const whole = Math.round(value);
  const parts = [
    [Math.floor(whole / 86400), "d"],
    [Math.floor(whole / 3600) % 24, "h"],
    [Math.floor(whole / 60) % 60, "min"],
    [whole % 60, "s"],
  ];
  const first = parts.findIndex(([count]) => count > 0);
  if (first < 0) return "0 s";
  return parts
    .slice(first, first + 2)
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(" ");
}

const plain = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
export const number = (value) => (value === undefined || value === null ? "–" : plain.format(value));

/// A limit as it is, however small: 0.001.
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
export const exact = (value) => whole.format(value);

export const plural = (count, one, many = `${one}s`) => `${number(count)} ${count === 1 ? one : many}`;

const dayFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const fullFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const clockFormat = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

const valid = (text) => text && !Number.isNaN(Date.parse(text));
export const day = (text) => (valid(text) ? dayFormat.format(new Date(text)) : "–");
export const moment = (text) => (valid(text) ? fullFormat.format(new Date(text)) : "–");
export const clock = (text) => (valid(text) ? clockFormat.format(new Date(text)) : "–");

export function ago(text) {
  if (!valid(text)) return "never";
  const past = (Date.now() - Date.parse(text)) / 1000;
  if (past < 0) return moment(text);
  if (past < 60) return "just now";
  if (past < 3600) return plural(Math.floor(past / 60), "minute") + " ago";
  if (past < 86400) return plural(Math.floor(past / 3600), "hour") + " ago";
  if (past < 86400 * 14) return plural(Math.floor(past / 86400), "day") + " ago";
  return day(text);
}

const CAPABILITIES = {
  chat: "Chat",
  vlm: "Images in chat",
  asr: "Speech to text",
  tts: "Text to speech",
  guardian: "Guardian",
  embedding: "Embedding",
  classification: "Classification",
  rerank: "Reranking",
  ocr: "Text from images",
  models: "Manage models",
};
export const capability = (name) => CAPABILITIES[name] ?? name;
export const capabilityNames = [
  "chat",
  "vlm",
  "asr",
  "tts",
  "embedding",
  "classification",
  "rerank",
  "guardian",
  "ocr",
];

export const locality = (name) =>
  ({ onDevice: "On this device", network: "Over the network", networkAllowed: "Network allowed" })[name] ??
    name;

const USES = {
  allowed: "Commercial use allowed",
  forbidden: "Non-commercial use only",
  conditions: "Commercial use under conditions",
  unknown: "Commercial use not stated",
};
export const commercialUse = (value) => USES[value] ?? USES.unknown;

/// Where a model came from, less the word for an address that is none.
export const origin = (text) => text.replace(/^url:/, "");

/// An address that may become a link: nothing but the web.
export function webAddress(text) {
  try {
    const url = new URL(text);
    return url.protocol === "https:" || url.protocol === "http:" ? url.href : null;
  } catch {
    return null;
  }
}
