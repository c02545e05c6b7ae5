"""Names, headers and bodies that mean no good: none of them reaches a file, a log line or the hub's memory."""
import base64
import json
import os
import re
import struct
import time
import urllib.parse
import zlib

from hub_process import QUESTION, Hub, check, head, read_answer

MARK = "SECRETPROMPT"
# Two commands to a terminal, one of them in the eight-bit form, a line end, and a character that turns text round.
EVIL = f"{MARK}\r\n2026-01-01 error breeze.hub: injected\x1b[2J\x9b31m\u202e"
PATHS = ["../../etc/passwd", "..%2f..%2fetc%2fpasswd", "/etc/passwd", "hf.co/../../x:y", "."]
NAMES = [*PATHS, "a\0b", "名\u202e前", EVIL]
LONG = "a" * 300_000
TURNS = QUESTION["messages"]
ROUTES = {
    "/v1/chat/completions": {"messages": TURNS},
    "/v1/completions": {"prompt": MARK},
    "/v1/responses": {"input": MARK},
    "/v1/embeddings": {"input": MARK},
    "/v1/rerank": {"query": MARK, "documents": [MARK]},
    "/v1/tokenize": {"content": MARK},
    "/v1/detokenize": {"tokens": [1]},
    "/v1/audio/speech": {"input": MARK, "voice": "a"},
    "/api/chat": {"messages": TURNS},
    "/api/generate": {"prompt": MARK},
    "/api/embed": {"input": MARK},
    "/api/embeddings": {"prompt": MARK},
    "/api/show": {},
    "/api/pull": {"stream": False},
}


def run(program, soak):
    with Hub(program, "--set", "log.level=debug") as hub:
        hub.app("Tests", "chat", "embedding", "rerank", "vlm", "guardian", models=True)
        names(hub)
        bodies(hub)
        pictures(hub)
        logs(hub)
    numbers(program)


def names(hub):
    before = sorted(path for path, _, _ in os.walk(hub.folder))

    def refused(path, body, name):
        status, _, answer = hub.post(path, {**body, "model": name})
        good = 400 <= status < 500 and len(answer) < 2_000 and b"root:" not in answer
        if not good:
            raise ValueError(f"{path} {name[:40]!r}: {status}, {len(answer)} bytes, {answer[:80]!r}")

    def on(path, body):
        for name in NAMES:
            refused(path, body, name)

    for path, body in ROUTES.items():
        check(f"names that are paths: {path}", lambda: on(path, body))
        check(f"a very long name: {path}", lambda: refused(path, body, LONG))

    def in_address():
        for name in NAMES:
            quoted = urllib.parse.quote(name, safe="")
            status, _, answer = hub.ask(head(f"/v1/models/{quoted}", token=hub.key))
            if status not in (400, 404) or len(answer) > 2_000:
                return False

    def moved():
        for path, method in (("/api/copy", "POST"), ("/api/delete", "DELETE")):
            for name in NAMES:
                data = json.dumps({"model": name, "source": name, "destination": name}).encode()
                status = hub.status(head(path, method, len(data), token=hub.key) + data)
                if not 400 <= status < 500:
                    return False

    def at_once():
        begun = time.monotonic()
        hub.post("/api/show", {"model": LONG})
        return time.monotonic() - begun < 1 and f"{time.monotonic() - begun:.2f} s"

    check("names that are paths: /v1/models/:id", in_address)
    check("names that are paths: copying and deleting", moved)
    check("a very long name is refused at once", at_once)
    check("no name became a folder", lambda: before == sorted(path for path, _, _ in os.walk(hub.folder)))


def bodies(hub):
    bomb = zlib.compress(b" " * 50_000_000)

    def packed(encoding):
        before = hub.resident
        status = hub.post("/v1/chat/completions", bomb, Content_Encoding=encoding)[0]
        return status in (400, 415) and hub.resident - before < 32 << 20

    def large_unknown():
        """Nobody's body is kept before it is known whose it is."""
        before = hub.resident
        clients = [hub.connect(timeout=2) for _ in range(8)]
        for client in clients:
            try:
                client.sendall(head("/v1/chat/completions", "POST", 60 << 20) + b" " * (8 << 20))
            except OSError:
                pass  # It need not be read, either.
        grown = hub.resident - before
        for client in clients:
            client.close()
        return grown < 32 << 20 and f"{grown >> 20} MiB"

    def chunk_size():
        fields = head("/v1/chat/completions", "POST", token=hub.key, Transfer_Encoding="chunked")
        return hub.status(fields + b"FFFFFFFFFFFFFFFFF\r\n") == 400

    def waits_for_leave():
        data = json.dumps(QUESTION).encode()
        with hub.connect(timeout=2) as connection:
            fields = head("/v1/chat/completions", "POST", len(data), token=hub.key, Expect="100-continue")
            connection.sendall(fields)
            return connection.recv(100).startswith(b"HTTP/1.1 100") and b"200" in after(connection, data)

    def after(connection, data):
        connection.sendall(data)
        return connection.recv(100)

    def swallowed():
        """What is refused for its size is not read all the same."""
        with hub.connect(timeout=5) as connection:
            connection.sendall(head("/v1/chat/completions", "POST", 1 << 40, token=hub.key))
            if read_answer(connection)[0] != 413:
                return False
            try:
                for _ in range(64):
                    connection.sendall(b" " * (1 << 20))
            except OSError:
                return True
            return False

    def two_hosts():
        return hub.status(head("/v1/models", token=hub.key, **{"HOST": "evil.test"})) == 400

    for encoding in ("gzip", "deflate", "br", "zstd", "gzip, identity"):
        check(f"a packed body: {encoding}", lambda: packed(encoding))
    check("a large body without a key is not kept", large_unknown)
    keyless = head("/v1/chat/completions", "POST", 1) + b"{"
    check("a key is asked for before the body", lambda: hub.status(keyless) == 401)
    check("the size of a chunk overflows", chunk_size)
    check("a client that waits for leave to send gets it", waits_for_leave)
    check("a body that was refused is not read to its end", swallowed)
    check("two host names", two_hosts)
    check("headers with control characters", lambda: hub.status(head("/healthz", User_Agent="a\x1b[2J")) == 400)


def png(width, height, size):
    def part(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    shape = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" * size)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", shape) + part(b"IDAT", pixels) + part(b"IEND", b"")


def pictures(hub):
    def asked(data, kind="image/png"):
        url = f"data:{kind};base64," + base64.b64encode(data).decode()
        content = [{"type": "text", "text": MARK}, {"type": "image_url", "image_url": {"url": url}}]
        turns = [{"role": "user", "content": content}]
        return hub.post("/v1/chat/completions", {"model": "mock-vlm", "messages": turns})

    def bombed():
        """A mock looks at the head of a picture alone; the hub itself must not unpack it."""
        before = hub.resident
        answers = [asked(png(65_535, 65_535, 100_000_000))[0], asked(png(2**32 - 1, 2**32 - 1, 10))[0]]
        return set(answers) <= {200, 400, 413} and hub.resident - before < 32 << 20

    def addresses():
        for url in ("file:///etc/passwd", "/etc/passwd", "http://127.0.0.1/", "data:text/plain,root:"):
            content = [{"type": "image_url", "image_url": {"url": url}}]
            asked = {"model": "mock-vlm", "messages": [{"role": "user", "content": content}]}
            status, _, answer = hub.post("/v1/chat/completions", asked)
            if status != 400 or b"daemon" in answer:
                return False

    check("a picture is seen", lambda: b"10 \xc3\x97 20" in asked(png(10, 20, 610))[2])
    check("a picture that unpacks to gigabytes", bombed)
    check("a picture by its address", addresses)
    check("no picture", lambda: asked(b"<svg/>", "image/svg+xml")[0] == 400)


def logs(hub):
    turns = [{"role": "user", "content": EVIL}]
    hub.post("/v1/chat/completions", {"model": "mock-llm", "messages": turns})
    hub.post("/v1/chat/completions", {"model": "mock-llm", "messages": turns, EVIL: 1, "user": EVIL})
    hub.post("/v1/chat/completions", {"model": "mock-llm", "messages": turns, "response_format": {"type": EVIL}})
    for field in ("User_Agent", "X_Breeze_Runner", "X_Breeze_Privacy", "X_Request_Id", "Origin"):
        hub.post("/v1/chat/completions", {"model": "mock-llm", "messages": turns}, **{field: f"{MARK}\u009b2J\u202e"})
    hub.ask(head(f"/{MARK}%0d%0a%1b%5b2J%c2%9b", token=hub.key))
    hub.ask(head("/v1/models", host=f"{MARK}\u009b2J"))
    hub.ask(head("/v1/models", token=f"brz_{MARK}\u009b2J"))

    def clean():
        """What the hub writes at its most talkative: lines of its own, without a word of a request."""
        lines = hub.errors.splitlines()
        seen = r"[^\x00-\x1f\x7f-\x9f\u202e]*"
        form = re.compile(rf"\d{{4}}-\d\d-\d\dT[\d:.]+\S* [a-z]+ breeze[\w.]*: \[\w+\] {seen}")
        odd = [line for line in lines if not form.fullmatch(line) or "injected" in line or MARK in line]
        return not odd and lines != [] and f"{len(lines)} lines"

    def app_names():
        for name in ("a\nb", "a\x1b[2J", "a\u202eb", "a\u009b2J", ""):
            if hub.attempt("apps", "add", name, "--allow", "chat").returncode == 0:
                return False

    check("the log has neither prompts nor what was sent to break it", clean)
    check("an app's name is text that is seen", app_names)


def numbers(program):
    """Sums that the hub makes of what a client says."""
    with Hub(program) as hub:
        hub.app("Tests", "chat", "guardian")

        def most():
            asked = {**QUESTION, "max_tokens": 2**63 - 1}
            statuses = [hub.post("/v1/chat/completions", {**asked, "n": n})[0] for n in (1, 2)]
            return set(statuses) <= {200, 400, 429} and statuses

        check("as many tokens as there are numbers", most)
        check("the hub is still there", lambda: hub.status(head("/healthz")) == 200)
    with Hub(program) as hub:
        first, other = hub.app("Tests", "guardian"), hub.app("Other", "chat")

        def crowd():
            many = json.dumps({"input": ["x"] * 20_000}).encode()
            with hub.connect() as connection:
                connection.sendall(head("/v1/moderations", "POST", len(many), token=first) + many)
                begun, statuses = time.monotonic(), set()
                while time.monotonic() < begun + 3:
                    statuses.add(hub.post("/v1/chat/completions", QUESTION, token=other)[0])
                return statuses == {200}

        check("one app's many texts leave room for another app", crowd)
