// The panel's frame: who is signed in, which page is shown, and what holds for all pages.

import { call, hub, post, session } from "./api.js";
import { button } from "./components.js";
import { h, icon, loadIcons, refill, visuallyHidden } from "./dom.js";
import { live, on, startLive, stopLive } from "./live.js";
import { refreshStatus, status, statusChanged } from "./status.js";
import about from "./page-about.js";
import activity from "./page-activity.js";
import apps from "./page-apps.js";
import chat from "./page-chat.js";
import mail from "./page-mail.js";
import models from "./page-models.js";
import privacy from "./page-privacy.js";
import runners from "./page-runners.js";
import settings from "./page-settings.js";
import signIn from "./page-signin.js";

const PAGES = { chat, mail, models, runners, apps, activity, privacy, settings, about };
const shell = document.getElementById("shell");
const main = document.getElementById("main");
const side = document.getElementById("side");
const menu = document.getElementById("menu-button");
const links = new Map();
let leave = new AbortController();
let reachable = true;

function route() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/");
  return PAGES[name] ? { name, rest: rest.map(decodeURIComponent) } : { name: "chat", rest: [] };
}

function show({ focus = true } = {}) {
  leave.abort();
  leave = new AbortController();
  shell.hidden = false;
  const signedIn = Boolean(session.token);
  shell.classList.toggle("signed-out", !signedIn);
  side.hidden = !signedIn;
  const { name, rest } = route();
  const page = signedIn ? PAGES[name] : signIn;
  document.title = `${page.title} · Breeze`;
  main.className = `page-${signedIn ? name : "signin"}`;
  main.replaceChildren();
  page.show(main, { signal: leave.signal, rest });
  navigation(name);
  closeMenu();
  window.scrollTo(0, 0);
  if (focus) (main.querySelector("h1") ?? main).focus({ preventScroll: true });
}

/// Made once and then changed in place: what is replaced while it is pressed takes no click.
function buildNavigation() {
  const items = Object.entries(PAGES).map(([name, page]) => {
    const count = h("span", { class: "count", hidden: true });
    const link = h("a", { href: `#/${name}` }, icon(name), h("span", {}, page.title), count);
    links.set(name, { link, count });
    return h("li", {}, link);
  });
  document
    .getElementById("side-nav")
    .append(
      h("ul", { class: "nav-list" }, items),
      h(
        "div",
        { class: "side-foot" },
        themePicker(),
        button("Sign out", signOut, { kind: "quiet", glyph: "signout", small: true }),
      ),
    );
}

function navigation(current) {
  for (const [name, { link }] of links) {
    if (name === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
}

function counts() {
  const waiting = {
    apps: [status()?.waitingApps, "waiting for you"],
    models: [status()?.waitingPulls, "asked for by apps"],
  };
  for (const [name, [number, words]] of Object.entries(waiting)) {
    const { count } = links.get(name);
    count.hidden = !number;
    count.replaceChildren(String(number ?? 0), visuallyHidden(` ${words}`));
  }
}

function themePicker() {
  const choices = [["light", "sun", "Light"], ["dark", "moon", "Dark"], [
    "system",
    "system",
    "As the system",
  ]];
  const buttons = choices.map(([name, glyph, label]) => {
    const pick = () => {
      window.breezeTheme.set(name);
      draw();
    };
    return [
      name,
      h("button", { type: "button", "aria-label": label, title: label, onclick: pick }, icon(glyph, "small")),
    ];
  });
  const draw = () => {
    const now = window.breezeTheme.get();
    for (const [name, control] of buttons) control.setAttribute("aria-pressed", String(name === now));
  };
  draw();
  return h(
    "div",
    { class: "theme", role: "group", "aria-label": "Theme" },
    buttons.map(([, control]) => control),
  );
}

function banners() {
  const now = status();
  const banner = (glyph, kind, text, ...more) =>
    h("div", { class: `banner ${kind}` }, icon(glyph), h("span", { class: "banner-text" }, text), more);
  refill(
    document.getElementById("banners"),
    !reachable &&
      h(
        "div",
        { role: "alert" },
        banner(
          "error",
          "bad",
          [
            "The hub does not answer. The panel keeps trying. Where it does not run, start it: ",
            h("code", {}, "breeze serve"),
          ],
          button("Try now", () => hub.dispatchEvent(new Event("try")), { small: true, key: "try-now" }),
        ),
      ),
    session.token && now?.open &&
      banner(
        "warning",
        "",
        "Open mode: every program on this device may use the hub without your leave. Start it without --open to end that.",
      ),
    session.token && now?.mock &&
      banner("warning", "", "Mock runners are on: answers may be made up, and bear the word “mock”."),
    session.token && now?.egressForbidden &&
      banner(
        "lock",
        "",
        "The network is switched off: nothing leaves this device, and nothing is downloaded.",
        h("a", { href: "#/privacy" }, "Privacy"),
      ),
  );
}

async function signOut() {
  await call("DELETE", "session").catch(() => {});
  session.token = null;
  hub.dispatchEvent(new Event("signedout"));
}

function closeMenu() {
  side.classList.remove("open");
  menu.setAttribute("aria-expanded", "false");
}

menu.addEventListener("click", () => {
  const open = side.classList.toggle("open");
  menu.setAttribute("aria-expanded", String(open));
  if (open) side.querySelector("[aria-current=page]")?.focus();
});
side.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || !side.classList.contains("open")) return;
  closeMenu();
  menu.focus();
});
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // the fragment is the page's address
  main.focus();
});

hub.addEventListener("signedout", () => {
  stopLive();
  chat.forget();
  for (const open of document.querySelectorAll("dialog[open]")) open.close();
  banners();
  show();
});
hub.addEventListener("gone", () => {
  reachable = false;
  banners();
});
hub.addEventListener("back", () => {
  reachable = true;
  banners();
});
statusChanged.addEventListener("change", () => {
  banners();
  counts();
});
const forever = new AbortController().signal;
on("apps", forever, refreshStatus);
live.addEventListener("connected", () => {
  refreshStatus();
  // What a page shows may have changed meanwhile; a conversation and an open dialog are not thrown away for that.
  if (route().name !== "chat" && !document.querySelector("dialog[open]")) show({ focus: false });
});

async function start() {
  const code = /^#code=([^&]+)$/.exec(location.hash)?.[1];
  if (code) {
    // Out of the address bar and the history before anything else can happen.
    history.replaceState(null, "", location.pathname + location.search + "#/chat");
    session.token = null;
    try {
      session.token = (await post("session", { code: decodeURIComponent(code) })).token;
    } catch (error) {
      signIn.failed(error);
    }
  }
  if (session.token) {
    startLive();
    refreshStatus();
  }
  banners();
  show({ focus: false }); // the way of the keyboard begins at the skip link
}

window.addEventListener("hashchange", () => {
  if (location.hash.startsWith("#code=")) {
    stopLive();
    start();
  } else show();
});
loadIcons().catch(() => {}); // without icons everything still has its words
buildNavigation();
start();
