"""Models, runners, settings, privacy, activity."""

from panel_browser import LOOKS, button, step
from playwright.sync_api import expect


def search(page, words):
    page.get_by_label("Search for a model").fill(words)
    page.keyboard.press("Enter")


@step("a pull shows its source, size and licence, and cannot be confirmed before they are accepted")
def pull_terms(drive):
    for theme, width in LOOKS:
        with drive.page("models", theme, width) as page:
            search(page, "aya")
            button(page, "Pull…").click()
            dialog = page.get_by_role("dialog", name="Pull aya-expanse-8b-q4_k_m?")
            expect(dialog).to_contain_text("https://huggingface.co/CohereLabs/aya-expanse-8b-q4_k_m")
            expect(dialog).to_contain_text("5.1 GB")
            expect(dialog).to_contain_text("CC-BY-NC-4.0")
            pull = button(dialog, "Pull", exact=True)
            expect(pull).to_be_disabled()
            dialog.get_by_label("I accept the source").check()
            expect(pull).to_be_disabled()
            dialog.get_by_label("non-commercial purposes only").check()
            expect(pull).to_be_enabled()
            dialog.get_by_text("2 files").click()
            drive.check(page, f"pull, {theme}, {width}")
            drive.shot(page, f"models-pull-{theme}-{width}", full=False)
            dialog.get_by_label("I accept the source").uncheck()
            expect(pull).to_be_disabled()


@step("a pull progresses, pauses, resumes, is cancelled; another arrives")
def pulls(drive):
    with drive.page("models") as page:

        def begin():
            search(page, "smol")
            button(page, "Pull…").click()
            page.get_by_label("I accept the source").check()
            button(page.get_by_role("dialog"), "Pull", exact=True).click()

        begin()
        bar = page.get_by_role("progressbar", name="Download of smollm2")
        expect(bar).to_be_visible()
        share = lambda: int(bar.get_attribute("aria-valuenow") or 0)
        page.wait_for_function(
            "() => Number(document.querySelector('.download [role=progressbar]').ariaValueNow) > 8"
        )
        drive.check(page, "download")
        button(page, "Pause").focus()
        page.keyboard.press("Enter")
        expect(button(page, "Resume")).to_be_focused()
        held = share()
        page.wait_for_timeout(500)
        assert share() == held, "it went on"
        drive.shot(page, "models-download-light-1280")
        button(page, "Resume").click()
        page.wait_for_function(
            f"() => Number(document.querySelector('.download [role=progressbar]').ariaValueNow) > {held}"
        )
        button(page.locator(".download"), "Cancel").click()
        button(page, "Cancel the download").click()
        expect(bar).to_have_count(0)
        begin()
        expect(bar).to_be_visible()
        expect(bar).to_have_count(0)
        expect(page.locator(".model", has_text="smollm2")).to_be_visible()


@step("a gated pull opens the key form, tests the key, and goes on")
def gated(drive):
    with drive.page("models", failures=True) as page:
        search(page, "llama")
        button(page, "Pull…").click()
        dialog = page.get_by_role("dialog", name="Key for Hugging Face")
        drive.check(page, "key form")
        button(dialog, "Save", exact=True).click()
        expect(dialog.get_by_role("alert")).to_contain_text("is empty")
        dialog.get_by_label("Access token").fill("hf_bad")
        button(dialog, "Save and test").click()
        expect(dialog).to_contain_text("does not take this key")
        dialog.get_by_label("Access token").fill("hf_good")
        button(dialog, "Save and test").click()
        expect(dialog).to_contain_text("belongs to “ada”")
        drive.shot(page, "key-form-light-1280", full=False)
        button(dialog, "Save", exact=True).click()
        plan = page.get_by_role("dialog", name="Pull llama-3.2-3b-instruct-q4_k_m?")
        expect(plan).to_contain_text("only to people it knows")
        button(plan, "Cancel").click()
    with drive.page("privacy") as page:
        row = page.locator("li", has_text="Hugging Face")
        expect(row).to_contain_text("Set")
        button(row, "Test").click()
        expect(row).to_contain_text("takes this key")
        button(row, "Remove").click()
        button(page, "Remove the key").click()
        expect(row).to_contain_text("Not set")


@step("an app's wish for a model is reviewed")
def wishes(drive):
    with drive.page("models") as page:
        button(page, "Review…").click()
        dialog = page.get_by_role("dialog", name="Pull bge-reranker-v2-m3?")
        expect(dialog).to_contain_text("https://huggingface.co/BAAI")
        dialog.get_by_label("I accept the source").check()
        button(dialog, "Pull", exact=True).click()
        expect(page.get_by_role("progressbar", name="Download of bge-reranker-v2-m3")).to_be_visible()
        expect(button(page, "Review…")).to_have_count(0)


@step("a model is loaded with a chosen runner, pinned, unloaded, removed; one in use is not")
def models(drive):
    with drive.page("models", failures=True) as page:
        row = lambda name: page.locator(".model", has_text=name)
        button(row("all-minilm"), "Unload").click()
        button(row("all-minilm"), "Load…").click()
        dialog = page.get_by_role("dialog", name="Load all-minilm-l6-v2")
        expect(dialog.get_by_label("litert:all-minilm-l6-v2")).to_be_disabled()
        dialog.get_by_label("encoder:all-minilm-l6-v2").check()
        drive.check(page, "load")
        drive.shot(page, "models-load-light-1280", full=False)
        button(dialog, "Load", exact=True).click()
        expect(row("all-minilm")).to_contain_text("In memory")
        button(row("gemma"), "Pin").click()
        expect(row("gemma")).to_contain_text("Pinned")
        button(row("whisper"), "Remove").click()
        button(page.get_by_role("dialog"), "Remove").click()
        expect(row("whisper")).to_have_count(0)
        button(row("qwen3"), "Remove").click()
        button(page.get_by_role("dialog"), "Remove").click()
        expect(page.get_by_role("dialog", name="That did not work")).to_contain_text(
            "End the request on the page Activity"
        )
        drive.check(page, "failure")
        drive.shot(page, "models-in-use-light-1280", full=False)


@step("runners say why not and what mends it; their parameters are kept")
def runners(drive):
    with drive.page("runners") as page:
        card = page.get_by_role("article", name="litert:all-minilm-l6-v2")
        expect(card).to_contain_text("LiteRT is not installed")
        button(card, "Copy the command").click()
        assert page.evaluate("navigator.clipboard.readText()") == "make setup"
        card = page.get_by_role("article", name="llama:qwen3-4b-instruct-q4_k_m")
        card.get_by_text("Parameters (6)").click()
        field = card.get_by_label("temperature of llama:qwen3-4b-instruct-q4_k_m")
        field.fill("3")
        page.keyboard.press("Tab")
        expect(card).to_contain_text("This takes 0 to 2.")
        field.fill("0.2")
        page.keyboard.press("Tab")
        expect(page.locator("#toasts")).to_contain_text("temperature is saved.")
        expect(card.get_by_label("contextLength of")).to_be_disabled()
        drive.check(page, "runners with parameters")
        drive.shot(page, "runners-parameters-light-1280")


@step("a setting is changed, refused, reset; one of the environment cannot be")
def settings(drive):
    with drive.page("settings", failures=True) as page:
        row = lambda name: page.locator(".setting", has_text=name)
        expect(row("residency.budget")).to_contain_text("Environment")
        expect(page.get_by_label("residency.budget")).to_be_disabled()
        page.get_by_label("guardian.input").select_option("warn")
        expect(row("guardian.input")).to_contain_text("Settings file")
        button(row("guardian.input"), "Back to default").click()
        expect(row("guardian.input")).to_contain_text("Default")
        page.get_by_label("residency.keepAlive").fill("90000")
        page.keyboard.press("Tab")
        expect(page.get_by_role("dialog")).to_contain_text("Give at most 86400.")
        page.keyboard.press("Escape")
        expect(page.get_by_label("residency.keepAlive")).to_have_value("300")
        switch = page.get_by_role("switch", name="privacy.offline")
        switch.click()
        expect(switch).to_have_attribute("aria-checked", "true")
        page.get_by_label("Find a setting").fill("zzz")
        expect(page.locator("main")).to_contain_text("No setting matches")


@step("the switch forbids the network, and the frame says so")
def forbids(drive):
    with drive.page("privacy") as page:
        switch = page.get_by_role("switch", name="Forbid all outgoing connections")
        switch.click()
        expect(page.locator("#banners")).to_contain_text("nothing leaves this device")
        drive.check(page, "forbidden")
        drive.shot(page, "privacy-forbidden-light-1280")
        switch.click()
        button(page, "Allow it").click()
        expect(page.locator("#banners")).not_to_contain_text("nothing leaves this device")


@step("a running request is ended; figures move")
def activity(drive):
    with drive.page("activity") as page:
        expect(page.get_by_role("figure", name="Memory").first).to_be_visible()
        page.locator(".chart-line").first.wait_for(state="attached")
        page.wait_for_timeout(2500)
        page.get_by_role("figure").first.get_by_text("As a table").click()
        expect(page.get_by_role("figure").first.locator("tbody tr").nth(1)).to_be_visible()
        summary = page.get_by_role("figure").first.locator("summary")
        summary.focus()
        page.wait_for_timeout(2300)
        expect(summary).to_be_focused()
        row = page.locator("tr", has_text="Desktop Search")
        button(row, "End").click()
        expect(row).to_have_count(0)
        drive.check(page, "activity")
