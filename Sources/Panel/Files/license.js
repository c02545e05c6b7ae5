// A licence as every page shows it.

import { badge } from "./components.js";
import { h } from "./dom.js";
import { commercialUse, webAddress } from "./format.js";

const KINDS = { allowed: "", forbidden: "caution", conditions: "caution", unknown: "caution" };

const PERMISSIONS = {
  allowed: "Allowed",
  forbidden: "Forbidden",
  conditions: "Under conditions",
  unknown: "Not stated",
};

export function licenseBadge(license) {
  const use = license?.commercialUse ?? "unknown";
  const name = license?.name ?? "No licence stated";
  return badge(
    use === "allowed" || !license?.name ? name : `${name} · ${commercialUse(use).toLowerCase()}`,
    license?.name ? KINDS[use] : "caution",
    "file",
  );
}

export const licenseFacts = (license = {}) => [
  ["Licence", named(license)],
  ["Commercial use", PERMISSIONS[license.commercialUse ?? "unknown"]],
  ["Redistribution", PERMISSIONS[license.redistribution] ?? license.redistribution],
  ["Attribution", license.attribution],
];

function named({ name, url }) {
  const href = webAddress(url);
  if (!href) return name ?? "Not stated by the publisher";
  return h("a", { href, target: "_blank", rel: "noopener noreferrer" }, name ?? href);
}
