"""The stub hub's mail: a few conversations, and a page that the real hub would never let through."""

import copy
import json
import pathlib
import time

import panel_stub_verdicts as verdicts

ATTACKS = json.loads((pathlib.Path(__file__).parent / "mail_attacks.json").read_text())
ADA = {"name": "Ada Okafor", "address": "ada@hollowbrook.example"}
NORA = {"name": "Nora Feldmann", "address": "nora@maps.example"}
LIST = {"name": "Charts", "address": "charts@lists.example"}
HOSTILE = '<img src=x onerror="window.pwned=1"> \u202egnp.exe'


def listed(number, subject, sender, preview, **more):
    return {
        "id": number,
        "subject": subject,
        "from": [sender],
        "date": f"2026-11-{number:02}T09:30:00+01:00",
        "folder": "INBOX",
        "unread": False,
        "flagged": False,
        "attachments": 0,
        "preview": preview,
        "thread": number,
        "threadCount": 1,
        **more,
    }


MESSAGES = [
    listed(
        21,
        "The lighthouse tour",
        ADA,
        "The keeper opens at ten, and the boat leaves at nine from the mill.",
        unread=True,
        threadCount=3,
    ),
    listed(
        20,
        "Invoice 2041 for the harbour atlas",
        {"name": "Brookpress", "address": "desk@brookpress.example"},
        "Please find the invoice attached. It is due in thirty days.",
        attachments=2,
        flagged=True,
    ),
    listed(
        19,
        "[charts] Soundings off the north bank",
        LIST,
        "Has anybody soundings later than August?",
        folder="Lists/Charts",
        list="charts.lists.example",
        threadCount=4,
    ),
    listed(18, HOSTILE, {"name": HOSTILE, "address": "x@strange.example"}, HOSTILE),
    listed(
        17,
        "A long subject that goes on and on, " * 5,
        {"address": "newsletter@shop.example"},
        "Save now. " * 15,
    ),
    listed(
        16,
        "Your account is suspended",
        {"name": "Hollowbank", "address": "security@hol1owbank.example"},
        "Verify your account within 24 hours, or it will be closed.",
        unread=True,
    ),
    listed(
        15,
        "Pills at half the price",
        {"name": "Best Pills", "address": "pills@example.top"},
        "Only today, and for you alone.",
    ),
    listed(
        14,
        "The autumn sale begins",
        {"address": "newsletter@shop.example"},
        "Everything for the garden, at a third less.",
        unread=True,
    ),
]
THREAD = [
    {
        **MESSAGES[0],
        "id": 11,
        "unread": False,
        "depth": 0,
        "preview": "Shall we see the lighthouse on Saturday?",
    },
    {
        **MESSAGES[0],
        "id": 12,
        "unread": False,
        "depth": 1,
        "from": [NORA],
        "preview": "Gladly. When does the boat leave?",
    },
    {**MESSAGES[0], "depth": 2},
]


def message(number):
    row = next((each for each in MESSAGES + THREAD if each["id"] == number), None)
    if not row:
        return None
    fields = ("id", "subject", "from", "date", "unread", "thread")
    return {
        **{name: row[name] for name in (*fields, "list") if name in row},
        "messageID": f"{number}@hollowbrook.example",
        "to": [NORA],
        "copies": [],
        "size": 5210,
        "textRead": 900,
        "textSize": 900,
        "textShown": 900,
        "hiddenCharacters": 12 if number == 18 else 0,
        "attachments": [
            {"name": "invoice-2041.pdf", "type": "application/pdf", "size": 48211},
            {"type": "image/png", "size": 900},
        ]
        if row["attachments"]
        else [],
        "notices": [{"kind": "date_unreadable", "count": 0}] if number == 18 else [],
        "places": [{"path": f"/home/nora/Mail/cur/{number}", "folder": row["folder"], "flags": "S"}],
        "text": [
            {"kind": "new", "text": row["preview"] + "\n\nBring a coat: it is windy up there.\n\nAda"},
            {"kind": "attribution", "text": "On Friday, Nora Feldmann wrote:"},
            {"kind": "quote", "text": "> Gladly. When does the boat leave?"},
            {"kind": "signature", "text": "-- \nAda Okafor, Mill Lane 3"},
        ],
    }


def page(number):
    none = {
        "remote": 0,
        "hiddenCharacters": 0,
        "pictures": 0,
        "picturesDropped": 0,
        "scripts": 0,
        "controls": 0,
        "isCut": False,
        "notices": [],
    }
    if number == 18:
        return {**none, "html": "\n".join(each["html"] for each in ATTACKS), "remote": 61, "scripts": 9}
    if number == 20:
        return {
            **none,
            "html": '<h1 style="color: #0b6e70">Invoice 2041</h1><p>Due in thirty days.</p>',
            "remote": 3,
            "hiddenCharacters": 40,
        }
    return none


def hit(row, snippet, marks):
    return {
        "messageID": f"{row['id']}@hollowbrook.example",
        "path": f"/home/nora/Mail/cur/{row['id']}",
        "score": 0.9,
        "id": row["id"],
        "subject": row["subject"],
        "from": f"{row['from'][0].get('name', '')} <{row['from'][0]['address']}>",
        "date": row["date"],
        "thread": f"{row['id']}@x",
        "snippet": snippet,
        "threadNumber": row["thread"],
        "threadCount": row["threadCount"],
        "others": row["threadCount"] - 1,
        "marks": marks,
        "cutBefore": True,
        "cutAfter": False,
        "partlyRead": False,
    }


IDLE = {"stage": "idle", "paths": [], "failures": []}


class Mail:
    def __init__(self):
        self.is_indexed, self.encoder = True, None
        self.work = copy.deepcopy(IDLE)
        self.verdicts = verdicts.Verdicts()

    def rows(self):
        return [{**each, **self.verdicts.marks(each)} for each in MESSAGES]

    def status(self):
        if not self.is_indexed:
            return {"messages": 0, "threads": 0, "bytes": 0, "sources": [], "work": self.work}
        status = {
            "messages": 172,
            "threads": 120,
            "bytes": 2_400_000,
            "work": self.work,
            "sources": [{"path": "/home/nora/Mail", "messages": 172}],
            "vectors": {"done": 204, "total": 204, "model": "all-minilm-l6-v2"},
            **self.verdicts.status(MESSAGES),
        }
        return {**status, "encoder": self.encoder} if self.encoder else status

    def tick(self):
        """Reads in two seconds, makes vectors in four and judges in four; gives what has changed."""
        work = self.work
        if work["stage"] == "reading":
            counts = work["reading"]
            counts["read"] = min(counts["found"], counts["read"] + 9)
            counts["secondsLeft"] = (counts["found"] - counts["read"]) / 90
            if counts["read"] == counts["found"]:
                work["stage"] = "embedding"
                work["vectors"] = {"state": "working", "done": 0, "total": 204, "failed": 0, "secondsLeft": 4.0}
        elif work["stage"] == "embedding" and work["vectors"]["state"] == "working":
            vectors = work["vectors"]
            vectors["done"] = min(vectors["total"], vectors["done"] + 5)
            vectors["secondsLeft"] = (vectors["total"] - vectors["done"]) / 50
            if vectors["done"] == vectors["total"]:
                vectors["state"], work["stage"] = "idle", "judging"
                work["judging"] = {"state": "working", "done": 0, "total": 172, "secondsLeft": 4.0}
        elif work["stage"] == "judging" and work["judging"]["state"] == "working":
            judging = work["judging"]
            judging["done"] = min(judging["total"], judging["done"] + 5)
            judging["secondsLeft"] = (judging["total"] - judging["done"]) / 50
            if judging["done"] == judging["total"]:
                judging["state"] = work["stage"] = "idle"
                self.is_indexed = self.verdicts.is_judged = True
        else:
            return None
        return work

    def begin(self, paths):
        zero = dict.fromkeys(("read", "changed", "moved", "copies", "deleted", "failed", "skipped"), 0)
        self.work = {
            "stage": "reading",
            "paths": paths,
            "failures": [],
            "reading": {"found": 172, "new": 0, **zero},
        }


def add(route, hub, fault):
    """The routes below /breeze/v1/mail."""

    def missing():
        return fault(
            404,
            "not_found",
            "The index has no such message.",
            "It may have been deleted since. Load the list again.",
        )

    @route("GET", "mail")
    def status(_):
        return hub.mail.status()

    @route("GET", "mail/folders")
    def folders(_):
        return {
            "folders": [
                {"name": "INBOX", "messages": 121, "unread": 4},
                {"name": "Lists/Charts", "messages": 38, "unread": 0},
                {"name": "Archive/2025", "messages": 13, "unread": 0},
            ]
        }

    @route("GET", "mail/messages")
    def messages(call):
        rows = hub.mail.rows()
        for name in ("folder", "category", "warning"):
            asked = call.query.get(name)
            if asked == "any":
                rows = [each for each in rows if name in each]
            elif asked is not None:
                rows = [each for each in rows if each.get(name) == asked]
        return {"messages": rows, "isMore": False}

    @route("GET", "mail/messages/{id}")
    def one(_, id):
        found = message(int(id))
        if not found:
            raise missing()
        row = next((each for each in MESSAGES if each["id"] == int(id)), None)
        judged = row and hub.mail.verdicts.of(row)
        return {**found, "verdict": judged} if judged else found

    verdicts.add(route, hub, fault, MESSAGES, missing)

    @route("GET", "mail/messages/{id}/page")
    def laid_out(_, id):
        time.sleep(0.05)
        return page(int(id))

    @route("GET", "mail/messages/{id}/similar")
    def similar(_, id):
        rows = [each for each in MESSAGES[:3] if each["id"] != int(id)]
        return {
            "hits": [hit(each, each["preview"], []) for each in rows],
            "found": len(rows),
            "isMore": False,
            "mode": "meaning",
            "notices": [],
        }

    @route("GET", "mail/threads/{id}")
    def thread(_, id):
        rows = THREAD if int(id) == 21 else [{**each, "depth": 0} for each in MESSAGES if each["id"] == int(id)]
        if not rows:
            raise missing()
        return {"messages": rows}

    @route("GET", "mail/search")
    def search(call):
        words = call.query.get("q", "")
        if words.startswith("date:"):
            raise fault(
                400,
                "invalid_request",
                f"“{words[5:]}” is no date.",
                "Write a date such as 2026-11-02 at character 6.",
            )
        if "nothing" in words:
            return {
                "hits": [],
                "found": 0,
                "isMore": False,
                "mode": "words",
                "notices": [{"kind": "no_meaning", "message": "No encoder is there. Words alone answer."}],
            }
        hits = [
            hit(MESSAGES[0], "the \U0001f30a boat to the lighthouse", [[18, 28]]),
            hit(MESSAGES[3], HOSTILE, [[0, 4]]),
        ]
        return {
            "hits": hits,
            "found": 2,
            "isMore": False,
            "mode": call.query.get("mode", "both"),
            "notices": [],
        }

    @route("POST", "mail/index")
    def index(call):
        paths = call.body.get("paths") or []
        if any("nowhere" in each for each in paths):
            raise fault(
                404,
                "not_found",
                f"There is nothing at {paths[0]}.",
                "Name a Maildir, an mbox file, a message or a folder of these.",
            )
        hub.mail.begin(paths)
        return {}

    @route("POST", "mail/index/stop")
    def stop(_):
        hub.mail.work = copy.deepcopy(IDLE)
        hub.tell("mail", hub.mail.work)
        return {}

    @route("POST", "mail/vectors/pause")
    def pause(_):
        hub.mail.work["vectors"]["state"] = "paused"
        hub.tell("mail", hub.mail.work)
        return {}

    @route("POST", "mail/vectors/resume")
    def resume(_):
        hub.mail.work["vectors"]["state"] = "working"
        return {}


EMPTY = {"mail": {"messages": 0, "threads": 0, "bytes": 0, "sources": [], "work": IDLE}}
