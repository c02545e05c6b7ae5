"""Signing in and out, all pages, keyboard, themes, and the states of the hub."""

import re

from panel_browser import LOOKS, PAGES, asks, button, settled, step
from playwright.sync_api import expect

# What a page shows that has taken a value for granted.
BROKEN = re.compile(r"\bundefined\b.*|\bNaN\b.*|Invalid Date.*|\[object .*")


@step("the link signs in, works once, and its code leaves the address bar and the history", stub=False)
def signs_in(drive):
    with drive.page(None, signed_in=False) as page:
        page.goto(f"{drive.origin}/#{drive.fragment}")
        page.wait_for_function("() => sessionStorage.getItem('breeze.token')")
        expect(page.get_by_role("heading", level=1)).to_have_text("Chat")
        assert "code" not in page.url, page.url
        assert page.evaluate("history.length") <= 2
        assert page.context.cookies() == [], "a cookie was set"
        assert page.evaluate("Object.keys(localStorage).length") == 0
        drive.token = page.evaluate("sessionStorage.getItem('breeze.token')")
    with drive.page(None, signed_in=False, failures=True) as page:
        page.goto(f"{drive.origin}/#{drive.fragment}")
        expect(page.get_by_role("alert")).to_be_visible()
        expect(page.locator("main")).to_contain_text("breeze panel")
        assert "code" not in page.url


@step("without a link the panel explains how to get one", stub=False)
def explains(drive):
    for theme, width in LOOKS:
        with drive.page("models", theme, width, signed_in=False) as page:
            expect(page.get_by_text("breeze panel", exact=True)).to_be_visible()
            assert page.get_by_role("navigation").count() == 0
            drive.check(page, "sign in")
            drive.shot(page, f"signin-{theme}-{width}", full=False)


@step("every page holds in both themes and both widths", stub=False)
def every_page(drive):
    for width in (1280, 360):
        with drive.page("chat", "light", width) as page:
            for route in PAGES:
                goes(page, route)
                if route == "activity":
                    page.wait_for_timeout(2300)
                wrong = BROKEN.search(page.locator("main").inner_text())
                assert not wrong, f"{route} shows {wrong[0]}"
                for theme in ("light", "dark"):
                    page.emulate_media(color_scheme=theme)
                    drive.check(page, f"{route}, {theme}, {width}")
                    drive.shot(page, f"{route.replace('/', '-')}-{theme}-{width}")


def goes(page, route):
    page.evaluate("(route) => (location.hash = `#/${route}`)", route)
    settled(page)


@step("the keyboard reaches everything in order, and one sees where it is", stub=False)
def keyboard(drive):
    for route in PAGES:
        with drive.page(route) as page:
            settled(page)
            walk = """() => {
                const all = [...document.querySelectorAll("*")];
                const at = document.activeElement;
                const style = getComputedStyle(at);
                const box = at.closest(".composer-box");
                const shown = style.outlineStyle !== "none" || (box && getComputedStyle(box).outlineStyle !== "none");
                return [at === document.body ? -1 : all.indexOf(at), shown, at.outerHTML.slice(0, 90)];
            }"""
            last, count = -1, 0
            page.keyboard.press("Tab")
            assert "skip" in page.evaluate(walk)[2], "the skip link is not first"
            for _ in range(150):
                position, shown, text = page.evaluate(walk)
                if position < 0 or position < last:
                    break
                assert shown, f"{route}: nobody sees the focus on {text}"
                last, count = position, count + 1
                page.keyboard.press("Tab")
            wanted = page.evaluate(
                """() => [...document.querySelectorAll("a[href], button, select, textarea, input, summary, [tabindex='0']")]
                .filter((each) => !each.disabled && each.tabIndex >= 0 && each.checkVisibility({visibilityProperty: true})).length"""
            )
            assert count >= min(wanted, 150) - 2, f"{route}: {count} of {wanted} were reached"


@step("the skip link, and Esc closes the menu of a phone", stub=False)
def skips(drive):
    with drive.page("models") as page:
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        assert page.url.endswith("#/models")
    with drive.page("models", width=360) as page:
        menu = button(page, "Menu")
        expect(page.get_by_role("link", name="Settings")).to_be_hidden()
        menu.click()
        expect(menu).to_have_attribute("aria-expanded", "true")
        drive.check(page, "menu")
        drive.shot(page, "menu-light-360", full=False)
        page.keyboard.press("Escape")
        expect(menu).to_be_focused()
        menu.click()
        page.get_by_role("link", name="Settings").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
        expect(menu).to_have_attribute("aria-expanded", "false")


@step("the theme can be chosen, and stays", stub=False)
def themes(drive):
    with drive.page("about") as page:
        ground = "getComputedStyle(document.documentElement).backgroundColor"
        light = page.evaluate(ground)
        button(page, "Dark", exact=True).click()
        dark = page.evaluate(ground)
        assert light != dark
        page.reload()
        assert page.evaluate(ground) == dark
        expect(button(page, "Dark", exact=True)).to_have_attribute("aria-pressed", "true")
        button(page, "As the system").click()
        assert page.evaluate(ground) == light


@step("a hub that is gone is told of, and comes back by itself")
def gone(drive):
    with drive.page("models", failures=True) as page:
        settled(page)
        drive.control(mode="gone")
        alert = page.locator("#banners").get_by_role("alert")
        expect(alert).to_contain_text("The hub does not answer")
        drive.check(page, "hub gone")
        page.get_by_role("link", name="Runners").click()
        expect(page.locator("main").get_by_role("alert")).to_contain_text("breeze serve")
        drive.shot(page, "hub-gone-light-1280")
        button(page, "Try now").click()
        expect(alert).to_be_visible()
        drive.control(mode="normal")
        expect(alert).to_have_count(0)
        expect(page.get_by_role("article", name="guardian:rules")).to_be_visible()


@step("empty, slow and failing pages say what to do")
def states(drive):
    drive.control(mode="empty")
    for theme, width in LOOKS[:2] + LOOKS[2:3]:
        with drive.page("chat", theme, width) as page:
            for route in PAGES:
                goes(page, route)
                if route not in ("settings",):
                    expect(page.locator(".empty").first).to_be_visible()
                drive.check(page, f"empty {route}")
                if theme == "light" and width == 1280:
                    drive.shot(page, f"empty-{route.replace('/', '-')}-light-1280")
    drive.control(mode="error")
    for route in PAGES[1:]:
        with drive.page(route, failures=True) as page:
            alert = page.locator("main").get_by_role("alert").first
            expect(alert).to_contain_text("breeze doctor")
            drive.check(page, f"failing {route}")
            if route == "models":
                drive.shot(page, "error-models-light-1280")
                drive.control(mode="normal")
                button(alert, "Try again").click()
                expect(alert).not_to_be_visible()
                drive.control(mode="error")
    drive.control(mode="slow")
    with drive.page("runners") as page:
        expect(page.get_by_role("status", name="").filter(has_text="Loading")).to_be_visible()
        expect(page.get_by_role("article").first).to_be_visible()


@step("open mode and mock answers are labelled")
def warnings(drive):
    drive.control(open=True, mock=True)
    with drive.page("chat") as page:
        expect(page.locator("#banners")).to_contain_text("Open mode")
        expect(page.locator("#banners")).to_contain_text("Mock runners are on")
        asks(page, "hello")
        expect(page.locator(".answer")).to_contain_text("A mock made this answer up.")
        drive.check(page, "mock")
        drive.shot(page, "mock-light-1280")
        page.get_by_role("link", name="Apps 3 waiting").click()
        expect(page.locator("main")).to_contain_text("approval does not count")


@step("a session that ended leads to the sign-in page, and signing out forgets all")
def ends(drive):
    with drive.page("chat", failures=True) as page:
        asks(page, "hello")
        expect(button(page, "Retry")).to_be_visible()
        button(page, "Sign out").click()
        expect(page.locator("main")).to_contain_text("breeze panel")
        assert page.evaluate("sessionStorage.length") == 0
        expect(page.locator(".answer")).to_have_count(0)
    with drive.page(None, signed_in=False, failures=True) as page:
        page.goto(drive.link())
        page.wait_for_function("() => sessionStorage.getItem('breeze.token')")
        drive.control(expire=True)
        page.get_by_role("link", name="Runners").click()
        expect(page.locator("main")).to_contain_text("breeze panel")
