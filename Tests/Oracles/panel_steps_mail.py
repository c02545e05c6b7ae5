"""The mail page: lists, conversations, search, the sender's own layout, and the work on the index."""

import re

from panel_browser import LOOKS, button, settled, step
from playwright.sync_api import expect

FRAME = "iframe.mail-frame"


def rows(page):
    return page.locator(".mail-row")


@step("mail is listed by conversations, and read with what was quoted folded")
def reads(drive):
    for theme, width in LOOKS:
        with drive.page("mail", theme, width) as page:
            settled(page)
            expect(rows(page)).to_have_count(8)
            expect(rows(page).first).to_contain_text("Unread: ")
            weight = "(row) => getComputedStyle(row.querySelector('.mail-subject')).fontWeight"
            assert rows(page).nth(0).evaluate(weight) > rows(page).nth(1).evaluate(weight), "unread is not bold"
            # What turns the direction of a text is left out.
            expect(rows(page).nth(3)).to_contain_text('"> gnp.exe')
            assert "\u202e" not in page.locator("main").inner_text()
            drive.check(page, "mail")
            drive.shot(page, f"mail-list-{theme}-{width}")
            rows(page).first.get_by_role("link").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("The lighthouse tour")
            settled(page)
            messages = page.locator(".mail-message")
            expect(messages).to_have_count(3)
            assert [each.evaluate("(one) => one.open") for each in messages.all()] == [False, False, True]
            expect(messages.last).to_contain_text("Bring a coat")
            quoted = messages.last.get_by_text("> Gladly.")
            expect(quoted).to_be_hidden()
            messages.last.get_by_text("Quoted text").click()
            expect(quoted).to_be_visible()
            messages.first.locator("summary").first.click()
            expect(messages.first).to_contain_text("Shall we see")
            drive.check(page, "a conversation")
            drive.shot(page, f"mail-thread-{theme}-{width}")
            page.go_back()
            expect(rows(page)).to_have_count(8)


@step("folders narrow the list, and a folder without mail says so")
def folders(drive):
    with drive.page("mail") as page:
        side = page.get_by_role("navigation", name="Folders")
        side.get_by_role("link", name="Lists/Charts").click()
        expect(rows(page)).to_have_count(1)
        expect(page.get_by_role("navigation", name="Folders").locator("[aria-current=page]")).to_contain_text(
            "Lists/Charts"
        )
        page.get_by_role("link", name="Archive/2025").click()
        expect(page.locator(".empty")).to_contain_text("Nothing is here")
        drive.check(page, "a folder without mail")


@step("search shows where the words stand, what is like it, and what is wrong with a question")
def searches(drive):
    with drive.page("mail", failures=True) as page:
        settled(page)
        page.get_by_text("How to ask").click()
        expect(page.locator("main")).to_contain_text("has:attachment")
        drive.check(page, "the help")
        page.get_by_label("Search in mail").fill("from:ada lighthouse")
        page.get_by_label("Search by").select_option("words")
        page.keyboard.press("Tab")
        page.get_by_label("Search in mail").press("Enter")
        expect(rows(page)).to_have_count(2)
        assert "/search/words/from%3Aada%20lighthouse" in page.url, page.url
        expect(page.get_by_label("Search in mail")).to_have_value("from:ada lighthouse")
        expect(page.get_by_label("Search by")).to_have_value("words")
        # Past a character that is two in the browser's own counting.
        expect(page.locator("mark").first).to_have_text("lighthouse")
        expect(rows(page).nth(1)).to_contain_text("<img src=x")
        drive.check(page, "hits")
        drive.shot(page, "mail-hits-light-1280")
        page.emulate_media(color_scheme="dark")
        drive.check(page, "hits, dark")
        page.get_by_role("link", name="Like this").first.click()
        # Until then it is the page before, which has two rows as well.
        expect(page.get_by_label("Search in mail")).to_have_value("")
        expect(rows(page)).to_have_count(2)
        assert "/like/21" in page.url
        page.get_by_label("Search in mail").fill("nothing")
        button(page, "Search").click()
        expect(page.locator(".empty")).to_contain_text("Nothing was found")
        expect(page.locator("main")).to_contain_text("Words alone answer")
        page.get_by_label("Search in mail").fill("date:32")
        button(page, "Search").click()
        expect(page.locator("main").get_by_role("alert")).to_contain_text("“32” is no date.")
        expect(page.locator("main").get_by_role("alert")).to_contain_text("at character 6")
        drive.check(page, "a question that cannot be read")


@step("a message is shown as its sender laid it out when it is asked for, and says what was left out")
def lays_out(drive):
    for theme, width in LOOKS:
        with drive.page("mail/message/20", theme, width) as page:
            settled(page)
            expect(page.locator("main")).to_contain_text("invoice-2041.pdf")
            assert page.locator(FRAME).count() == 0
            button(page, "Show as the sender laid it out").click()
            frame = page.frame_locator(FRAME)
            heading = frame.get_by_role("heading", name="Invoice 2041")
            expect(heading).to_be_visible()
            assert heading.evaluate("(one) => getComputedStyle(one).color") == "rgb(11, 110, 112)", (
                "it has lost its look"
            )
            expect(page.locator("main")).to_contain_text(
                "3 contents of other places not loaded; 40 hidden characters"
            )
            expect(page.locator(".mail-text")).to_be_hidden()
            drive.check(page, "the sender's layout")
            drive.shot(page, f"mail-layout-{theme}-{width}")
            button(page, "Show the text").click()
            expect(page.locator(".mail-text")).to_be_visible()


@step("the frame holds what the hub should never have let through")
def holds(drive):
    with drive.page("mail/message/18", failures=True, refusals=True) as page:
        settled(page)
        told = []
        page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
        before = page.evaluate("document.querySelector('.side').outerHTML")
        button(page, "Show as the sender laid it out").click()
        expect(page.locator(FRAME)).to_be_visible()
        page.wait_for_timeout(1500)
        assert page.locator(FRAME).get_attribute("sandbox") == "allow-popups allow-popups-to-escape-sandbox"
        assert told == [], told
        assert page.evaluate("document.querySelector('.side').outerHTML") == before
        assert "/mail/message/18" in page.url and len(page.context.pages) == 1
        assert page.context.cookies() == []
        frames = [each.url for each in page.frames]
        known = (drive.origin, "about:", "data:", "chrome-error:")
        assert all(not each or each.startswith(known) for each in frames), frames


@step("without an index the page tells how to get one, shows how far it is, and stops when told")
def indexes(drive):
    drive.control(mail="none")
    with drive.page("mail", failures=True) as page:
        settled(page)
        expect(page.locator(".empty")).to_contain_text("No mail is indexed yet")
        expect(page.locator(".command")).to_contain_text("breeze mail index PATH")
        drive.check(page, "no mail")
        drive.shot(page, "mail-none-light-1280")
        path = page.get_by_label("Path of a mailbox")
        path.fill("/nowhere")
        button(page, "Index it").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("There is nothing at /nowhere.")
        button(dialog, "Close").last.click()
        path.fill("~/Mail")
        button(page, "Index it").click()
        work = page.get_by_role("group", name="Work on the index")
        expect(work).to_contain_text("Reading mail")
        expect(work).to_contain_text("Making vectors")
        button(work, "Pause").click()
        expect(work).to_contain_text("paused")
        drive.check(page, "work that rests")
        drive.shot(page, "mail-work-light-1280")
        button(work, "Resume").click()
        expect(work).not_to_contain_text("paused")
        expect(work).to_contain_text(re.compile(r"Judging mail.*\d+ of 172 messages · \d+ s left"))
        tabs = page.get_by_role("navigation", name="Categories")
        expect(tabs).to_be_visible()
        expect(rows(page)).to_have_count(8)
        expect(work).not_to_contain_text("Judging mail")
        page.get_by_text("The index: 172 messages").click()
        button(page, "Look for new mail").click()
        expect(work).to_contain_text("Reading mail")
        button(work, "Stop").click()
        expect(work).not_to_contain_text("Reading mail")


@step("without an encoder the page says so, and what to do")
def no_encoder(drive):
    drive.control(mail="no encoder")
    for theme, width in LOOKS:
        with drive.page("mail", theme, width) as page:
            settled(page)
            expect(page.locator("main")).to_contain_text("Search by meaning needs an encoder.")
            expect(page.locator(".command")).to_contain_text("breeze models pull all-minilm-l6-v2")
            drive.check(page, "no encoder")
            drive.shot(page, f"mail-encoder-{theme}-{width}")
