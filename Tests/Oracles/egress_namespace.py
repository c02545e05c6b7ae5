"""Runs Breeze where every packet is seen, and holds its egress ledger against what the kernel sent.

usage: egress_namespace.py BREEZE       prints one JSON object a check: {"name", "ok", "detail"}
       egress_namespace.py --possible   exits 0 where this user may make such a place, else says why not

A network namespace stands for the device, another one for the world, a veth pair between them is the only way out, and
a packet socket in the device's sees each packet. Its own /etc/hosts, resolver and certificates lie over the system's
in a mount namespace. All of it is gone with its processes; no privilege is needed where user namespaces are allowed.
"""
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

from egress_kernel import Kernel
from egress_world import CDN, MODELS, NAMES, World

BLOB = 3_000_000
LARGE = 12_000_000


def ways():
    """As the user that may do anything in a user namespace of its own, or as root where those are not allowed."""
    return [["unshare", "--user", "--map-root-user"], ["unshare"]]


def possible():
    missing = [name for name in ("unshare", "ip", "mount", "openssl") if not shutil.which(name)]
    said = f"not installed: {', '.join(missing)}"
    for way in ways() if not missing else []:
        order = ["--net", "--mount", "ip", "link", "add", "name", "wire0", "type", "veth"]
        tried = subprocess.run(way + order, capture_output=True, text=True)
        if tried.returncode == 0:
            return way, ""
        said = tried.stderr.strip()
    return None, said


def check(name, body):
    try:
        detail = body()
        ok = detail is not False
    except Exception as error:
        ok, detail = False, f"{type(error).__name__}: {error}"
    print(json.dumps({"name": name, "ok": ok, "detail": str(detail)[:600]}), flush=True)


class Device:
    def __init__(self, breeze, folder, world):
        self.breeze, self.world = breeze, world
        home = os.path.join(folder, "home")
        os.makedirs(home)
        self.environment = {
            "BREEZE_HOME": home, "HOME": home, "HF_ENDPOINT": f"https://{MODELS}:8443", "HF_TOKEN": "hf_token",
            "PATH": os.environ["PATH"],
        }
        if "LD_LIBRARY_PATH" in os.environ:
            self.environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
        self.kernel = Kernel()
        self.told = set()

    def start(self, *arguments):
        return subprocess.Popen(
            [self.breeze, *arguments], env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=World.dies_with_parent,
        )

    def run(self, *arguments):
        child = self.start(*arguments)
        output, errors = child.communicate(timeout=60)
        return child.returncode, output, errors

    def well(self, *arguments):
        code, output, errors = self.run(*arguments)
        if code != 0:
            raise RuntimeError(f"breeze {' '.join(arguments)} ended with {code}: {errors}")
        return output

    def failure(self, *arguments):
        code, _, errors = self.run(*arguments)
        return json.loads(errors.strip().splitlines()[-1])["error"]["code"] if code else None

    def entries(self):
        """The ledger's since the last look, oldest first, read page by page by the program itself."""
        found, before = [], []
        while True:
            page = json.loads(self.well("egress", "--limit", "7", "--json", *before))
            found += page["entries"]
            if "next" not in page:
                break
            before = ["--before", page["next"]]
        new = [entry for entry in found if entry["id"] not in self.told]
        self.told |= {entry["id"] for entry in new}
        return new[::-1]


def compared(seen, entries):
    """What the kernel saw and what the ledger says are the same; a text that says how much it was, or an exception."""
    sent = [entry for entry in entries if entry["outcome"] != "refused"]
    places = {}
    for entry in sent:
        if entry["host"] in NAMES:
            places.setdefault((NAMES[entry["host"]], entry["port"]), []).append(entry)
    if set(places) != set(seen.connections):
        raise AssertionError(f"the kernel saw {sorted(seen.connections)}, the ledger says {sorted(places)}")
    for place, hops in places.items():
        connections = seen.connections[place]
        if not 1 <= len(connections) <= len(hops):
            raise AssertionError(f"{len(connections)} connections to {place} for {len(hops)} hops")
        for field, moved in (("bytesUp", seen.up[place]), ("bytesDown", seen.down[place])):
            said = sum(hop[field] for hop in hops)
            # A handshake each, 22 bytes a record of TLS, and what the client had not read when it was stopped.
            room = 8_192 * len(connections) + said // 50
            room += (1 << 22) * sum(hop["outcome"] == "stopped" for hop in hops)
            if any(hop["outcome"] == "failed" for hop in hops):
                said = 0
            if not said <= moved <= said + room:
                raise AssertionError(f"{place}: {field} is {said}, and {moved} bytes were seen")
    unknown = {entry["host"] for entry in sent} - set(NAMES)
    if seen.names != unknown or seen.stray:
        raise AssertionError(f"asked for {seen.names} instead of {unknown}, and sent {seen.stray}")
    count = sum(len(found) for found in seen.connections.values())
    return f"{count} connections to {len(places)} places, {len(sent)} hops, {sum(seen.down.values())} bytes"


def moved(device, *commands):
    """What the commands sent is in the ledger, and the other way round."""
    device.kernel.since()
    for command in commands:
        device.well(*command)
    return compared(device.kernel.since(), device.entries())


def failed(device, code, *command):
    device.kernel.since()
    if device.failure(*command) != code:
        return False
    entries = device.entries()
    if not entries or entries[-1]["outcome"] != "failed":
        return False
    return compared(device.kernel.since(), entries)


def hub_alone(device, port, key):
    """The hub's own suite of clients, and nothing goes out."""
    device.kernel.since()
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hub_clients.py")
    asked = subprocess.run(
        [sys.executable, script, f"http://127.0.0.1:{port}", key], env=device.environment, capture_output=True, text=True
    )
    checks = [json.loads(line) for line in asked.stdout.splitlines()]
    wrong = [found for found in checks if not found["ok"]]
    if asked.returncode or not checks or wrong:
        raise AssertionError(f"{asked.stderr[-200:]} {wrong}")
    seen = device.kernel.since()
    if seen.anything or seen.local != {port} or device.entries():
        raise AssertionError(f"{seen}")
    return f"{len(checks)} checks of clients, not a packet"


def stopped(device):
    """The switch in the middle of a download."""
    device.kernel.since()
    pulling = device.start("models", "pull", f"https://{MODELS}:8443/large", "--yes", "--name", "large", "--json")
    device.world.ask("/wait", path="/large", bytes=1_000_000)
    device.well("egress", "forbid")
    begun = time.monotonic()
    _, errors = pulling.communicate(timeout=60)
    took = time.monotonic() - begun
    code = json.loads(errors.strip().splitlines()[-1])["error"]["code"]
    entries = device.entries()
    last = entries[-1]
    if code != "egress_forbidden" or last["outcome"] != "stopped" or not 0 < last["bytesDown"] < LARGE or took > 5:
        raise AssertionError(f"{code} {last} after {took:.1f} s")
    return f"{took * 1000:.0f} ms; " + compared(device.kernel.since(), entries)


def forbidden(device, port, key):
    device.kernel.since()
    commands = [
        ["models", "search", "--online", "tiny"], ["models", "pull", "hf:org/tiny", "--yes"],
        ["models", "pull", f"https://{MODELS}:8443/file", "--yes"], ["models", "resume", "large"],
        ["models", "pull", "https://unknown.breeze.test/file", "--yes"],
    ]
    codes = [device.failure(*command) for command in commands]
    if codes != ["egress_forbidden"] * len(commands):
        raise AssertionError(f"{codes}")
    # Refused before there is a transport.
    if device.failure("secrets", "test", "huggingface") != "resource_unavailable":
        return False
    if not answered(device, port, key):
        return False
    seen, entries = device.kernel.since(), device.entries()
    refused = [entry for entry in entries if entry["outcome"] == "refused"]
    bytes = sum(entry["bytesUp"] + entry["bytesDown"] for entry in entries)
    if seen.anything or len(refused) != len(entries) or len(refused) < len(commands) or bytes:
        raise AssertionError(f"{seen} {entries}")
    return f"{len(refused)} refused, not a packet"


def answered(device, port, key):
    body = json.dumps({"model": "mock-llm", "messages": [{"role": "user", "content": "hi"}]})
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}/v1/chat/completions", body.encode(),
        {"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    try:
        return urllib.request.urlopen(request, timeout=20).status == 200
    except OSError:
        return False


def allowed(device):
    device.well("egress", "allow")
    device.world.script("/large", [{"seed": 2, "size": LARGE, "etag": '"1"'}])
    found = moved(device, ["models", "resume", "large"])
    status = device.world.ask("/log")[-1]["status"]
    return status == 206 and found


def inside(breeze):
    folder = tempfile.mkdtemp(prefix="breeze-egress-")
    hub = world = None
    try:
        world = World(folder, BLOB, LARGE)
        device = Device(breeze, folder, world)
        hub = device.start("serve", "--mock", "--port", "0", "--json", "--socket", os.path.join(folder, "s"))
        port = int(json.loads(hub.stdout.readline())["address"].rsplit(":", 1)[1].strip("/"))
        capabilities = ["chat", "embedding", "guardian", "vlm"]
        order = [word for name in capabilities for word in ("--allow", name)]
        key = json.loads(device.well("apps", "add", "Tests", "--json", *order))["key"]
        limit = time.monotonic() + 30
        while not answered(device, port, key) and time.monotonic() < limit:
            time.sleep(0.1)
        # The packet socket sees what goes out at all: what is not asked by Breeze is seen, too.
        check("the kernel is watched", lambda: watched(device))
        check("a hub and its clients", lambda: hub_alone(device, port, key))
        check("a search", lambda: moved(device, ["models", "search", "--online", "tiny"]))
        check("a key's test", lambda: moved(device, ["secrets", "test", "huggingface"]))
        pull = ["models", "pull", f"https://{MODELS}:8443/file", "--yes", "--name", "direct"]
        check("a download through a redirect", lambda: moved(device, pull))
        check("a model of several files", lambda: moved(device, ["models", "pull", "hf:org/tiny", "--yes"]))
        # Without --yes it ends before the download, which would try six times.
        nobody = ["models", "pull", f"https://{MODELS}:1/file"]
        check("nobody listens", lambda: failed(device, "terms_not_accepted", *nobody))
        unknown = ["models", "pull", "https://unknown.breeze.test/file"]
        check("a name that nobody knows", lambda: failed(device, "terms_not_accepted", *unknown))
        check("forbidden in the middle", lambda: stopped(device))
        check("forbidden before", lambda: forbidden(device, port, key))
        check("allowed again", lambda: allowed(device))
        check("nothing was missed", lambda: device.kernel.dropped() == 0)
    finally:
        for child in (hub, world and world.process):
            if child and child.poll() is None:
                child.send_signal(signal.SIGTERM)
                child.wait()
        shutil.rmtree(folder, ignore_errors=True)


def watched(device):
    device.kernel.since()
    with contextlib.suppress(ConnectionRefusedError):
        socket.create_connection((CDN, 7), 5)
    seen = device.kernel.since()
    return set(seen.connections) == {(NAMES[CDN], 7)} and not seen.stray


def main():
    if sys.argv[1] == "--inside":
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        return inside(sys.argv[2])
    way, reason = possible()
    if way is None:
        sys.exit(reason)
    if sys.argv[1] != "--possible":
        script = [sys.executable, os.path.abspath(__file__), "--inside", os.path.abspath(sys.argv[1])]
        os.execvp(way[0], way + ["--net", "--mount"] + script)


if __name__ == "__main__":
    main()
