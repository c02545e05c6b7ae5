// What the hub tells by itself, once a second and when something happens: one connection for the whole panel.

import { events, hub, noteReachable, request, session } from "./api.js";

/// "sample", "download", "mail", "apps", "engine" with the value as `detail`; "connected" after a gap.
export const live = new EventTarget();

const KEPT = 300;
/// The last five minutes of samples, oldest first.
export const samples = [];

let running = null;

export function startLive() {
  if (running) return;
  running = new AbortController();
  follow(running.signal);
}

export function stopLive() {
  running?.abort();
  running = null;
  samples.length = 0;
}

async function follow(signal) {
  let wait = 500;
  let connectedBefore = false;
  while (!signal.aborted && session.token) {
    try {
      const response = await request("GET", "events", { signal, headers: { accept: "text/event-stream" } });
      if (connectedBefore) live.dispatchEvent(new Event("connected"));
      connectedBefore = true;
      wait = 500;
      for await (const { event, data } of events(response)) take(event, data);
      noteReachable(false); // a stream without an end has ended
    } catch (error) {
      if (signal.aborted) return;
      if (error.name !== "ApiError") noteReachable(false);
    }
    await pause(wait, signal);
    wait = Math.min(wait * 2, 8000);
  }
}

function take(event, data) {
  let detail;
  try {
    detail = JSON.parse(data);
  } catch {
    return; // half a line of a connection that broke
  }
  if (event === "sample") {
    samples.push(detail);
    if (samples.length > KEPT) samples.shift();
  }
  live.dispatchEvent(new CustomEvent(event, { detail }));
}

function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    const now = () => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener("abort", now, { once: true });
    hub.addEventListener("try", now, { once: true });
  });
}

/// Listens until `signal` says that the page is left.
export function on(name, signal, listener) {
  live.addEventListener(name, (event) => listener(event.detail), { signal });
}
