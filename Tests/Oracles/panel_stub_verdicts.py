"""What the stub hub's mail was judged to be, and what its owner corrects."""

import copy

CATEGORIES = ["primary", "social", "promotions", "updates", "forums"]
MADE = 1_795_426_200  # 23 November 2026, half past nine in UTC
HOSTILE = '“<img src=x onerror="window.pwned=1"> \u202egnp.exe”'


def evidence(about, kind, detail, weight):
    return {"about": about, "kind": kind, "detail": detail, "weight": weight}


def verdict(category, confidence, *seen, spam=0.02, phishing=0.004):
    return {
        "category": category,
        "confidence": confidence,
        "spam": {"score": spam, "flagged": spam > 0.5},
        "phishing": {"score": phishing, "flagged": phishing > 0.5},
        "evidence": list(seen),
        "missing": [],
        "corrections": [],
        "repliesOffered": False,
    }


OFFER = (
    evidence("category", "head", "head: promotions 0.95", 0.95),
    evidence("category", "bulk", "List-Unsubscribe", 0.5),
    evidence("spam", "text", "text: unwanted 0.31", -0.8),
    evidence("spam", "words", "words: “save”, “now”", 0.4),
    evidence("phishing", "sender", "wanted mail to many has it: List-Unsubscribe", -1.5),
)
# By the numbers of messages; what is missing is not judged yet.
VERDICTS = {
    21: verdict("primary", 0.97, evidence("category", "head", "head: primary 0.91", 0.91)),
    20: verdict(
        "updates",
        0.88,
        evidence("category", "head", "head: updates 0.84", 0.84),
        evidence("category", "automatic", "sent by desk", 1.5),
    ),
    19: verdict("forums", 0.998, evidence("category", "list", "List-Id charts.lists.example", 4)),
    17: verdict("promotions", 0.93, *OFFER, spam=0.24),
    16: verdict(
        "updates",
        0.71,
        evidence("category", "head", "head: updates 0.71", 0.71),
        evidence(
            "phishing",
            "homograph",
            "sent from hol1owbank.example, which looks like “hollowbank” and is not",
            3.5,
        ),
        evidence("phishing", "text", "text: fraud 0.97", 3.4),
        evidence("phishing", "words", "words: “verify”, “account”, “suspended”", 1.9),
        evidence(
            "phishing", "dmarc_fail", "the receiver found that it is not from hol1owbank.example (DMARC)", 1.5
        ),
        evidence(
            "phishing", "bidi_trick", f"right-to-left override in the subject, which shows as {HOSTILE}", 2
        ),
        evidence("phishing", "sender", "it was written to one alone", -0.4),
        evidence("spam", "text", "text: unwanted 0.66", 0.7),
        spam=0.61,
        phishing=0.972,
    ),
    15: verdict(
        "promotions",
        0.82,
        evidence("category", "head", "head: promotions 0.82", 0.82),
        evidence("spam", "text", "text: unwanted 0.94", 2.7),
        evidence("spam", "abused_tld", "a link to pills.example.top, whose ending .top is much abused", 1.5),
        evidence("spam", "sender", "it names you", -0.3),
        spam=0.94,
        phishing=0.08,
    ),
    14: verdict("promotions", 0.96, *OFFER),
}


class Verdicts:
    def __init__(self):
        self.is_judged, self.has_encoder = True, True
        self.corrections = []

    def keys(self, row):
        keys = {
            "message": f"message:{row['id']}@hollowbrook.example",
            "sender": f"sender:{row['from'][0]['address']}",
        }
        return {**keys, "list": f"list:{row['list']}"} if "list" in row else keys

    def of(self, row):
        """With the owner's own words; nothing where it is not judged yet."""
        found = VERDICTS.get(row["id"]) if self.is_judged else None
        if not found:
            return None
        found = copy.deepcopy(found)
        keys = set(self.keys(row).values())
        found["corrections"] = [
            {name: value for name, value in each.items() if name != "subject"}
            for each in self.corrections
            if each["key"] in keys
        ]
        if not self.has_encoder:
            found["missing"] = ["encoder"]
        return found

    def marks(self, row):
        """`category` and `warning` as a list shows them."""
        found = self.of(row)
        if not found:
            return {}
        # The word on the message counts before that on its sender, and that before its list's.
        said = {
            each["kind"]: each["value"]
            for scope in ("list", "sender", "message")
            for each in found["corrections"]
            if each["scope"] == scope
        }
        flagged = next((name for name in ("phishing", "spam") if found[name]["flagged"]), "no")
        warning = said.get("spam", flagged)
        marks = {"category": said.get("category", found["category"])}
        return marks if warning == "no" else {**marks, "warning": warning}

    def status(self, rows):
        marks = [(self.marks(row), row) for row in rows]
        return {
            "categories": [
                {
                    "category": name,
                    "messages": sum(mark.get("category") == name for mark, _ in marks),
                    "unread": sum(mark.get("category") == name and row["unread"] for mark, row in marks),
                }
                for name in CATEGORIES
            ],
            "warnings": {
                name: sum(mark.get("warning") == name for mark, _ in marks) for name in ("spam", "phishing")
            },
            "judged": {"done": 171 if self.is_judged else 0, "total": 172},
        }

    def change(self, rows, act):
        """How many messages are in another category, or bear another warning, once `act` was done."""
        before = [self.marks(row) for row in rows]
        act()
        return sum(old != self.marks(row) for old, row in zip(before, rows, strict=True))

    def drop(self, kind, key):
        self.corrections = [each for each in self.corrections if (each["kind"], each["key"]) != (kind, key)]


def add(route, hub, fault, rows, missing):
    """The routes of corrections, over `rows`."""

    @route("POST", "mail/messages/{id}/correct")
    def correct(call, id):
        row = next((each for each in rows if each["id"] == int(id)), None)
        if not row:
            raise missing()
        verdicts, scope = hub.mail.verdicts, call.body.get("scope", "message")
        said = [(kind, call.body[kind]) for kind in ("category", "spam") if kind in call.body]
        if not said or any(
            value not in {"category": CATEGORIES, "spam": ["spam", "phishing", "no"]}[kind]
            for kind, value in said
        ):
            raise fault(400, "invalid_request", "A correction names a category or says of spam.")
        key = verdicts.keys(row).get(scope)
        if not key:
            raise fault(400, "invalid_request", "The message has no list.", "Say it of its sender.")

        def act():
            for kind, value in said:
                verdicts.drop(kind, key)
                made = {"kind": kind, "scope": scope, "key": key, "value": value}
                made["made"] = MADE + len(verdicts.corrections)
                if scope == "message":
                    made["subject"] = row["subject"]
                verdicts.corrections.insert(0, made)

        return {
            "changed": verdicts.change(rows, act),
            "corrections": [{"kind": kind, "key": key} for kind, _ in said],
            "verdict": verdicts.of(row),
        }

    @route("POST", "mail/corrections/undo")
    def undo(call):
        verdicts, kind, key = hub.mail.verdicts, call.body["kind"], call.body["key"]
        if not any((each["kind"], each["key"]) == (kind, key) for each in verdicts.corrections):
            raise fault(404, "not_found", "There is no such correction.", "Load the page again.")
        return {"undone": True, "changed": verdicts.change(rows, lambda: verdicts.drop(kind, key))}

    @route("GET", "mail/corrections")
    def corrections(_):
        return {"corrections": hub.mail.verdicts.corrections}
