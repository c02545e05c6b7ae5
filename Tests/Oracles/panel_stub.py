"""A hub in memory for the tests of the control panel: the same routes, made-up data, and the panel's own files under
the policy that the real hub sends.

The first line of standard output is JSON: {"url": ORIGIN, "code": CODE of the first link}. It ends with SIGTERM.

GET  /stub/code              a new code for a link
GET  /stub/log               what was asked, and how many chats were cancelled
POST /stub   {"reset": true} everything as at the beginning, the modes included
             {"mode": "normal" | "slow" | "error" | "empty" | "gone"}
             {"open": bool, "mock": bool}
             {"hostile": true}       an app and a model whose names are attacks
             {"mail": "none" | "no encoder" | "unjudged" | "waits"}
             {"expire": true}        all tokens count no more
"""

import argparse
import http.server
import json
import mimetypes
import pathlib
import queue
import re
import secrets
import signal
import socket
import threading
import time
import urllib.parse

import panel_stub_data as data
from panel_stub_hub import EMPTY, HUB, ROUTES, TICK, Fault

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; "
    "img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    panel = None

    def log_message(self, *_):
        pass

    def __getattr__(self, name):
        if name.startswith("do_"):
            return self.answer
        raise AttributeError(name)

    def answer(self):
        try:
            self.dispatch()
        except Fault as fault:
            self.json(fault.body, fault.status)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def dispatch(self):
        address = urllib.parse.urlsplit(self.path)
        self.query = dict(urllib.parse.parse_qsl(address.query))
        self.origin = f"http://{self.headers['host']}"
        length = int(self.headers.get("content-length", 0))
        raw = self.rfile.read(length)
        self.body = json.loads(raw) if raw else {}
        self.token = (self.headers.get("authorization") or "").removeprefix("Bearer ")
        path = address.path
        if path.startswith("/stub"):
            return self.steer(path)
        if HUB.mode == "gone":
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return None
        if self.command == "GET" and not path.startswith(("/breeze/", "/v1/")):
            return self.file(path)
        return self.api(path)

    def api(self, path):
        with HUB.lock:
            HUB.log.append(f"{self.command} {path}")
        if (self.command, path) == ("POST", "/breeze/v1/session"):
            return self.sign_in()
        if (self.command, path) == ("POST", "/breeze/v1/apps"):
            return self.json(self.register(), 201)
        if self.token not in HUB.tokens:
            raise Fault(
                401, "invalid_key", "The panel's session has ended.", "Ask for a new link: `breeze panel`"
            )
        if path == "/breeze/v1/events":
            return self.events()
        if HUB.mode == "slow":
            time.sleep(1.2)
        if HUB.mode == "error" and path != "/breeze/v1/status":
            raise Fault(
                500,
                "internal_error",
                "The hub's database cannot be read.",
                "See what is wrong: `breeze doctor`",
            )
        if path == "/v1/models":
            ready = [model for model in HUB.models if "chat" in model["capabilities"]]
            return self.json(
                {
                    "object": "list",
                    "data": (
                        [] if HUB.mode == "empty" else [{"id": m["id"], "object": "model"} for m in ready]
                    ),
                }
            )
        if path == "/v1/chat/completions":
            return self.chat()
        name = path.removeprefix("/breeze/v1/")
        if HUB.mode == "empty" and self.command == "GET" and name in EMPTY:
            return self.json(EMPTY[name])
        for method, expression, function in ROUTES:
            match = expression.match(path)
            if match and method == self.command:
                with HUB.lock:
                    parts = {key: urllib.parse.unquote(value) for key, value in match.groupdict().items()}
                    return self.json(function(self, **parts))
        raise Fault(404, "not_found", f"There is no {self.command} {path}.")

    def sign_in(self):
        if self.body.get("code") not in HUB.codes:
            raise Fault(
                401,
                "invalid_key",
                "This link was used already, or is older than a minute.",
                "Ask for a new one: `breeze panel`",
            )
        HUB.codes.discard(self.body["code"])
        token = secrets.token_urlsafe(32)
        HUB.tokens.add(token)
        return self.json({"token": token, "expires": data.ago(hours=-12)})

    def register(self):
        made = {
            "id": "app-" + secrets.token_hex(3),
            "name": self.body["name"],
            "state": "waiting",
            "asked": self.body["capabilities"],
            "scopes": {},
            "quota": {},
            "used": {"requests": 0, "tokens": 0, "computeMinutes": 0},
            "created": data.stamp(),
            "keys": [],
        }
        if self.body.get("icon"):
            made["icon"] = self.body["icon"]
        made["keys"].append({"id": "bk_" + secrets.token_hex(2), "created": data.stamp()})
        HUB.apps.append(made)
        HUB.tell("apps", {})
        key = f"brz_{made['keys'][0]['id']}_{secrets.token_urlsafe(32)}"
        return {"id": made["id"], "state": "waiting", "key": key}

    def steer(self, path):
        if path == "/stub/code":
            code = secrets.token_urlsafe(9)
            HUB.codes.add(code)
            return self.json({"code": code})
        if path == "/stub/log":
            return self.json({"asked": HUB.log, "cancelledChats": HUB.cancelled_chats})
        with HUB.lock:
            if self.body.get("reset"):
                HUB.reset()
            HUB.mode = self.body.get("mode", HUB.mode)
            HUB.open, HUB.mock = self.body.get("open", HUB.open), self.body.get("mock", HUB.mock)
            if self.body.get("mail") == "none":
                HUB.mail.is_indexed = HUB.mail.verdicts.is_judged = False
            if self.body.get("mail") == "no encoder":
                HUB.mail.encoder, HUB.mail.verdicts.has_encoder = data.NO_ENCODER, False
            if self.body.get("mail") in ("unjudged", "waits"):
                HUB.mail.verdicts.is_judged = False
            if self.body.get("mail") == "waits":
                HUB.mail.work |= {"stage": "judging", "judging": {**data.WAITS, "done": 31, "total": 172}}
            if self.body.get("expire"):
                HUB.tokens.clear()
            if self.body.get("hostile"):
                HUB.apps.append(
                    {**data.apps()[0], "id": "app-evil", "name": data.HOSTILE_NAME, "icon": data.HOSTILE_ICON}
                )
                HUB.models.append({**data.models()[1], "id": data.HOSTILE_NAME})
            if HUB.mode == "gone":
                HUB.tell("close", {})
        return self.json({})

    def file(self, path):
        name = "index.html" if path == "/" else path.lstrip("/")
        file = self.panel / name
        if "/" in name or not file.is_file():
            raise Fault(404, "not_found", f"There is no {path}.")
        content = file.read_bytes()
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        self.send_response(200)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-security-policy", POLICY)
        self.send_header("x-content-type-options", "nosniff")
        self.send_header("cache-control", "no-cache")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def json(self, value, status=200):
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def stream(self):
        self.close_connection = True
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("connection", "close")
        self.end_headers()

    def events(self):
        self.stream()
        mine = queue.Queue()
        HUB.listeners.append(mine)
        try:
            self.emit("sample", HUB.sample())
            while True:
                event, value = mine.get()
                if event == "close":
                    return
                self.emit(event, value)
        finally:
            HUB.listeners.remove(mine)

    def emit(self, event, value):
        self.wfile.write(f"event: {event}\ndata: {json.dumps(value)}\n\n".encode())
        self.wfile.flush()

    def chunk(self, **fields):
        self.wfile.write(f"data: {json.dumps(fields)}\n\n".encode())
        self.wfile.flush()

    def chat(self):
        content = self.body["messages"][-1]["content"]
        text = content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
        images = [] if isinstance(content, str) else [part for part in content if part["type"] == "image_url"]
        if "key please" in text:
            service = HUB.find(HUB.services, "service", "huggingface", "name")
            if not service["isSet"]:
                raise Fault(
                    401, "auth_required", "This runner needs a key for Hugging Face.", service="huggingface"
                )
        if "fail now" in text:
            raise Fault(429, "busy", "Every place in the queue is taken.", "Try again in 4 seconds.")
        self.stream()
        answer = data.HOSTILE if "attack" in text else data.ANSWER
        if "long" in text:
            answer = " ".join(f"word{index}" for index in range(4000))
        if images:
            answer = f"I see {len(images)} image of type {images[0]['image_url']['url'].split(';')[0]}."
        try:
            if "think" in text:
                for word in "First I weigh what was asked.".split():
                    self.chunk(choices=[{"index": 0, "delta": {"reasoning_content": word + " "}}])
            for index, word in enumerate(re.findall(r"\S+\s*", answer)):
                if "break" in text and index == 12:
                    return
                self.chunk(choices=[{"index": 0, "delta": {"content": word}}])
                time.sleep(0.02 if "long" in text else 0.006)
        except (BrokenPipeError, ConnectionResetError):
            HUB.cancelled_chats += 1
            return
        self.chunk(choices=[{"index": 0, "delta": {}, "finish_reason": "stop"}])
        self.chunk(choices=[], breeze=self.account())
        self.wfile.write(b"data: [DONE]\n\n")

    def account(self):
        model = self.body["model"]
        only = self.headers.get("x-breeze-privacy") == "on-device"
        return {
            "request_id": "req-1",
            "runner": f"llama:{model}",
            "runtime": "llama.cpp",
            "model": model,
            "mock": HUB.mock,
            "routing": {
                "capability": "chat",
                "chosen": f"llama:{model}",
                "failures": [],
                "candidates": [
                    {
                        "runner": f"llama:{model}",
                        "locality": "onDevice",
                        "score": 1110,
                        "reasons": [
                            "the request names its model",
                            "it runs on the device",
                            "it is loaded already",
                        ],
                    },
                    {
                        "runner": "llama:gemma-3-4b-it-q4_0",
                        "locality": "onDevice",
                        "score": 0,
                        "exclusion": "not_named",
                        "reasons": ["the request names another model"],
                    },
                    {
                        "runner": "openrouter",
                        "locality": "network",
                        "score": 0,
                        "exclusion": "pinned_to_device" if only else "no_consent",
                        "reasons": ["the request stays on the device" if only else "nobody consented to it"],
                        "remedy": None if only else "breeze config set privacy.consent openrouter",
                    },
                ],
            },
            "guardian": [{"action": "allow", "stage": "input", "findings": []}],
            "timings": {
                "queue": 0.002,
                "load": 0,
                "firstChunk": 0.31,
                "run": 4.1,
                "total": 4.4,
                "tokensPerSecond": 42.3,
            },
            "notices": [],
            "ignored": [],
        }


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--panel", type=pathlib.Path, required=True, help="the folder with the panel's files")
    arguments = parser.parse_args()
    Handler.panel = arguments.panel
    server = Server(("127.0.0.1", arguments.port), Handler)
    signal.signal(signal.SIGTERM, lambda *_: threading.Thread(target=server.shutdown).start())
    code = secrets.token_urlsafe(9)
    HUB.codes.add(code)
    print(json.dumps({"url": f"http://127.0.0.1:{server.server_port}", "code": code}), flush=True)

    def clock():
        while True:
            time.sleep(TICK)
            HUB.tick()

    threading.Thread(target=clock, daemon=True).start()
    server.serve_forever(poll_interval=0.05)


if __name__ == "__main__":
    main()
