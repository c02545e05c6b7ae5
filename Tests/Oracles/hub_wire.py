"""Speaks to a hub over bare sockets, as clients do that mean no good or have gone, and prints what came.

usage: hub_wire.py PORT SOCKET KEY BREEZE

The hub has mocks, and BREEZE_HOME is its home: BREEZE changes its settings and apps. One JSON object a line.
"""
import json
import os
import socket
import subprocess
import sys
import time

import hub_process
from hub_process import QUESTION, check, read_answer as answer

port, local, key, breeze = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]


def program(*arguments):
    return subprocess.run([breeze, *arguments], check=True, capture_output=True, text=True).stdout


def mock(name, value):
    program("config", "set", f"runners.mock:llm.{name}", str(value))


def connect():
    connection = socket.create_connection(("127.0.0.1", port))
    connection.settimeout(20)
    return connection


def head(path, *rest, token=key, **fields):
    return hub_process.head(path, *rest, token=token, **fields)


def post(connection, body, path="/v1/chat/completions", **options):
    data = json.dumps(body).encode()
    connection.sendall(head(path, "POST", len(data), **options) + data)


def ask(raw):
    connection = connect()
    connection.sendall(raw)
    found = answer(connection)
    connection.close()
    return found


def status(raw):
    return ask(raw)[0]


def running():
    text = ask(head("/metrics"))[2].decode()
    return [line for line in text.splitlines() if line.startswith('breeze_requests_running{runner="mock:llm"}')]


def gone(streams, **settings):
    for name, value in settings.items():
        mock(name, value)
    connection = connect()
    post(connection, {**QUESTION, "stream": streams})
    limit = time.time() + 10
    while not running()[0].endswith(" 1") and time.time() < limit:
        time.sleep(0.02)
    connection.close()
    begun = time.time()
    while not running()[0].endswith(" 0"):
        if time.time() > begun + 10:
            return False
        time.sleep(0.005)
    for name in settings:
        mock(name, 0)
    return f"{(time.time() - begun) * 1000:.0f} ms"


def reused():
    connection = connect()
    for streams in (False, True, False):
        post(connection, {**QUESTION, "stream": streams})
        if answer(connection)[0] != 200:
            return False
    return True


def revoked():
    issued = json.loads(program("apps", "add", "Brief", "--allow", "chat", "--json"))
    mock("chunkDelay", 2000)
    connection = connect()
    limit = time.time() + 10
    while status(head("/v1/models", token=issued["key"])) != 200 and time.time() < limit:
        time.sleep(0.1)
    post(connection, {**QUESTION, "stream": True}, token=issued["key"])
    data = connection.recv(65536)
    program("apps", "revoke", "Brief")
    while not data.endswith(b"\r\n0\r\n\r\n"):
        part = connection.recv(65536)
        if not part:
            break
        data += part
    mock("chunkDelay", 0)
    return b"took back" in data and status(head("/v1/models", token=issued["key"])) == 403


def over_socket():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(local)
    connection.settimeout(20)
    connection.sendall(head("/v1/models", host="anything"))
    return answer(connection)[0] == 200 and oct(os.stat(local).st_mode & 0o777) == "0o600"


def tokens():
    found = json.loads(ask(head("/api/version", token=None))[2])
    return "version" in found


check("gone in the prefill, whole answer", lambda: gone(False, responseDelay=20000))
check("gone in the prefill, stream", lambda: gone(True, responseDelay=20000))
check("gone in the decode, whole answer", lambda: gone(False, chunkDelay=3000))
check("gone in the decode, stream", lambda: gone(True, chunkDelay=3000))
check("a connection is used again", reused)
check("revoked in the middle", revoked)
check("over the socket", over_socket)
check("healthz", lambda: status(head("/healthz", token=None)) == 200)
check("readyz", lambda: status(head("/readyz", token=None)) == 200)
check("metrics want a key", lambda: status(head("/metrics", token=None)) == 401)
check("version", tokens)
check("another host name", lambda: status(head("/v1/models", host="evil.test")) == 403)
check("a host name with our port", lambda: status(head("/v1/models", host=f"localhost:{port}")) == 200)
check("a name that begins as ours", lambda: status(head("/v1/models", host="localhost.evil.test")) == 403)
check("no host", lambda: status(b"GET /v1/models HTTP/1.1\r\n\r\n") in (400, 403))
check("a page of another origin", lambda: status(head("/v1/models", Origin="http://evil.test")) == 403)
check("a page of another port", lambda: status(head("/v1/models", Origin="http://localhost:1")) == 403)
check("a page without an origin", lambda: status(head("/v1/models", Sec_Fetch_Site="cross-site")) == 403)
check("no CORS unless listed", lambda: "access-control" not in ask(head("/v1/models", Origin="http://evil.test"))[1])
check("a path that is not there", lambda: ask(head("/v1/nothing"))[0] == 404 and b'"not_found"' in ask(head("/v1/nothing"))[2])
check("Ollama's shape of it", lambda: isinstance(json.loads(ask(head("/api/nothing"))[2])["error"], str))
check("an encoded body", lambda: status(head("/v1/chat/completions", "POST", 0, Content_Encoding="gzip")) in (400, 415))
check("a body too large", lambda: status(head("/v1/chat/completions", "POST", 1 << 40)) == 413)
check("no JSON", lambda: status(head("/v1/chat/completions", "POST", 1) + b"{") == 400)
check("deep JSON", lambda: status(head("/v1/chat/completions", "POST", 100000) + b"[" * 100000) == 400)
check("headers too large", lambda: status(head("/v1/models", X_Long="a" * 100000)) in (400, 431))
check("two lengths", lambda: status(b"POST /v1/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab") == 400)
check("length and chunks", lambda: status(b"POST /v1/models HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n") == 400)
check("a model's name as a path", lambda: status(head("/v1/models/..%2f..%2fetc%2fpasswd")) == 404)
check("nothing of it was kept open", lambda: running()[0].endswith(" 0"))
