"""Models, runners, settings, privacy and activity of a real hub, in its panel."""

import re

import panel_steps_frame
from panel_browser import button, settled, step
from panel_hub import ENCODER, soon
from panel_steps_live import PULLER, card
from panel_steps_models import search
from playwright.sync_api import expect

MEGABYTE = 1_000_000


def decline(page, name):
    """A dialog says what did not work, and what to do."""
    dialog = page.get_by_role("dialog", name="That did not work")
    expect(dialog).to_contain_text(name)
    button(dialog, "Close", exact=True).last.click()


def plans(page, address, name):
    search(page, address)
    button(page, "Look at it…").click()
    dialog = page.get_by_role("dialog", name=f"Pull {name}?")
    expect(dialog).to_contain_text(address)
    return dialog


@step("a pull shows its terms, moves, pauses, goes on, is cancelled; another arrives and goes", hub=True)
def pulls(drive):
    # Each answer falls silent after a quarter, so that each stage can be looked at.
    file = {"seed": 1, "size": 4 * MEGABYTE, "etag": '"1"'}
    stalls = file | {"stall_after": MEGABYTE, "pause": 0.02}
    address = drive.hub.serve("small-talk.gguf", stalls)
    with drive.page("models") as page:
        dialog = plans(page, address, "small-talk")
        expect(dialog).to_contain_text("4.0 MB")
        expect(dialog).to_contain_text("Nobody stated a licence.")
        pull = button(dialog, "Pull", exact=True)
        expect(pull).to_be_disabled()
        drive.check(page, "a hub's plan")
        drive.shot(page, "models-pull-light-1280", full=False)
        assert not [each for each in drive.hub.asked("small-talk.gguf") if each["method"] == "GET"]
        dialog.get_by_label("I accept the source").check()
        pull.click()
        bar = page.get_by_role("progressbar", name="Download of small-talk")
        share = lambda: int(bar.get_attribute("aria-valuenow") or 0)
        soon("most of a quarter", lambda: share() >= 15)
        expect(page.locator(".download")).to_contain_text("of 4.0 MB")
        drive.check(page, "a hub's download")
        drive.shot(page, "models-download-light-1280")
        button(page, "Pause").click()
        expect(page.locator(".download")).to_contain_text("Paused")
        expect(button(page, "Resume")).to_be_focused()
        button(page, "Resume").click()
        soon("most of a half", lambda: share() >= 30)
        gets = [each for each in drive.hub.asked("small-talk.gguf") if each["method"] == "GET"]
        held = int(re.fullmatch(r"bytes=(\d+)-", gets[-1]["headers"]["range"])[1])
        assert 0 < held <= gets[0]["sent"], f"{held} of {gets[0]['sent']} bytes were kept"
        button(page.locator(".download"), "Cancel").click()
        button(page, "Cancel the download").click()
        expect(bar).to_have_count(0)
        assert drive.hub.own("models")["downloads"] == []
        drive.hub.serve("small-talk.gguf", file | {"pause": 0.002})
        dialog = plans(page, address, "small-talk")
        dialog.get_by_label("I accept the source").check()
        button(dialog, "Pull", exact=True).click()
        model = page.locator(".model", has_text="small-talk")
        expect(model).to_be_visible()
        expect(model).to_contain_text("4.0 MB")
        expect(bar).to_have_count(0)
        button(model, "Remove").click()
        button(page.get_by_role("dialog"), "Remove").click()
        expect(model).to_have_count(0)


@step("an app's pull waits for the owner, and goes through when it was accepted", hub=True)
def wishes(drive):
    address = drive.hub.serve("wish.gguf", {"seed": 2, "size": MEGABYTE, "etag": '"2"'})
    wanted = {"model": address, "stream": False}
    with drive.page("models") as page:
        settled(page)
        assert drive.hub.ask("/api/pull", wanted, key=drive.hub.keys[PULLER])[0] == 403
        assert drive.hub.asked("wish.gguf")[-1]["method"] == "HEAD", "it was fetched"
        expect(page.locator("main")).to_contain_text("Asked for by apps")
        expect(page.locator("main")).to_contain_text(f"The app {PULLER} asks for it")
        drive.shot(page, "models-wish-light-1280")
        button(page, "Review…").click()
        dialog = page.get_by_role("dialog", name=re.compile("Pull .*wish"))
        expect(dialog).to_contain_text(address)
        page.set_viewport_size({"width": 360, "height": 860})
        drive.check(page, "a hub's wish")
        drive.shot(page, "models-wish-light-360", full=False)
        page.set_viewport_size({"width": 1280, "height": 860})
        dialog.get_by_label("I accept the source").check()
        button(dialog, "Pull", exact=True).click()
        expect(page.locator(".model", has_text="wish")).to_be_visible()
        expect(button(page, "Review…")).to_have_count(0)
    status, answer = drive.hub.ask("/api/pull", wanted, key=drive.hub.keys[PULLER])
    assert status == 200 and answer["status"] == "success", answer


@step("the encoder is loaded, pinned, let go and unloaded", hub=True)
def encoder(drive):
    if not drive.hub.has_encoder:
        return "the encoder is not there: make setup"
    with drive.page("models") as page:
        model = page.locator(".model", has_text=ENCODER)
        button(model, "Load…").click()
        dialog = page.get_by_role("dialog", name=f"Load {ENCODER}")
        dialog.get_by_label(f"encoder:{ENCODER}").check()
        button(dialog, "Load", exact=True).click()
        expect(model).to_contain_text("In memory")
        assert next(each for each in drive.hub.own("models")["models"] if each["id"] == ENCODER)["loaded"]
        button(model, "Pin").click()
        expect(model).to_contain_text("Pinned")
        button(model, "Unpin").click()
        expect(model).not_to_contain_text("Pinned")
        button(model, "Unload").click()
        expect(button(model, "Load…")).to_be_visible()
        expect(model).not_to_contain_text("In memory")
        drive.hub.own(f"models/{ENCODER}/load", {})
        expect(model).to_contain_text("In memory")


@step("a runner's parameters are changed, and kept", hub=True)
def parameters(drive):
    with drive.page("runners") as page:
        mock = card(page, "mock:llm")
        expect(mock).to_contain_text("Mock: its answers are made up")
        mock.get_by_text("Parameters (").click()
        field = mock.get_by_label("temperature of mock:llm")
        field.fill("3")
        page.keyboard.press("Tab")
        expect(mock).to_contain_text("This takes 0 to 2.")
        field.fill("0.25")
        page.keyboard.press("Tab")
        expect(page.locator("#toasts")).to_contain_text("temperature is saved.")
        drive.check(page, "a hub's runners")
        drive.shot(page, "runners-parameters-light-1280")
        page.reload()
        mock.get_by_text("Parameters (").click()
        expect(field).to_have_value("0.25")
        row = mock.locator(".setting", has_text="temperature")
        expect(row).to_contain_text("Settings file")
        button(row, "Back to default").click()
        expect(field).to_have_value("0")
        expect(row).not_to_contain_text("Settings file")


@step("a setting is changed, refused with the reason, and reset; one of the environment stays", hub=True)
def settings(drive):
    with drive.page("settings", failures=True) as page:
        row = lambda name: page.locator(".setting", has_text=name)
        expect(row("log.level")).to_contain_text("Environment")
        expect(page.get_by_label("log.level")).to_be_disabled()
        page.get_by_label("guardian.input").select_option("warn")
        expect(row("guardian.input")).to_contain_text("Settings file")
        kept = {each["name"]: each for each in drive.hub.own("settings")["settings"]}["guardian.input"]
        assert kept["value"] == "warn" and kept["source"] == "file", kept
        button(row("guardian.input"), "Back to default").click()
        expect(row("guardian.input")).not_to_contain_text("Settings file")
        page.get_by_label("hub.auditDays").fill("5000")
        page.keyboard.press("Tab")
        expect(row("hub.auditDays")).to_contain_text("This takes 1 to 3,650.")
        page.keyboard.press("Escape")
        page.get_by_label("residency.budget").fill("4 GiB")
        page.keyboard.press("Tab")
        expect(row("residency.budget")).to_contain_text("now 4.3 GB")
        page.get_by_label("residency.budget").fill("1e30")
        page.keyboard.press("Tab")
        expect(page.get_by_role("dialog")).to_contain_text("it must be a size such as 4GiB")
        expect(page.get_by_role("dialog")).to_contain_text("breeze config explain residency.budget")
        page.keyboard.press("Escape")
        expect(page.get_by_label("residency.budget")).to_have_value("4294967296")
        button(row("residency.budget"), "Back to default").click()
        expect(row("residency.budget")).not_to_contain_text("Settings file")


@step("a service's key is kept, never shown, and removed", hub=True)
def keys(drive):
    with drive.page("privacy") as page:
        row = page.locator("li", has_text="Hugging Face")
        button(row, "Set…").click()
        dialog = page.get_by_role("dialog", name="Key for Hugging Face")
        dialog.get_by_label("Access token").fill("hf_0123456789abcdef")
        drive.check(page, "a hub's key form")
        drive.shot(page, "key-form-light-1280", full=False)
        button(dialog, "Save", exact=True).click()
        expect(row).to_contain_text("Kept in")
        assert "0123456789abcdef" not in page.content() + str(drive.hub.own("secrets"))
        button(row, "Remove").click()
        button(page, "Remove the key").click()
        expect(row).to_contain_text("Not set")


@step("what left stands in the ledger, and with the switch nothing leaves", hub=True)
def privacy(drive):
    address = drive.hub.serve("never.gguf", {"seed": 3, "size": 1000, "etag": '"3"'})
    port = address.split(":")[2].split("/")[0]
    with drive.page("privacy", failures=True) as page:
        ledger = page.get_by_role("region", name="Outgoing connections").locator("tbody tr")
        expect(ledger.filter(has_text=f"127.0.0.1:{port}").filter(has_text="1.0 MB").first).to_be_visible()
        page.get_by_role("switch", name="Forbid all outgoing connections").click()
        expect(page.locator("#banners")).to_contain_text("nothing leaves this device")
        drive.check(page, "a hub's ledger")
        drive.shot(page, "privacy-forbidden-light-1280")
        try:
            page.get_by_role("link", name="Models").click()
            search(page, address)
            button(page, "Look at it…").click()
            decline(page, "privacy.offline")
            assert drive.hub.asked("never.gguf") == [], "it was asked all the same"
        finally:
            drive.hub.own("egress", {"forbidden": False}, method="PUT")


@step("a running request is seen, counted and ended", hub=True)
def activity(drive):
    drive.hub.mock(chunkDelay=250, responseStyle="detailed")
    connection, answer = drive.hub.stream(drive.hub.keys[PULLER])
    with drive.page("activity") as page:
        row = page.get_by_role("region", name="Requests being worked on").locator("tbody tr")
        expect(row).to_contain_text(PULLER)
        expect(row).to_contain_text("mock:llm")
        expect(row).to_contain_text("Answering")
        expect(page.locator("main .tile").first).to_contain_text("1")
        page.get_by_role("figure", name="Tokens per second").locator(".chart-line").wait_for(state="attached")
        expect(page.get_by_role("figure", name="Requests").locator(".chart-line")).to_be_attached()
        drive.check(page, "a hub's activity")
        drive.shot(page, "activity-running-light-1280")
        button(row, "End").click()
        expect(row).to_have_count(0)
        rest = answer.read().decode()
        assert "The owner of this device ended the request." in rest, rest[-500:]
    connection.close()
    drive.hub.mock(chunkDelay=0)


@step("every page holds with real data, in both themes and both widths", hub=True)
def pages(drive):
    drive.hub.register("Desktop Search", "embedding", "rerank")
    drive.hub.mock(chunkDelay=2000, responseStyle="detailed")
    connection, _ = drive.hub.stream(drive.hub.keys[PULLER])
    panel_steps_frame.every_page(drive)
    connection.close()
    drive.hub.mock(chunkDelay=None, responseStyle=None)


@step("the licences of what is installed are listed, and the encoder is removed", hub=True)
def leaves(drive):
    with drive.page("about") as page:
        expect(page.locator(".license", has_text="wish")).to_contain_text("Not stated by the publisher")
        expect(page.locator(".license", has_text="wish")).to_contain_text("Needs review")
        if not drive.hub.has_encoder:
            return
        expect(page.locator(".license", has_text=ENCODER)).to_contain_text("Apache-2.0")
        page.get_by_role("link", name="Models").click()
        model = page.locator(".model", has_text=ENCODER)
        button(model, "Remove").click()
        button(page.get_by_role("dialog"), "Remove").click()
        expect(model).to_have_count(0)
        assert ENCODER not in [each["id"] for each in drive.hub.own("models")["models"]]
