"""The conversation, and what untrusted text must not do."""

import time

import panel_stub_data as data
from panel_browser import LOOKS, asks, button, settled, step
from playwright.sync_api import expect

# Markdown and what CommonMark 0.31.2 makes of it, less line ends between blocks.
MARKDOWN = [
    ("*a*", "<p><em>a</em></p>"),
    ("**a *b* c**", "<p><strong>a <em>b</em> c</strong></p>"),
    ("__a__ _b_", "<p><strong>a</strong> <em>b</em></p>"),
    ("``a`b``", "<p><code>a`b</code></p>"),
    ("foo_bar_baz", "<p>foo_bar_baz</p>"),
    ("2 * 3 * 4", "<p>2 * 3 * 4</p>"),
    (r"\*a\*", "<p>*a*</p>"),
    ("a  \nb", "<p>a<br>b</p>"),
    ("***", "<hr>"),
    ("> a\n> b", "<blockquote><p>a\nb</p></blockquote>"),
    ("1. a\n2. b", "<ol><li>a</li><li>b</li></ol>"),
    ("3) a", '<ol start="3"><li>a</li></ol>'),
    ("- a\n  - b\n- c", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
    ("a\n- b", "<p>a</p><ul><li>b</li></ul>"),
    ("*a", "<p>*a</p>"),
]


@step("markdown becomes what CommonMark says, and letter by letter the same as at once", stub=False)
def markdown(drive):
    draw = """async ([text, step]) => {
        const { MarkdownView } = await import("/markdown.js");
        const place = document.createElement("div");
        const view = new MarkdownView(place);
        for (let end = step; end < text.length; end += step) view.text = text.slice(0, end);
        view.text = text;
        return place.innerHTML;
    }"""
    with drive.page("about") as page:
        for text, wanted in MARKDOWN:
            got = page.evaluate(draw, [text, 1000])
            assert got == wanted, f"{text!r} became {got}, not {wanted}"
        for text in (data.ANSWER, data.HOSTILE):
            assert page.evaluate(draw, [text, 1]) == page.evaluate(draw, [text, 100_000])


@step("a chat streams, is drawn as markdown, copied, explained, and asked again")
def chats(drive):
    for theme, width in LOOKS:
        with drive.page("chat", theme, width) as page:
            asks(page, "think: how does the hub choose a model?")
            expect(button(page, "Stop")).to_be_visible()
            answer = page.locator(".answer")
            expect(answer).to_have_attribute("aria-busy", "true")
            lengths = []
            for _ in range(6):
                lengths.append(len(answer.locator(".prose").inner_text()))
                page.wait_for_timeout(60)
            assert len(set(lengths)) > 2, f"it did not stream: {lengths}"
            expect(button(page, "Retry")).to_be_visible()
            expect(answer.locator("ol > li")).to_have_count(3)
            expect(answer.locator("strong").first).to_have_text("one model at a time")
            expect(answer.locator("pre code")).to_contain_text("    a, b = 0, 1")
            expect(answer.locator("td.num").first).to_have_text("3.2 GB")
            assert answer.get_by_role("link").get_attribute("rel") == "noopener noreferrer"
            expect(answer).to_contain_text("42.3 tokens/s")
            expect(page.locator("#announcer")).to_contain_text("The answer is complete.")
            page.get_by_text("Why this runner").click()
            expect(answer).to_contain_text("nobody consented to it")
            drive.check(page, f"chat with an answer, {theme}, {width}")
            drive.shot(page, f"chat-answer-{theme}-{width}")
    with drive.page("chat") as page:
        asks(page, "hello")
        button(page, "Copy the answer").click()
        assert page.evaluate("navigator.clipboard.readText()") == data.ANSWER
        button(page, "Copy the code").click()
        assert page.evaluate("navigator.clipboard.readText()").startswith("def fibonacci(count):\n    a, b")
        button(page, "Retry").click()
        expect(button(page, "Stop")).to_be_visible()
        expect(button(page, "Retry")).to_be_visible()
        expect(page.locator(".answer")).to_have_count(1)
        asks(page, "and again")
        expect(button(page, "Retry")).to_have_count(2)
        page.get_by_role("link", name="Models").click()
        page.get_by_role("link", name="Chat").click()
        expect(page.locator(".answer")).to_have_count(2)
        button(page, "New chat").click()
        expect(page.locator(".answer")).to_have_count(0)


@step("an answer is stopped, and the hub hears of it")
def stops(drive):
    before = drive.ask("/stub/log")["cancelledChats"]
    with drive.page("chat") as page:
        asks(page, "a long one")
        expect(page.locator(".prose")).to_contain_text("word20 ")
        button(page, "Stop").click()
        expect(page.locator(".answer")).to_contain_text("Stopped.")
        length = len(page.locator(".prose").inner_text())
        page.wait_for_timeout(200)
        assert len(page.locator(".prose").inner_text()) == length
        deadline = time.monotonic() + 5
        while drive.ask("/stub/log")["cancelledChats"] == before:
            assert time.monotonic() < deadline, "the request went on"
            time.sleep(0.05)


@step("an image is attached, removed, attached again, and sent as data")
def images(drive):
    with drive.page("chat") as page:
        picture = {"name": "a.png", "mimeType": "image/png", "buffer": data.png(20, 120, 200)}
        page.locator("input[type=file]").set_input_files(picture)
        expect(page.locator(".preview img")).to_be_visible()
        drive.check(page, "chat with an image")
        button(page, "Remove image 1").click()
        expect(page.locator(".preview")).to_have_count(0)
        page.locator("input[type=file]").set_input_files(
            {"name": "b.svg", "mimeType": "image/svg+xml", "buffer": b"<svg/>"}
        )
        expect(page.locator("#toasts")).to_contain_text("no PNG")
        page.locator("input[type=file]").set_input_files(picture)
        asks(page, "what is it?")
        expect(page.locator(".answer")).to_contain_text("I see 1 image of type data:image/png")
        drive.shot(page, "chat-image-light-1280")


@step("a failed, a broken and a keyless chat say what to do")
def failing_chats(drive):
    with drive.page("chat", failures=True) as page:
        asks(page, "fail now")
        expect(page.get_by_role("alert")).to_contain_text("Try again in 4 seconds.")
        drive.check(page, "chat that failed")
        asks(page, "break it")
        expect(page.locator(".answer").nth(1)).to_contain_text("broke before the answer was whole")
        asks(page, "key please")
        dialog = page.get_by_role("dialog", name="Key for Hugging Face")
        dialog.get_by_label("Access token").fill("hf_good")
        button(dialog, "Save", exact=True).click()
        expect(page.locator(".answer").nth(2)).to_contain_text("More on this in")
        drive.shot(page, "chat-failures-light-1280")


@step("attacks in answers, names and icons do nothing")
def attacks(drive):
    drive.control(hostile=True)
    with drive.page("chat") as page:
        asks(page, "attack")
        expect(button(page, "Retry")).to_be_visible()
        answer = page.locator(".answer .prose")
        expect(answer).to_contain_text("<script>window.pwned=2</script>")
        assert answer.locator("img, script, iframe, svg[onload]").count() == 0
        schemes = answer.locator("a").evaluate_all("(links) => links.map(({protocol}) => protocol)")
        assert set(schemes) <= {"http:", "https:"}, schemes
        page.locator(".answer").get_by_text("press me").click()
        drive.shot(page, "chat-attack-light-1280")
    for route in ("apps", "models", "about", "apps/audit", "activity"):
        with drive.page(route) as page:
            settled(page)
            if route in ("apps", "models"):
                expect(page.locator("main")).to_contain_text(data.HOSTILE_NAME)
            assert page.locator('main img[src="x"], main script').count() == 0
            assert page.locator('main img[src*="svg"]').count() == 0, "an icon that is no picture is shown"
            drive.check(page, f"attacked {route}")
