"""The stub hub's state and the routes of `/breeze/v1` that the control panel uses."""

import math
import re
import secrets
import threading
import time

import panel_stub_data as data
import panel_stub_mail as mail

TICK = 0.1


class Fault(Exception):
    def __init__(self, status, code, message, remedy=None, **more):
        self.status = status
        self.body = {"error": {"message": message, "code": code, "remedy": remedy, **more}}


class Hub:
    def __init__(self):
        self.lock = threading.RLock()
        self.codes, self.tokens, self.listeners, self.log = set(), set(), [], []
        self.cancelled_chats = 0
        self.reset()

    def reset(self):
        self.mode, self.open, self.mock, self.forbidden = "normal", False, False, False
        self.models, self.found, self.runners = data.models(), data.found(), data.runners()
        self.settings, self.apps, self.pulls = data.settings(), data.apps(), data.pulls()
        self.scheme, self.mail = data.scheme(), mail.Mail()
        self.services, self.egress, self.audit = data.services(), data.egress(), data.audit()
        self.downloads, self.plans = {}, {}
        self.running = [
            {
                "requestID": "req-9001",
                "app": "Zed",
                "capability": "chat",
                "runner": "llama:qwen3-4b-instruct-q4_k_m",
                "model": "qwen3-4b-instruct-q4_k_m",
                "state": "running",
                "seconds": 4.2,
                "tokensPerSecond": 41.7,
                "firstChunk": 0.31,
            },
            {
                "requestID": "req-9002",
                "app": "Desktop Search",
                "capability": "embedding",
                "runner": "onnx:all-minilm-l6-v2",
                "state": "queued",
                "seconds": 0.4,
            },
        ]
        self.began = time.time()
        self.ticks = 0

    def tell(self, event, value):
        for listener in list(self.listeners):
            listener.put((event, value))

    def tick(self):
        with self.lock:
            self.ticks += 1
            for download in list(self.downloads.values()):
                if download["state"] == "running" and not self.forbidden:
                    self.advance(download)
            if work := self.mail.tick():
                self.tell("mail", work)
            if self.ticks % 10 == 0:
                self.tell("sample", self.sample())

    def advance(self, download):
        if download["stage"] == "discovery":
            download["stage"] = "download"
        elif download["stage"] == "download":
            step = download["total"] // 60
            download["received"] = min(download["total"], download["received"] + step)
            download["bytesPerSecond"] = step / TICK
            download["secondsLeft"] = (download["total"] - download["received"]) / (step / TICK)
            if download["received"] == download["total"]:
                download["stage"] = "validation"
        else:
            download["stage"] = download["state"] = "ready"
            plan = download["plan"]
            self.models.append(
                {
                    "id": plan["id"],
                    "format": "GGUF",
                    "size": plan["size"],
                    "state": "ready",
                    "capabilities": ["chat"],
                    "license": plan["license"],
                    "source": plan["source"],
                    "loaded": False,
                    "pinned": False,
                    "runners": [f"llama:{plan['id']}"],
                }
            )
            del self.downloads[plan["id"]]
        self.tell("download", self.public(download))

    def public(self, download):
        return {name: value for name, value in download.items() if name != "plan"}

    def sample(self):
        wave = (self.ticks // 10 * 37) % 23
        for each in self.running:
            each["seconds"] = round(each["seconds"] + 1, 1)
        return {
            "time": data.stamp(),
            "running": self.running,
            "queued": sum(r["state"] == "queued" for r in self.running),
            "memory": 3_328_000_000 + wave * 9_000_000,
            "temperature": "nominal",
            "tokensPerSecond": 31 + wave if self.running else 0,
        }

    def find(self, rows, key, value, name="id"):
        for row in rows:
            if row[name] == value:
                return row
        raise Fault(404, "not_found", f"There is no {key} “{value}”.", "Load the page again.")


HUB = Hub()
ROUTES = []


def route(method, pattern):
    expression = re.compile("/breeze/v1/" + re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", pattern) + "$")

    def add(function):
        ROUTES.append((method, expression, function))
        return function

    return add


@route("DELETE", "session")
def sign_out(call):
    HUB.tokens.discard(call.token)
    return {}


@route("GET", "status")
def status(call):
    used = sum(model.get("memory", 0) for model in HUB.models if model["loaded"])
    return {
        "version": "0.7.0",
        "uptime": 93_180 + time.time() - HUB.began,
        "address": call.origin,
        "mock": HUB.mock,
        "open": HUB.open,
        "egressForbidden": HUB.forbidden,
        "memory": {"resident": 52_400_000, "budget": 10 * data.GB, "used": used},
        "device": {"name": "workbench", "memory": 16 * data.GB, "cores": 8, "temperature": "nominal"},
        "waitingApps": sum(app["state"] == "waiting" for app in HUB.apps) + len(HUB.scheme["questions"]),
        "waitingPulls": len(HUB.pulls),
        "running": 1,
        "queued": 1,
    }


@route("GET", "models")
def models(call):
    return {
        "models": HUB.models,
        "downloads": [HUB.public(each) for each in HUB.downloads.values()],
        "disk": {
            "models": sum(model["size"] for model in HUB.models),
            "free": 118 * data.GB,
            "quota": 40 * data.GB,
        },
    }


@route("GET", "models/search")
def search(call):
    words = call.query.get("q", "").lower()
    every = call.query.get("all") == "1"
    rows = [row for row in HUB.found if words in row["name"].lower() or words in row["id"]]
    return {"models": [row for row in rows if every or row["fit"] != "tooLarge"]}


@route("POST", "models/plan")
def plan(call):
    row = next((each for each in HUB.found if each["reference"] == call.body["model"]), None)
    if row is None:
        raise Fault(
            404,
            "unknown_model",
            f"No source knows “{call.body['model']}”.",
            "Check the spelling, or search for it.",
        )
    if HUB.forbidden:
        raise Fault(
            409, "unavailable", "All outgoing connections are forbidden.", "Allow them on the page Privacy."
        )
    if row["gated"] and not HUB.find(HUB.services, "service", "huggingface", "name")["isSet"]:
        raise Fault(
            401,
            "auth_required",
            "Hugging Face gives this model only to people it knows.",
            "Make a token at huggingface.co/settings/tokens.",
            service="huggingface",
        )
    made = {
        "id": row["id"],
        "source": f"https://huggingface.co/{row['publisher'].replace(' ', '')}/{row['id']}",
        "size": row["size"],
        "license": row["license"],
        "gated": row["gated"],
        "fit": row["fit"],
        "reason": row["reason"],
        "publisher": row["publisher"],
        "files": [
            {"name": f"{row['id']}.gguf", "size": row["size"] - 11_400, "sha256": "9f" * 32},
            {"name": "LICENSE", "size": 11_400},
        ],
    }
    identifier = secrets.token_hex(6)
    HUB.plans[identifier] = made
    return {"plan": made, "planID": identifier}


@route("POST", "models/pull")
def pull(call):
    made, accept = HUB.plans[call.body["planID"]], call.body["accept"]
    limited = made["license"]["commercialUse"] == "forbidden"
    if not accept.get("terms") or (limited and not accept.get("noncommercial")):
        raise Fault(403, "terms_not_accepted", "The licence was not accepted.", "Accept it and try again.")
    begin(made)
    return {"id": made["id"]}


def begin(made):
    HUB.downloads[made["id"]] = {
        "id": made["id"],
        "stage": "discovery",
        "received": 0,
        "total": made["size"],
        "state": "running",
        "plan": made,
    }
    HUB.tell("download", HUB.public(HUB.downloads[made["id"]]))


@route("POST", "models/{id}/{verb}")
def model_verb(call, id, verb):
    if verb in ("pause", "resume", "cancel"):
        download = HUB.downloads.get(id)
        if download is None:
            raise Fault(404, "not_found", f"“{id}” is not being downloaded.", "Load the page again.")
        if verb == "cancel":
            del HUB.downloads[id]
        else:
            download["state"] = "paused" if verb == "pause" else "running"
            HUB.tell("download", HUB.public(download))
        return {}
    model = HUB.find(HUB.models, "model", id)
    if verb == "load" and call.body.get("runner") == "litert:all-minilm-l6-v2":
        raise Fault(503, "unavailable", "LiteRT is not installed.", "Fetch it: make setup")
    model.update(
        {
            "load": {"loaded": True},
            "unload": {"loaded": False},
            "pin": {"pinned": True},
            "unpin": {"pinned": False},
        }[verb]
    )
    return {}


@route("DELETE", "models/{id}")
def drop_model(call, id):
    model = HUB.find(HUB.models, "model", id)
    if id == "qwen3-4b-instruct-q4_k_m":
        raise Fault(
            409,
            "busy",
            f"{id} answers a request right now.",
            "End the request on the page Activity, or wait, and try again.",
        )
    HUB.models.remove(model)
    return {"freed": model["size"]}


@route("GET", "licenses")
def licenses(call):
    state = {
        "allowed": "approved",
        "conditions": "needs review",
        "forbidden": "forbidden",
        "unknown": "needs review",
    }
    return {
        "licenses": [
            {
                "model": model["id"],
                "license": model["license"],
                "source": model.get("source"),
                "text": data.APACHE_TEXT if model["license"] == data.APACHE else None,
                "status": state[model["license"]["commercialUse"]],
            }
            for model in HUB.models
        ]
    }


@route("GET", "runners")
def runners(call):
    return {"runners": HUB.runners}


@route("GET", "settings")
def settings(call):
    return {"settings": HUB.settings}


@route("PUT", "settings")
def put_setting(call):
    name, value = call.body["name"], call.body["value"]
    if name == "residency.keepAlive" and value > 86_400:
        raise Fault(
            400,
            "invalid_setting",
            "A model may stay idle for a day at most.",
            "Give at most 86400.",
            param=name,
        )
    row = described(name)
    row.update(value=value, source="file")
    return row


def described(name):
    if not name.startswith("runners."):
        return HUB.find(HUB.settings, "setting", name, "name")
    runner, _, parameter = name.removeprefix("runners.").rpartition(".")
    return HUB.find(HUB.find(HUB.runners, "runner", runner)["parameters"], "parameter", parameter, "name")


@route("DELETE", "settings/{name}")
def reset_setting(call, name):
    row = described(name)
    row.update(value=row["default"], source="default")
    return row


@route("GET", "apps")
def apps(call):
    return {"apps": HUB.apps, "open": HUB.open}


@route("POST", "apps/{id}/{verb}")
def app_verb(call, id, verb):
    app = HUB.find(HUB.apps, "app", id)
    if verb == "keys":
        made = {"id": "bk_" + secrets.token_hex(2), "created": data.stamp()}
        app["keys"].append(made)
        return {"key": f"{made['id']}.{secrets.token_urlsafe(32)}"}
    app["state"] = {"approve": "approved", "refuse": "refused", "revoke": "revoked"}[verb]
    app["decided"] = data.stamp()
    if verb == "approve":
        app.update(scopes=call.body["scopes"], quota=call.body.get("quota", {}))
        app.pop("expires", None)
        if call.body.get("expires"):
            app["expires"] = call.body["expires"]
    if verb == "revoke":
        app["keys"] = []
    HUB.tell("apps", {})
    return {}


@route("DELETE", "apps/{id}/keys/{key}")
def drop_key(call, id, key):
    app = HUB.find(HUB.apps, "app", id)
    app["keys"] = [each for each in app["keys"] if each["id"] != key]
    return {}


@route("GET", "scheme")
def scheme(call):
    return HUB.scheme


@route("POST", "scheme/questions/{id}")
def scheme_answer(call, id):
    question = HUB.find(HUB.scheme["questions"], "question", id)
    HUB.scheme["questions"].remove(question)
    if call.body["answer"] == "pair":
        app = {"id": "qk7lqbjjzrqh", "name": question["name"], "callback": question["callback"]}
        HUB.scheme["apps"].append({**app, "granted": question["asked"], "paired": data.stamp()})
    HUB.tell("apps", {})
    return {}


@route("POST", "scheme/apps/{id}/revoke")
def scheme_revoke(call, id):
    HUB.find(HUB.scheme["apps"], "app", id)["revoked"] = data.stamp()
    HUB.tell("apps", {})
    return {}


@route("DELETE", "scheme/apps/{id}")
def scheme_forget(call, id):
    HUB.scheme["apps"].remove(HUB.find(HUB.scheme["apps"], "app", id))
    return {}


@route("GET", "pulls")
def pulls(call):
    return {"pulls": HUB.pulls}


@route("POST", "pulls/{id}/{verb}")
def settle_pull(call, id, verb):
    row = HUB.find(HUB.pulls, "request", id)
    HUB.pulls.remove(row)
    if verb == "accept":
        begin({"id": row["model"], "size": row["size"], "license": row["license"], "source": row["source"]})
    return {}


@route("GET", "audit")
def audit(call):
    rows = [
        row
        for row in HUB.audit
        if call.query.get("app") in (None, row["app"]) and row["time"] >= call.query.get("since", "")
    ]
    begin_at, limit = int(call.query.get("cursor", 0)), int(call.query.get("limit", 50))
    page = {"entries": rows[begin_at : begin_at + limit]}
    return page | ({"next": str(begin_at + limit)} if len(rows) > begin_at + limit else {})


@route("GET", "egress")
def egress(call):
    return {"forbidden": HUB.forbidden, "connections": HUB.egress}


@route("PUT", "egress")
def forbid(call):
    HUB.forbidden = call.body["forbidden"]
    return {}


@route("GET", "secrets")
def services(call):
    return {"services": HUB.services}


@route("PUT", "secrets/{name}")
def put_secret(call, name):
    service = HUB.find(HUB.services, "service", name, "name")
    service.update(isSet=True, source="keyring", good="good" in "".join(call.body["fields"].values()))
    return {}


@route("DELETE", "secrets/{name}")
def drop_secret(call, name):
    HUB.find(HUB.services, "service", name, "name").update(isSet=False)
    return {}


@route("POST", "secrets/{name}/test")
def test_secret(call, name):
    service = HUB.find(HUB.services, "service", name, "name")
    if service.get("good", True):
        return {"ok": True, "message": f"{service['title']} takes this key: it belongs to “ada”."}
    return {"ok": False, "message": f"{service['title']} does not take this key."}


@route("POST", "requests/{id}/cancel")
def cancel(call, id):
    HUB.running = [each for each in HUB.running if each["requestID"] != id]
    HUB.tell("sample", HUB.sample())
    return {}


@route("GET", "history")
def history(call):
    hours, rows = float(call.query.get("hours", 1)), []
    for index in range(60):
        busy = max(0, round(7 + 5 * math.sin(index / 7) + 2 * math.sin(index * 1.7)))
        row = {
            "time": data.ago(minutes=hours * (60 - index)),
            "requests": busy,
            "tokens": busy * 310,
            "memory": 2_900_000_000 + busy * 60_000_000,
        }
        if busy > 2:
            row["firstChunk"] = 0.22 + busy / 40
        rows.append(row)
    return {"samples": rows}


EMPTY = {
    "models": {"models": [], "downloads": [], "disk": {"models": 0, "free": 118 * data.GB}},
    "models/search": {"models": []},
    "licenses": {"licenses": []},
    "runners": {"runners": []},
    "settings": {"settings": []},
    "apps": {"apps": [], "open": False},
    "scheme": {"questions": [], "apps": []},
    "pulls": {"pulls": []},
    "audit": {"entries": []},
    "egress": {"forbidden": False, "connections": []},
    "secrets": {"services": []},
    "history": {"samples": []},
    **mail.EMPTY,
}
mail.add(route, HUB, Fault)
