"""A real hub's verdicts on the bundled mailbox: categories, warnings, and what its owner corrects."""

import json

from panel_browser import button, settled, step
from panel_hub import soon
from panel_steps_live_mail import MAILBOX, indexed, own, rows
from playwright.sync_api import expect

LAYOUT = "Show as the sender laid it out"
LABELS = json.loads((MAILBOX / "labels.json").read_text())


def judged(drive):
    """The status once all mail is judged."""
    if not own(drive, "")["messages"]:
        indexed(drive, MAILBOX / "Maildir")
    soon("the verdicts", lambda: own(drive, "")["work"]["stage"] == "idle", seconds=240)
    status = own(drive, "")
    assert status["judged"] == {"done": status["messages"], "total": status["messages"]}, status
    return status


def listed(drive, query=""):
    """All messages, or conversations, that a list has."""
    found = []
    while True:
        page = own(drive, f"/messages?limit=200&offset={len(found)}{query}")
        found += page["messages"]
        if not page["isMore"]:
            return found


def whole(drive):
    """The mailbox's messages by their Message-IDs."""
    every = [own(drive, f"/messages/{each['id']}") for each in listed(drive)]
    return {each["messageID"]: each for each in every if each["messageID"] in LABELS}


def warned(drive, name):
    return {each["id"] for each in listed(drive, f"&warning={name}")}


@step("a hub judges its mail, warns of what is labelled as phishing, and tells why", hub=True)
def judges(drive):
    status = judged(drive)
    for each in status["categories"]:
        rows_of = listed(drive, f"&grouping=threads&category={each['category']}")
        assert len(rows_of) == each["messages"] and sum(row["unread"] for row in rows_of) == each["unread"], (
            each
        )
    for name, count in status["warnings"].items():
        assert len(warned(drive, name)) == count, status["warnings"]
    assert warned(drive, "any") == warned(drive, "spam") | warned(drive, "phishing")
    found = whole(drive)
    assert len(found) == len(LABELS)
    phish = {name for name, label in LABELS.items() if label["phishing"]}
    flagged = {name for name, each in found.items() if each["verdict"]["phishing"]["flagged"]}
    assert len(phish & flagged) >= len(phish) * 0.7, phish - flagged
    wanted = {name for name, label in LABELS.items() if not label["phishing"] and not label["spam"]}
    assert len(wanted & flagged) <= len(wanted) * 0.03, wanted & flagged
    right = [name for name in wanted if found[name]["verdict"]["category"] == LABELS[name]["category"]]
    assert len(right) >= len(wanted) * 0.7, len(right)
    worst = max((found[name] for name in phish), key=lambda each: each["verdict"]["phishing"]["score"])
    with drive.page("mail") as page:
        settled(page)
        tabs = page.get_by_role("navigation", name="Categories")
        tabs.get_by_role("link", name="Forums").click()
        expect(rows(page).first).to_be_visible()
        expect(tabs.locator("[aria-current=page]")).to_contain_text("Forums")
        drive.check(page, "a hub's categories")
        drive.shot(page, "mail-category-light-1280", full=False)
        tabs.get_by_role("link", name="Warnings").click()
        expect(page.locator(".badge.bad").first).to_be_visible()
        drive.check(page, "a hub's warnings")
        page.goto(f"{drive.origin}/#/mail/message/{worst['id']}")
        notice = page.locator(".mail-verdict .notice.bad")
        expect(notice).to_contain_text("This looks like phishing")
        speaking = [
            each
            for each in worst["verdict"]["evidence"]
            if each["about"] == "phishing" and each["weight"] > 0
        ]
        expect(notice.locator("li")).to_have_count(len(speaking))
        page.locator(".mail-verdict").get_by_text("Why").click()
        drive.check(page, "a hub's warning")
        drive.shot(page, "mail-phishing-light-1280")
        button(page, LAYOUT).click()
        expect(page.get_by_role("dialog")).to_contain_text("This looks like phishing")
        button(page.get_by_role("dialog"), "Keep as it is").click()
        assert page.locator("iframe.mail-frame").count() == 0


@step("what is corrected in the page is so in the hub, and is taken back", hub=True)
def corrects(drive):
    judged(drive)
    before = warned(drive, "phishing")
    found = whole(drive)
    wrong = next(each for each in found.values() if each["verdict"]["phishing"]["flagged"])
    of_list = next(each for each in found.values() if each.get("list"))
    with drive.page(f"mail/message/{wrong['id']}") as page:
        verdict = page.locator(".mail-verdict")
        button(verdict, "This is no phishing").click()
        expect(verdict.locator(".mail-said")).to_contain_text("The warning is gone; ")
        # What is like it may follow.
        assert warned(drive, "phishing") <= before - {wrong["id"]}
        (said,) = own(drive, f"/messages/{wrong['id']}")["verdict"]["corrections"]
        assert (said["kind"], said["scope"], said["value"]) == ("spam", "message", "no"), said
        button(verdict, "Undo").click()
        expect(verdict.locator(".notice.bad")).to_be_visible()
        assert warned(drive, "phishing") == before
        page.goto(f"{drive.origin}/#/mail/message/{of_list['id']}")
        verdict.get_by_text("Correct it").click()
        verdict.get_by_label("Applies to").select_option("list")
        verdict.get_by_label("Category").select_option("social")
        button(verdict, "Save").click()
        expect(verdict).to_contain_text("Social · you said so")
        same = [each["id"] for each in found.values() if each.get("list") == of_list["list"]]
        rows_of = {each["id"] for each in listed(drive, "&category=social")}
        assert rows_of >= set(same), set(same) - rows_of
        drive.shot(page, "mail-corrected-light-1280")
        page.goto(f"{drive.origin}/#/mail/corrections")
        expect(page.locator(".mail-content .row-title")).to_contain_text(["The list"])
        drive.check(page, "what was corrected in a hub")
        drive.shot(page, "mail-corrections-light-1280")
        button(page, "Take back").click()
        expect(page.locator(".empty")).to_contain_text("You corrected nothing")
    assert own(drive, f"/messages/{of_list['id']}")["verdict"] == of_list["verdict"]
    assert own(drive, "/corrections") == {"corrections": []}


@step("a correction that says nothing is refused, and corrections are the owner's alone", hub=True)
def refuses(drive):
    judged(drive)
    without = next(each for each in whole(drive).values() if not each.get("list"))
    place = f"mail/messages/{without['id']}/correct"
    name, key = drive.hub.register("Nosier", "chat", "models")
    drive.hub.own(f"apps/{name}/approve", {"scopes": {"chat": "onDevice", "models": True}})
    for path, body in (
        (place, {"category": "updates"}),
        ("mail/corrections", None),
        ("mail/corrections/undo", {"kind": "spam", "key": "x"}),
    ):
        assert drive.hub.ask(f"/breeze/v1/{path}", body, key=key)[0] == 403, path
    for path, body, wanted in (
        (place, {}, 400),
        (place, {"scope": "message"}, 400),
        (place, {"category": "bills"}, 400),
        (place, {"spam": "perhaps"}, 400),
        (place, {"category": "updates", "scope": "world"}, 400),
        (place, {"category": "updates", "scope": "list"}, 400),
        ("mail/messages/999999/correct", {"category": "updates"}, 404),
        ("mail/corrections/undo", {"kind": "category", "key": "nobody"}, 404),
        ("mail/messages?category=bills", None, 400),
        ("mail/messages?warning=perhaps", None, 400),
    ):
        status, answer = drive.hub.ask(f"/breeze/v1/{path}", body)
        assert status == wanted and answer["error"]["message"], (path, body, status, answer)
    assert own(drive, "/corrections") == {"corrections": []}
