"""Mail in a real hub's panel: the bundled mailbox indexed, read and searched, and letters that attack."""

import email.message
import json
import pathlib

from panel_browser import button, settled, step
from panel_hub import ENCODER, soon
from playwright.sync_api import expect

MAILBOX = pathlib.Path(__file__).parents[2] / "Examples/Mailbox"
ATTACKS = json.loads((pathlib.Path(__file__).parent / "mail_attacks.json").read_text())
DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c636460f8cf500f000386018016a3"
    "47d6f50000000049454e44ae426082"
)
ELEMENTS = """(html) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    const list = [...page.body.querySelectorAll("*")].flatMap((each) => [
        each.localName, ...[...each.attributes].map(({ name, value }) => `${each.localName} ${name}=${value.slice(0, 60)}`),
    ]);
    return [...new Set([...list, ...[...page.head.children].map(({ localName }) => `head ${localName}`)])];
}"""


def rows(page):
    return page.locator(".mail-row")


def own(drive, path):
    return drive.hub.own(f"mail{path}")


def indexed(drive, *paths):
    """Gives the status when the work is over."""
    drive.hub.own("mail/index", {"paths": [str(each) for each in paths]})
    soon("the end of the work", lambda: own(drive, "")["work"]["stage"] == "idle", seconds=240)
    return own(drive, "")


def letter(subject, html, pictures=()):
    made = email.message.EmailMessage()
    made["From"], made["To"], made["Subject"] = (
        "Mallory <mallory@strange.example>",
        "nora@maps.example",
        subject,
    )
    made["Date"], made["Message-ID"] = (
        "Sat, 21 Nov 2026 08:00:00 +0000",
        f"<{abs(hash(subject))}@strange.example>",
    )
    made.set_content("the text of " + subject)
    made.add_alternative(html, subtype="html", cte="base64")
    part = made.get_payload()[1]
    for name, content in pictures:
        part.add_related(content, "image", "png", cid=f"<{name}>")
    return made.as_bytes()


@step("a mailbox is indexed from the page, and its words are found", hub=True)
def indexes(drive):
    if drive.hub.has_encoder:
        # A step before this one may have removed it.
        cache = drive.hub.environment["BREEZE_CACHE"]
        drive.hub.run("models", "import", f"{cache}/models-src/{ENCODER}")
        soon("the encoder", lambda: "encoder" not in own(drive, ""))
    assert own(drive, "")["messages"] == 0
    assert drive.hub.ask("/breeze/v1/mail/search?q=x")[0] == 404
    with drive.page("mail") as page:
        settled(page)
        expect(page.locator(".empty")).to_contain_text("No mail is indexed yet")
        page.get_by_label("Path of a mailbox").fill(str(MAILBOX / "Maildir"))
        button(page, "Index it").click()
        expect(rows(page).first).to_be_visible()
        soon("the end of the work", lambda: own(drive, "")["work"]["stage"] == "idle", seconds=240)
        labels = json.loads((MAILBOX / "labels.json").read_text())
        status = own(drive, "")
        assert status["messages"] == len(labels), status
        folders = {each["name"]: each for each in own(drive, "/folders")["folders"]}
        side = page.get_by_role("navigation", name="Folders")
        for name in folders:
            expect(side).to_contain_text(name or "Top")
        drive.check(page, "a hub's mail")
        drive.shot(page, "mail-list-light-1280", full=False)
        page.get_by_label("Search in mail").fill("lighthouse")
        page.get_by_label("Search by").select_option("words")
        button(page, "Search").click()
        expect(page.locator("mark").first).to_contain_text("ighthouse")
        page.locator(".mail-row > a").first.click()
        settled(page)
        expect(page.get_by_role("heading", level=1)).not_to_have_text("Mail")
        drive.check(page, "a hub's message")
        drive.shot(page, "mail-message-light-1280")
        button(page, "Show as the sender laid it out").click()
        expect(page.locator("main")).to_contain_text("layout")


@step("the routes say what the command line says, and are the owner's alone", hub=True)
def agrees(drive):
    told = json.loads(drive.hub.run("mail", "search", "--json", "--mode", "words", "boat"))
    hits = own(drive, "/search?q=boat&mode=words&limit=20")["hits"]
    assert told and [{name: hit[name] for name in each} for hit, each in zip(hits, told, strict=True)] == told
    status, answer = drive.hub.ask("/breeze/v1/mail/search?q=date%3A2026-99-99")
    assert status == 400 and "date" in answer["error"]["message"], answer
    listed, seen = [], 0
    while True:
        page = own(drive, f"/messages?limit=50&offset={seen}")
        listed += [each["id"] for each in page["messages"]]
        seen += len(page["messages"])
        if not page["isMore"]:
            break
    assert len(listed) == len(set(listed)) == own(drive, "")["messages"]
    newest = own(drive, "/messages?grouping=threads&limit=200")["messages"]
    assert len(newest) == own(drive, "")["threads"]
    long = max(newest, key=lambda each: each["threadCount"])
    thread = own(drive, f"/threads/{long['thread']}")["messages"]
    assert (
        len(thread) == long["threadCount"]
        and thread[0]["depth"] == 0
        and max(each["depth"] for each in thread) > 0
    )
    whole = own(drive, f"/messages/{thread[-1]['id']}")
    shown = json.loads(drive.hub.run("mail", "show", "--json", str(thread[-1]["id"])))
    assert "".join(shown["text"].split()) == "".join("".join(each["text"] for each in whole["text"]).split())
    name, key = drive.hub.register("Nosy", "chat", "embedding", "models")
    drive.hub.own(f"apps/{name}/approve", {"scopes": {"chat": "onDevice", "models": True}})
    for path in (
        "mail",
        "mail/folders",
        "mail/messages",
        f"mail/messages/{thread[0]['id']}",
        "mail/search?q=boat",
    ):
        assert drive.hub.ask(f"/breeze/v1/{path}", key=key)[0] == 403, path
    assert drive.hub.ask("/breeze/v1/mail/index", {"paths": [str(MAILBOX)]}, key=key)[0] == 403
    for path, body, wanted in (
        ("mail/messages/999999", None, 404),
        ("mail/messages/x", None, 404),
        ("mail/threads/999999", None, 404),
        ("mail/messages?limit=0", None, 400),
        ("mail/search?mode=loud&q=x", None, 400),
        ("mail/index", {"paths": ["/nowhere/at/all"]}, 404),
        ("mail/index", {"paths": ["relative"]}, 400),
        ("mail/index", {"paths": ["/"]}, 400),
        ("mail/vectors/pause", {}, 409),
    ):
        status, answer = drive.hub.ask(f"/breeze/v1/{path}", body)
        assert status == wanted and answer["error"]["message"], (path, status, answer)
    for word in ("boat", "lighthouse", "2026-99-99"):
        assert word not in drive.hub.log() and word not in json.dumps(drive.hub.audit(limit=500)), word


@step("meaning finds what no word says, and what is like a message", hub=True)
def means(drive):
    status = own(drive, "")
    if not drive.hub.has_encoder:
        assert status["encoder"]["remedy"] and status["work"]["error"]["code"] == "no_runner", status
        return "set-up did not fetch the encoder"
    assert "encoder" not in status and status["vectors"]["done"] == status["vectors"]["total"] > 0, status
    with drive.page("mail") as page:
        page.get_by_label("Search in mail").fill("a trip on the water")
        page.get_by_label("Search by").select_option("meaning")
        button(page, "Search").click()
        expect(rows(page).nth(3)).to_be_visible()
        page.get_by_role("link", name="Like this").first.click()
        page.wait_for_url("**/like/**")
        expect(rows(page).nth(3)).to_be_visible()


@step("letters that attack run nothing, ask for nothing and stay in their frame", hub=True)
def attacks(drive):
    folder = pathlib.Path(drive.hub.folder) / "attacks"
    for name in ("cur", "new", "tmp"):
        (folder / name).mkdir(parents=True)
    everything = "\n".join(each["html"] for each in ATTACKS)
    everything += "".join(reversed([each["html"] for each in ATTACKS])) + '<p>the end</p><img src="cid:dot">'
    (folder / "cur/all:2,S").write_bytes(letter("All at once", everything, [("dot", DOT)]))
    for number, attack in enumerate(ATTACKS):
        (folder / f"cur/{number}:2,S").write_bytes(letter(f"Attack {number}", attack["html"]))
    indexed(drive, folder)
    found = {
        each["subject"]: each["id"]
        for each in own(drive, "/messages?limit=200")["messages"]
        if each["from"] and each["from"][0]["address"] == "mallory@strange.example"
    }
    assert len(found) == len(ATTACKS) + 1, len(found)
    with drive.page(f"mail/message/{found['All at once']}") as page:
        told = []
        page.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
        settled(page)
        before = page.evaluate("document.querySelector('.side').outerHTML")
        button(page, "Show as the sender laid it out").click()
        expect(page.locator("iframe.mail-frame")).to_be_visible()
        expect(page.locator("main")).to_contain_text("contents of other places not loaded")
        page.wait_for_timeout(1500)
        drive.check(page, "letters that attack")
        drive.shot(page, "mail-attack-light-1280")
        assert page.evaluate("document.querySelector('.side').outerHTML") == before
        assert len(page.context.pages) == 1 and page.context.cookies() == []
        # What a browser makes of each by itself, with nothing to hold it: no policy, no frame.
        harmless = set()
        bare = page.context.new_page()
        bare.on("dialog", lambda dialog: (told.append(dialog.message), dialog.dismiss()))
        asked = []
        bare.on(
            "request",
            lambda request: asked.append(request.url) if not request.url.startswith("data:") else None,
        )
        for subject, number in found.items():
            laid_out = own(drive, f"/messages/{number}/page")["html"]
            harmless |= set(page.evaluate(ELEMENTS, laid_out))
            bare.set_content(f"<!doctype html><body>{laid_out}")
            assert bare.evaluate("window.pwned") is None, subject
            assert asked == [] and told == [], f"{subject}: {asked} {told}"
        bare.wait_for_timeout(500)
        assert asked == [] and told == [], f"{asked} {told}"
        names = {each for each in harmless if " " not in each}
        assert not names & {
            "script",
            "style",
            "svg",
            "math",
            "iframe",
            "form",
            "input",
            "object",
            "embed",
            "link",
            "meta",
            "base",
        }, names
        values = [each.split(" ", 1)[1].split("=", 1) for each in harmless if "=" in each]
        loose = [pair for pair in values if pair[0].startswith("on")]
        loose += [
            (name, value) for name, value in values if name in ("href", "src") and "script:" in value.lower()
        ]
        assert not loose, loose
        assert not [each for each in harmless if each.startswith("head ")], harmless
