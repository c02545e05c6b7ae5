"""Who may ask, what one may know of another, and what is written down of it."""
import json
import sqlite3
from collections import Counter
from datetime import datetime, timedelta, timezone

from hub_process import QUESTION, Hub, check, drain, head, until

MARK = "SECRETPROMPT"
MARKED = {"model": "mock-llm", "messages": [{"role": "user", "content": MARK}]}
# What a page may send to another origin without asking first.
SIMPLE = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
# What tells such a request from a program's.
PAGES = [
    {"Origin": "http://evil.test"},
    {"Origin": "null"},
    {"Origin": "http://localhost:1"},
    {"Sec_Fetch_Site": "cross-site", "Sec_Fetch_Mode": "no-cors"},
    {"Sec_Fetch_Site": "same-site"},
]


def run(program, soak):
    with Hub(program) as hub:
        hub.app("Tests", "chat", "guardian")
        pages(hub, "a hub with keys")
        owner(hub)
        listed_page(hub)
        apart(hub)
    with Hub(program, "--open") as hub:
        pages(hub, "an open hub")
        check("an open hub answers a program", lambda: hub.post("/v1/chat/completions", QUESTION)[0] == 200)
    with Hub(program) as hub:
        audit(hub)
        week(hub)


def pages(hub, kind):
    def simple():
        for fields in PAGES:
            for form in SIMPLE:
                status, text, _ = hub.post("/v1/chat/completions", QUESTION, Content_Type=form, **fields)
                if status != 403 or "access-control" in text:
                    return False

    def read():
        for fields in PAGES:
            for path in ("/v1/models", "/api/tags", "/metrics"):
                status, text, _ = hub.ask(head(path, token=hub.key, **fields))
                if status != 403 or "access-control" in text:
                    return False

    def asked_first():
        asks = {"Origin": "http://evil.test", "Access_Control_Request_Method": "POST"}
        status, text, _ = hub.ask(head("/v1/chat/completions", "OPTIONS", **asks))
        return status == 403 and "access-control" not in text

    check(f"{kind}: a page's simple requests", simple)
    check(f"{kind}: a page that reads", read)
    check(f"{kind}: a page that asks whether it may", asked_first)


def owner(hub):
    """The owner's routes, and the link that opens them once."""
    routes = ("status", "apps", "audit", "egress", "secrets", "settings", "models", "pulls")
    code = hub.place["panel"].partition("#code=")[2]
    opened = json.dumps({"code": code}).encode()

    def all_of(expected, **options):
        return {hub.status(head(f"/breeze/v1/{route}", **options)) for route in routes} == expected

    def begin(**fields):
        return hub.ask(head("/breeze/v1/session", "POST", len(opened), **fields) + opened)

    check("the owner's routes without a key", lambda: all_of({401}))
    check("the owner's routes with an app's key", lambda: all_of({403}, token=hub.key))
    check("another page does not use up the link", lambda: begin(Origin="http://localhost:1")[0] == 403)
    status, fields, answer = begin()
    check("the link opens a session without a cookie", lambda: status == 200 and "set-cookie" not in fields)
    token = json.loads(answer).get("token")
    check("the link opens one session", lambda: begin()[0] == 401)
    check("the owner's routes with the owner's token", lambda: all_of({200}, token=token))
    check("a page on another port with the token", lambda: all_of({403}, token=token, Origin="http://localhost:1"))


def listed_page(hub):
    def taken_up():
        hub.command("config", "set", "hub.origins", '["https://page.test"]')
        hub.send(1)
        return until(lambda: hub.status(head("/v1/models", token=hub.key, Origin="https://page.test")) == 200, 3)

    def told():
        """A page that may ask can read why it was refused, and nothing keeps or guesses it."""
        _, text, _ = hub.ask(head("/v1/models", Origin="https://page.test"))
        wanted = ("access-control-allow-origin: https://page.test", "nosniff", "no-store")
        return all(field in text for field in wanted)

    check("SIGHUP takes up a listed page", taken_up)
    check("errors carry what answers carry", lambda: "nosniff" in hub.ask(head("/v1/models"))[1])
    check("a listed page reads its errors", told)


def apart(hub):
    other = hub.app("Other", "chat")
    path = "/v1/responses"
    mine = json.loads(hub.post(path, {"model": "mock-llm", "input": MARK})[2])["id"]
    # As long, and of the same form.
    unknown = mine[:-4] + ("0000" if not mine.endswith("0000") else "1111")

    def after(key, identifier):
        body = {"model": "mock-llm", "input": "x", "previous_response_id": identifier}
        status, _, answer = hub.post(path, body, token=key)
        return status, answer.replace(identifier.encode(), b"")

    def touched():
        for method, place in (("GET", ""), ("DELETE", ""), ("POST", "/cancel"), ("GET", "/input_items")):
            length = None if method == "GET" else 0
            said = []
            for name in (mine, unknown):
                status, _, answer = hub.ask(head(f"{path}/{name}{place}", method, length, token=other))
                said.append((status, answer.replace(name.encode(), b"")))
            if said[0][0] != 404 or said[0] != said[1]:
                return False

    def ended():
        hub.mock("chunkDelay", 400)
        first, second = hub.begin_stream(), hub.begin_stream(token=other)
        until(lambda: hub.metric("breeze_hub_streams") == [2.0])
        hub.command("apps", "revoke", "Tests")
        ends = drain(first), drain(second)
        return b"took back" in ends[0] and b'"error":' not in ends[1] and b"[DONE]" in ends[1]

    check("one goes on with one's own response", lambda: after(hub.key, mine)[0] == 200)
    check("another's response is as unknown as none", lambda: after(other, mine) == after(other, unknown))
    check("which is refused", lambda: after(other, mine)[0] == 400)
    check("another's response is not read, removed or cancelled", touched)
    check("another's response is still there", lambda: after(hub.key, mine)[0] == 200)
    check("what ends one app's answer leaves another's", ended)


def audit(hub):
    key = hub.app("Audited", "chat")
    app = json.loads(hub.command("apps", "--json"))["apps"][0]["id"]
    before = len(hub.audit("--limit", "1000")["entries"])

    def asks():
        hub.post("/v1/chat/completions", MARKED)
        hub.post("/v1/chat/completions", {**MARKED, "n": 2})
        drain(hub.begin_stream(MARKED))
        hub.post("/v1/chat/completions", {**MARKED, "model": "none"})
        hub.post("/v1/moderations", {"input": MARK})
        hub.ask(head("/v1/models"))
        hub.ask(head("/v1/models", token=key[:-4] + "aaaa"))
        hub.mock("chunkDelay", 3000)
        with hub.begin_stream(MARKED) as leaving:
            leaving.recv(10)
        until(lambda: hub.metric("breeze_hub_streams") == [0.0])
        hub.mock("chunkDelay", 0)

    def lines():
        asks()
        # What the hub knows is in the file half a second later.
        until(lambda: len(hub.audit("--limit", "1000")["entries"]) >= before + 9, 3, 0.2)
        found = hub.audit("--limit", "1000")["entries"][: -before or None]
        told = Counter((e["action"], e["who"], e["outcome"], e.get("error")) for e in found if e["action"] == "run")
        wanted = {
            ("run", "app", "stop", None): 4,
            ("run", "app", "error", "unknown_model"): 1,
            ("run", "app", "denied", "scope_denied"): 1,
            ("run", "app", "cancelled", "cancelled"): 1,
        }
        keyless = sum(e["count"] for e in found if e["action"] == "list" and e["outcome"] == "denied")
        if told != wanted or keyless != 2:
            raise ValueError(f"{keyless} without a key, {dict(told)}")

    def sizes():
        entries = hub.audit("--app", app, "--limit", "1000")["entries"]
        whole = [e for e in entries if e["action"] == "run" and e["outcome"] == "stop"]
        sizes = ("bytesIn", "bytesOut", "tokensIn", "tokensOut", "totalSeconds")
        empty = [size for size in sizes for entry in whole if entry[size] <= 0]
        # Two answers of one call have one body between them, and its bytes stand once.
        if len(whole) != 4 or sorted(empty) != ["bytesIn", "bytesOut"]:
            raise ValueError(f"{len(whole)} entries, without {sorted(empty)}")

    def without_content():
        said = hub.command("audit", "--json", "--limit", "1000")
        kept = said.encode() + b"".join(path.read_bytes() for path in (hub.home / "access").iterdir())
        return MARK.encode() not in kept and key.encode() not in kept

    def at_the_door():
        """What never reaches a route is refused in writing, too; floods of it are a few lines."""
        earlier, _ = denied()
        for _ in range(50):
            hub.ask(head("/v1/models", token=hub.key, host="evil.test"))
            hub.ask(head("/v1/models", token=hub.key, Origin="http://evil.test"))
        return until(lambda: denied()[0] >= earlier + 100 and denied()[1] < 60, 3, 0.2)

    def denied():
        found = [entry for entry in hub.audit("--limit", "1000")["entries"] if entry["outcome"] == "denied"]
        return sum(entry["count"] for entry in found), len(found)

    def flooded():
        earlier, _ = denied()
        for _ in range(300):
            hub.ask(head("/v1/models", token="brz_none"))
        return until(lambda: denied()[0] == earlier + 300, 3, 0.2) and denied()[1] < 60

    check("the audit has a line for each request", lines)
    check("the audit's lines have sizes", sizes)
    check("the audit has no content, and no key", without_content)
    check("a flood of wrong keys is a few lines", flooded)
    check("the audit has what was refused at the door", at_the_door)


def week(hub):
    """The lines that there are, one an hour for a week, as a clock would have written them."""
    file = hub.home / "access" / "access.sqlite"
    end = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)
    begin = end - timedelta(days=7)

    def spread():
        hub.send(15)
        hub.ended()
        store = sqlite3.connect(file)
        names = [row[1] for row in store.execute("PRAGMA table_info(audit)")]
        columns = ",".join(name for name in names if name not in ("id", "time"))
        store.execute("DELETE FROM audit WHERE id > (SELECT MIN(id) FROM audit)")
        for hour in range(168):
            milliseconds = int((begin + timedelta(hours=hour)).timestamp() * 1000)
            one = f"SELECT ?, {columns} FROM audit ORDER BY id LIMIT 1"
            store.execute(f"INSERT INTO audit (time, {columns}) {one}", (milliseconds,))
        store.execute("DELETE FROM audit WHERE id = (SELECT MIN(id) FROM audit)")
        store.commit()
        store.close()
        return True

    def paged():
        times, cursor = [], []
        while True:
            page = hub.audit("--limit", "50", "--since", stamp(begin), "--until", stamp(end), *cursor)
            times += [entry["time"] for entry in page["entries"]]
            if not page.get("next"):
                break
            cursor = ["--before", page["next"]]
        ordered = times == sorted(times, reverse=True) and times[-1][:13] == stamp(begin)[:13]
        return ordered and len(times) == len(set(times)) == 168

    def one_day():
        day = begin + timedelta(days=3)
        until_next = ["--until", stamp(day + timedelta(days=1)), "--limit", "1000"]
        return len(hub.audit("--since", stamp(day), *until_next)["entries"]) == 24

    def kept_so_long():
        hub.command("config", "set", "hub.auditDays", "2")
        hub.start()
        hub.status(head("/v1/models"))
        older = ["--until", stamp(end - timedelta(days=2))]
        return until(lambda: not hub.audit(*older)["entries"], 10, 0.2) and hub.audit()["entries"] != []

    check("a week of the audit is written", spread)
    check("a week of the audit as JSON, page by page", paged)
    check("a day of the audit", one_day)
    check("the audit is kept as long as it is to be", kept_so_long)


def stamp(moment):
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
