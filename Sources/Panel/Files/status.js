// The hub's state, which several pages and the frame look at.

import { get, session } from "./api.js";

export const statusChanged = new EventTarget();
let last = null;

export const status = () => last;

export async function refreshStatus() {
  if (!session.token) return;
  try {
    const next = await get("status");
    const changed = JSON.stringify(shown(next)) !== JSON.stringify(shown(last));
    last = next;
    if (changed) statusChanged.dispatchEvent(new Event("change"));
  } catch {
    // The banner says that the hub does not answer.
  }
}

/// What the frame shows of it: uptime and memory change with every answer.
const shown = (value) =>
  value && [value.waitingApps, value.waitingPulls, value.mock, value.open, value.egressForbidden];

setInterval(refreshStatus, 15000);
