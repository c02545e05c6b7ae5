// The hub's HTTP API. Failures come as ApiError, whose message and remedy are shown as they are.

const TOKEN = "breeze.token";
const OWN = "/breeze/v1/";

/// "signedout": the token counts no more. "gone" and "back": whether the hub answers.
export const hub = new EventTarget();
let answers = true;

export class ApiError extends Error {
  constructor(status, { message, code, remedy, service, param }) {
    super(message);
    Object.assign(this, { name: "ApiError", status, code, remedy, service, param });
  }
}

/// Session storage and not a cookie: cookies are shared with every other port of this address.
export const session = {
  get token() {
    return sessionStorage.getItem(TOKEN);
  },
  set token(value) {
    if (value) sessionStorage.setItem(TOKEN, value);
    else sessionStorage.removeItem(TOKEN);
  },
};

export function noteReachable(reachable) {
  if (answers === reachable) return;
  answers = reachable;
  hub.dispatchEvent(new Event(reachable ? "back" : "gone"));
}

/// `path` is below /breeze/v1/, or absolute. Throws ApiError, or AbortError when `signal` says so.
export async function request(method, path, { body, signal, headers } = {}) {
  const address = path.startsWith("/") ? path : OWN + path;
  const token = session.token;
  let response;
  try {
    response = await fetch(address, {
      method,
      signal,
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    noteReachable(false);
    throw new ApiError(0, {
      code: "unreachable",
      message: "The hub does not answer.",
      remedy: "See whether it runs, and start it where it does not: breeze serve",
    });
  }
  noteReachable(true);
  if (response.ok) return response;
  const failure = await failureOf(response);
  if (response.status === 401 && failure.code !== "auth_required" && token && token === session.token) {
    session.token = null;
    hub.dispatchEvent(new Event("signedout"));
  }
  throw failure;
}

async function failureOf(response) {
  const fields = await response.json().then((json) => json?.error ?? {}, () => ({}));
  return new ApiError(response.status, {
    ...fields,
    message: fields.message ?? `The hub answered with status ${response.status} and no reason.`,
    remedy: fields.remedy ??
      (fields.message
        ? undefined
        : "Try again. If it stays so, the hub's log has the reason: breeze service status"),
  });
}

export async function call(method, path, body, signal) {
  const response = await request(method, path, { body, signal });
  if (response.status === 204) return {};
  const text = await response.text();
  return text ? JSON.parse(text) : {};
}

export const get = (path, signal) => call("GET", path, undefined, signal);
export const post = (path, body = {}) => call("POST", path, body);
export const put = (path, body) => call("PUT", path, body);
export const remove = (path) => call("DELETE", path);

export const part = encodeURIComponent;

/// The events of a `text/event-stream` answer as {event, data}; comments, which keep the line open, are left out.
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let buffer = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      buffer += value.replaceAll("\r\n", "\n");
      let end;
      while ((end = buffer.indexOf("\n\n")) >= 0) {
        const event = parse(buffer.slice(0, end));
        buffer = buffer.slice(end + 2);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function parse(block) {
  let event = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) event = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
  return data.length ? { event, data: data.join("\n") } : null;
}
