"""Mail's categories and warnings: what was judged, why, and what its owner corrects."""

from panel_browser import LOOKS, button, settled, step
from playwright.sync_api import expect

FRAME = "iframe.mail-frame"
LAYOUT = "Show as the sender laid it out"


def rows(page):
    return page.locator(".mail-row")


def tabs(page):
    return page.get_by_role("navigation", name="Categories")


def tab(page, name):
    return tabs(page).get_by_role("link", name=name)


def current(page):
    return tabs(page).locator("[aria-current=page]")


def renew(drive):
    """As each step begins: with the same data, and a token that counts."""
    drive.control(reset=True, mode="normal")
    code = drive.ask("/stub/code")["code"]
    drive.token = drive.ask("/breeze/v1/session", {"code": code})["token"]


def opened(page, number):
    page.goto(page.url.split("#")[0] + f"#/mail/message/{number}")
    expect(page.locator(".mail-text")).to_be_visible()
    settled(page)
    return page.locator(".mail-verdict")


@step("categories are tabs above the list, and a row says what it was judged")
def sorts(drive):
    for theme, width in LOOKS:
        with drive.page("mail", theme, width) as page:
            settled(page)
            names = [
                "All3 unread",
                "Primary1 unread",
                "Social",
                "Promotions1 unread",
                "Updates1 unread",
                "Forums",
            ]
            expect(tabs(page).get_by_role("link")).to_have_text([*names, "Warnings2 messages"])
            expect(current(page)).to_have_text("All3 unread")
            expect(rows(page).first.locator(".badge.category")).to_have_text("Primary")
            # Not judged yet.
            expect(rows(page).nth(3).locator(".badge")).to_have_count(0)
            expect(rows(page).nth(5).locator(".badge.bad")).to_have_text("Phishing")
            expect(rows(page).nth(6).locator(".badge.caution")).to_have_text("Spam")
            drive.check(page, "categories")
            drive.shot(page, f"mail-tabs-{theme}-{width}")
            place = "(nav) => nav.getBoundingClientRect().top + window.scrollY"
            before = tabs(page).evaluate(place)
            tab(page, "Promotions").click()
            expect(current(page)).to_have_text("Promotions1 unread")
            expect(rows(page)).to_have_count(3)
            settled(page)
            assert page.url.endswith("#/mail/category/promotions"), page.url
            expect(page.locator(".badge.category")).to_have_count(0)
            assert tabs(page).evaluate(place) == before, "the tabs have moved"
            edges = current(page).evaluate(
                "(one) => [one.getBoundingClientRect().left, one.getBoundingClientRect().right, innerWidth]"
            )
            assert 0 <= edges[0] < edges[1] <= edges[2], f"the tab is not in sight: {edges}"
            expect(tab(page, "Warnings")).to_be_in_viewport(ratio=1)
            drive.shot(page, f"mail-category-{theme}-{width}")
    with drive.page("mail") as page:
        settled(page)
        tab(page, "All").focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(current(page)).to_be_focused()
        expect(current(page)).to_contain_text("Primary")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(current(page)).to_contain_text("Social")
        expect(page.locator(".empty")).to_contain_text("No conversation is in Social.")
        drive.check(page, "a category without mail")
        page.get_by_role("link", name="INBOX").click()
        expect(rows(page)).to_have_count(7)
        expect(current(page)).to_have_count(0)
        tab(page, "All").click()
        expect(current(page)).to_contain_text("All")


@step("what looks like phishing warns with what spoke for it, and its layout asks first")
def warns(drive):
    for theme, width in [*LOOKS, ("light", 390), ("dark", 390)]:
        with drive.page("mail/warnings", theme, width) as page:
            settled(page)
            expect(current(page)).to_contain_text("Warnings")
            expect(rows(page)).to_have_count(2)
            drive.check(page, "warnings")
            drive.shot(page, f"mail-warnings-{theme}-{width}")
            verdict = opened(page, 16)
            notice = verdict.locator(".notice.bad")
            expect(notice).to_contain_text("This looks like phishing")
            expect(notice).to_contain_text(
                "Breeze is 97 % certain. Do not follow its links, and do not answer."
            )
            expect(notice.locator("li")).to_have_text(
                [
                    "Sent from hol1owbank.example, which looks like “hollowbank” and is not.",
                    "Its text reads like fraud: 97 %.",
                    "Words that count: “verify”, “account”, “suspended”.",
                    "The receiver found that it is not from hol1owbank.example (DMARC).",
                    "Right-to-left override in the subject, which shows as "
                    '“<img src=x onerror="window.pwned=1"> gnp.exe”.',
                ]
            )
            assert page.locator(".mail-text a").count() == 0, "a link of a stranger's"
            verdict.get_by_text("Why").click()
            # What the notice has is not told again.
            expect(verdict.locator("details[open]")).not_to_contain_text("DMARC")
            expect(verdict.locator("details[open] .against")).to_have_text(
                "Against: It was written to one alone."
            )
            drive.check(page, "a warning")
            drive.shot(page, f"mail-phishing-{theme}-{width}")
            button(page, LAYOUT).click()
            dialog = page.get_by_role("dialog")
            expect(dialog).to_contain_text("This looks like phishing")
            drive.check(page, "a layout that asks first")
            button(dialog, "Keep as it is").click()
            assert page.locator(FRAME).count() == 0
            expect(page.locator(".mail-text")).to_be_visible()
            button(page, LAYOUT).click()
            button(dialog, "Show it").click()
            expect(page.locator(".mail-text")).to_be_hidden()
            button(page, "Show the text").click()
            expect(page.locator(".mail-text")).to_be_visible()
            spam = opened(page, 15)
            expect(spam.locator(".notice.caution")).to_contain_text("This looks like spam")
            expect(spam.locator(".notice.caution")).to_contain_text("94 % certain")
            drive.check(page, "spam")
            drive.shot(page, f"mail-spam-{theme}-{width}")
    with drive.page("mail/message/20") as page:
        settled(page)
        button(page, LAYOUT).click()
        # What is no phishing shows it at once.
        expect(page.locator(FRAME)).to_be_visible()


@step("a message says its category, how certain that is, and what spoke for and against it")
def explains(drive):
    for theme, width in LOOKS:
        with drive.page("mail/message/17", theme, width) as page:
            settled(page)
            verdict = page.locator(".mail-verdict")
            expect(verdict).to_contain_text("Promotions · 93 %")
            expect(verdict.locator(".notice")).to_have_count(0)
            verdict.get_by_text("Why").click()
            why = verdict.locator("details[open]")
            expect(why.locator("li")).to_have_text(
                [
                    "For: Its text reads like Promotions: 95 %.",
                    "For: Sent to many: List-Unsubscribe.",
                    "Against: Its text reads like unwanted mail: 31 %.",
                    "For: Words that count: “save”, “now”.",
                    "Against: Wanted mail to many has it: List-Unsubscribe.",
                ]
            )
            expect(why).to_contain_text("Spam: 24 %")
            expect(why).to_contain_text("Phishing: under 1 %")
            drive.check(page, "why")
            drive.shot(page, f"mail-why-{theme}-{width}")
            verdict.get_by_text("Correct it").click()
            drive.check(page, "a correction to be made")
            drive.shot(page, f"mail-correct-{theme}-{width}")


@step("a correction says what it changed, stays on the message, and is undone")
def corrects(drive):
    with drive.page("mail/message/17") as page:
        settled(page)
        verdict = page.locator(".mail-verdict")
        verdict.get_by_text("Correct it").click()
        expect(verdict.get_by_label("Category")).to_have_value("promotions")
        verdict.get_by_label("Applies to").select_option("sender")
        verdict.get_by_label("Category").select_option("updates")
        button(verdict, "Save").click()
        said = verdict.locator(".mail-said")
        expect(said).to_contain_text("Moved to Updates; 2 messages changed.")
        expect(verdict).to_contain_text("Updates · you said so")
        expect(verdict.locator(".mail-own")).to_contain_text(
            "You said “Updates” of everything from newsletter@shop.example on Nov 23, 2026"
        )
        expect(button(said, "Undo")).to_be_focused()
        drive.check(page, "a correction")
        drive.shot(page, "mail-corrected-light-1280")
        page.set_viewport_size({"width": 390, "height": 860})
        page.emulate_media(color_scheme="dark")
        drive.check(page, "a correction on a phone")
        drive.shot(page, "mail-corrected-dark-390")
        button(said, "Undo").click()
        expect(said).to_contain_text("Taken back; 2 messages changed.")
        expect(verdict).to_contain_text("Promotions · 93 %")
        expect(said).to_be_focused()
        # One message alone.
        verdict.get_by_text("Correct it").click()
        button(verdict, "This is spam").click()
        expect(said).to_contain_text("Marked as spam; 1 message changed.")
        expect(verdict.locator(".notice.caution")).to_contain_text("You said so.")
        expect(button(verdict, "This is spam")).to_have_count(0)
        button(verdict, "Take back").click()
        expect(said).to_contain_text("Taken back; 1 message changed.")
        expect(verdict.locator(".notice.caution")).to_have_count(0)
        # What was no phishing is none in the list either.
        phishing = opened(page, 16)
        button(phishing, "This is no phishing").click()
        expect(phishing.locator(".mail-said")).to_contain_text("The warning is gone; 1 message changed.")
        expect(phishing.locator(".notice.bad")).to_have_count(0)
        expect(phishing).to_contain_text("You said “No warning” of this message")
        button(page, LAYOUT).click()
        expect(page.locator(".mail-text")).to_be_hidden()
        page.goto(page.url.split("#")[0] + "#/mail/warnings")
        expect(rows(page)).to_have_count(1)
        expect(rows(page)).to_contain_text("Pills at half the price")


@step("a correction may be of a list where there is one")
def corrects_lists(drive):
    with drive.page("mail/message/17", failures=True) as page:
        settled(page)
        verdict = page.locator(".mail-verdict")
        verdict.get_by_text("Correct it").click()
        scope = verdict.get_by_label("Applies to")
        expect(scope.locator("option")).to_have_text(
            ["this message", "everything from newsletter@shop.example"]
        )
        verdict = opened(page, 19)
        verdict.get_by_text("Correct it").click()
        scope = verdict.get_by_label("Applies to")
        expect(scope.locator("option")).to_have_text(
            ["this message", "everything from charts@lists.example", "the list charts.lists.example"]
        )
        scope.select_option("list")
        verdict.get_by_label("Category").select_option("social")
        button(verdict, "Save").click()
        expect(verdict).to_contain_text("You said “Social” of the list charts.lists.example")
        # The word on the message counts before that on its list.
        verdict.get_by_text("Correct it").click()
        verdict.get_by_label("Applies to").select_option("message")
        verdict.get_by_label("Category").select_option("primary")
        button(verdict, "Save").click()
        expect(verdict).to_contain_text("Primary · you said so")
        # Somebody else took it back meanwhile.
        key = "list:charts.lists.example"
        page.evaluate(
            """(key) => fetch("/breeze/v1/mail/corrections/undo", {
                method: "POST",
                headers: { authorization: `Bearer ${sessionStorage.getItem("breeze.token")}` },
                body: JSON.stringify({ kind: "category", key }),
            })""",
            key,
        )
        button(verdict, "Take back").last.click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("There is no such correction.")
        button(dialog, "Close").last.click()


@step("what was corrected is listed, newest first, and taken back there")
def lists_corrections(drive):
    with drive.page("mail") as page:
        settled(page)
        page.get_by_text("The index: 172 messages").click()
        expect(page.locator("main")).to_contain_text("171 of 172")
        page.get_by_role("link", name="What you corrected").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("What you corrected")
        expect(page.locator(".empty")).to_contain_text("You corrected nothing")
        drive.check(page, "nothing corrected")
        for number, scope in ((19, "list"), (18, "message"), (17, "sender"), (16, "message")):
            verdict = opened(page, number)
            if number == 18:
                # Nothing can be said of what is not judged yet.
                expect(verdict).to_contain_text("It is not judged yet.")
                expect(verdict.get_by_role("button")).to_have_count(0)
                continue
            verdict.get_by_text("Correct it").click()
            verdict.get_by_label("Applies to").select_option(scope)
            verdict.get_by_label("Category").select_option("primary")
            button(verdict, "Save").click()
            expect(verdict.locator(".mail-said")).to_contain_text("Moved to Primary")
    corrected = [
        "Your account is suspended",
        "Everything from newsletter@shop.example",
        "The list charts.lists.example",
    ]
    for theme, width in LOOKS:
        with drive.page("mail/corrections", theme, width) as page:
            settled(page)
            titles = page.locator(".mail-content .row-title")
            expect(titles).to_have_text([f"{each}Primary" for each in corrected])
            drive.check(page, "what was corrected")
            drive.shot(page, f"mail-corrections-{theme}-{width}")
    with drive.page("mail/corrections") as page:
        button(page, "Take back").nth(1).click()
        expect(page.locator(".notice.good")).to_contain_text("Taken back; 2 messages changed.")
        expect(page.locator(".mail-content .row-title")).to_have_count(2)


@step("what is not judged yet has no tabs, and what was judged without an encoder says so")
def not_judged(drive):
    drive.control(mail="unjudged")
    with drive.page("mail") as page:
        settled(page)
        expect(rows(page)).to_have_count(8)
        expect(tabs(page)).to_be_hidden()
        expect(page.locator(".badge.category")).to_have_count(0)
        drive.check(page, "mail that is not judged")
        expect(opened(page, 21)).to_have_text("It is not judged yet.")
        drive.check(page, "a message that is not judged")
    drive.control(mail="waits")
    for theme, width in LOOKS:
        with drive.page("mail", theme, width) as page:
            settled(page)
            work = page.get_by_role("group", name="Work on the index")
            expect(work).to_contain_text("Judging mail")
            expect(work).to_contain_text("31 of 172 messages · waits: the battery is low · 2 min 20 s left")
            expect(work.get_by_role("progressbar", name="Mail judged")).to_have_attribute(
                "aria-valuenow", "18"
            )
            drive.check(page, "judging that waits")
            drive.shot(page, f"mail-judging-{theme}-{width}")
    renew(drive)
    drive.control(mail="no encoder")
    for theme, width in LOOKS:
        with drive.page("mail/message/20", theme, width) as page:
            settled(page)
            verdict = page.locator(".mail-verdict")
            expect(verdict).to_contain_text("Updates · 88 %")
            expect(verdict).to_contain_text("Judged without an encoder: by words and headers alone.")
            drive.check(page, "judged without an encoder")
            drive.shot(page, f"mail-no-encoder-{theme}-{width}")
