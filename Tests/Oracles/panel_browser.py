"""The browser that the steps of panel_drive.py run in, and what every page is held to."""

import contextlib
import json
import pathlib
import signal
import subprocess
import sys
import urllib.parse
import urllib.request

from panel_hub import Hub
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import expect

# How long a page may take for what it is asked, beside all other tests: a browser draws without a graphics card.
PATIENCE = 40_000  # milliseconds
expect.set_options(timeout=PATIENCE)

HERE = pathlib.Path(__file__).parent
CHECKS = (HERE / "panel_checks.js").read_text()
PAGES = ["chat", "mail", "models", "runners", "apps", "apps/audit", "activity", "privacy", "settings", "about"]
LOOKS = [("light", 1280), ("dark", 1280), ("light", 360), ("dark", 360)]
WATCH = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) => {
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`);
});
"""


def step(title, stub=True, hub=False):
    """Marks a step: one of the stub's data, one of a hub that panel_drive.py started, or one of any hub."""

    def mark(function):
        function.step = (title, "hub" if hub else "stub" if stub else None, function)
        return function

    return mark


def steps_of(module):
    """Its own ones, in the order of the file; what it imports of others is theirs."""
    own = [each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__]
    return [each.step for each in own if hasattr(each, "step")]


class Drive:
    def __init__(self, browser, arguments):
        self.browser, self.shots = browser, arguments.shots
        self.process = self.hub = None
        self.stub = False
        # A hub that was started here may serve the panel's files of a folder in the place of its own.
        self.files = arguments.panel if arguments.hub else None
        if arguments.hub:
            self.hub = Hub(arguments.hub)
        if arguments.hub or arguments.link:
            link = self.hub.link if self.hub else arguments.link
            self.origin, self.fragment = link.rstrip("/").split("/#", 1)
        else:
            command = [sys.executable, str(HERE / "panel_stub.py"), "--panel", str(arguments.panel)]
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            first = json.loads(self.process.stdout.readline())
            self.origin, self.fragment, self.stub = first["url"], f"code={first['code']}", True
        self.token = None
        self.faults = []

    def close(self):
        if self.hub:
            self.hub.close()
        if self.process:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(10)

    def ask(self, path, body=None):
        content = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.origin + path, content, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE / 1000) as answer:
            return json.loads(answer.read())

    def control(self, **fields):
        self.ask("/stub", fields)

    def link(self):
        return f"{self.origin}/#code={self.ask('/stub/code')['code']}"

    @contextlib.contextmanager
    def page(
        self,
        route="chat",
        theme="light",
        width=1280,
        signed_in=True,
        failures=False,
        refusals=False,
        height=860,
    ):
        """A page of its own that fails the step on errors, violations, and requests to elsewhere."""
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=theme,
            reduced_motion="reduce",
            has_touch=width < 500,
        )
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        context.add_init_script(WATCH)
        if signed_in:
            # In the page alone: a frame of a stranger's has no storage.
            store = f"sessionStorage.setItem('breeze.token', {json.dumps(self.token)})"
            context.add_init_script(f"if (window === window.top) {store}")
        if self.files:
            context.route(lambda address: address.startswith(self.origin), self.replace)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        seen = []
        page.on(
            "console",
            lambda message: (
                seen.append(f"console: {message.text}") if message.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: seen.append(f"uncaught: {error}"))
        # What the policy stopped before it left.
        refused = set()
        page.on("requestfailed", lambda request: refused.add(request.url) if request.failure == "csp" else None)
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith((self.origin + "/", "data:", "blob:"))
                else seen.append(f"asked {request.url}")
            ),
        )
        try:
            if route is not None:
                page.goto(f"{self.origin}/#/{route}")
                page.locator("main h1").wait_for()
            yield page
            seen += [f"policy: {each}" for each in page.evaluate("window.violations ?? []")]
            assert page.evaluate("window.pwned") is None, "a script of somebody else ran"
        except Exception as error:
            with contextlib.suppress(PlaywrightError):
                error.add_note("The page said: " + page.locator("body").inner_text(timeout=2000)[:2000])
                self.shot(page, "failed")
            error.add_note("\n".join(seen))
            raise
        finally:
            context.close()
        if refusals:
            # What a browser says where a frame is not let.
            words = (
                "Content Security Policy",
                "sandbox",
                "Refused to",
                "Blocked",
                "Not allowed to",
                "Unsafe attempt",
            )
            seen = [
                each
                for each in seen
                if not (each.startswith("console:") and any(word in each for word in words))
            ]
            seen = [each for each in seen if each.removeprefix("asked ") not in refused]
        if failures:
            seen = [each for each in seen if "Failed to load resource" not in each]
        assert not seen, "\n".join(seen)

    def replace(self, route):
        name = urllib.parse.urlsplit(route.request.url).path.strip("/") or "index.html"
        file = self.files / name
        if file.is_file():
            route.fulfill(response=route.fetch(), body=file.read_bytes())
        else:
            route.continue_()

    def check(self, page, where):
        faults = page.evaluate(CHECKS)
        assert not faults, f"{where}:\n" + "\n".join(faults)

    def shot(self, page, name, full=True):
        if self.shots:
            self.shots.mkdir(parents=True, exist_ok=True)
            size = page.viewport_size
            if full:
                # A window as high as the page: what sticks to an edge then stands where it belongs.
                height = page.evaluate("() => document.documentElement.scrollHeight")
                page.set_viewport_size({"width": size["width"], "height": max(size["height"], height)})
            page.screenshot(path=self.shots / f"{name}.png")
            page.set_viewport_size(size)


def button(page, name, **options):
    return page.get_by_role("button", name=name, **options)


def settled(page):
    expect(page.locator(".skeleton")).to_have_count(0)
    page.wait_for_timeout(150)


def asks(page, text):
    page.get_by_label("Your question").fill(text)
    page.keyboard.press("Enter")
