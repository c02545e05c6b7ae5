"""The other end of a device's only wire: a network namespace with the fault server in it, under names and certificates
that count in this mount namespace alone.

usage: egress_world.py FOLDER   after `unshare --net`; see World, which starts it
"""
import asyncio
import contextlib
import ctypes
import hashlib
import json
import os
import signal
import ssl
import subprocess
import sys

from fault_server import Server

MODELS, CDN = "models.breeze.test", "cdn.breeze.test"
NAMES = {MODELS: "10.77.0.2", CDN: "10.77.0.3"}
DEVICE = "10.77.0.1"
BUNDLES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"]


def call(line):
    done = subprocess.run(line.split(), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{line}: {done.stderr.strip()}")


class World:
    """Seen from the device: brings up the wire and the files that name and vouch for what is at its other end."""

    def __init__(self, folder, blob, large):
        self.certificate(folder)
        self.cover(folder)
        self.process = subprocess.Popen(
            ["unshare", "--net", sys.executable, os.path.abspath(__file__), folder], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, preexec_fn=self.dies_with_parent,
        )
        self.process.stdout.readline()
        call("ip link set lo up")
        call(f"ip link add device0 type veth peer name world0 netns {self.process.pid}")
        call(f"ip addr add {DEVICE}/24 dev device0")
        call("ip link set device0 addrgenmode none up")
        call(f"ip route add default via {NAMES[MODELS]}")
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.process.stdout.readline()
        self.publish(blob, large)

    @staticmethod
    def dies_with_parent():
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)

    @staticmethod
    def certificate(folder):
        key, certificate = os.path.join(folder, "key.pem"), os.path.join(folder, "ca.pem")
        names = ",".join(f"DNS:{name}" for name in NAMES)
        call(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
            f"-subj /CN={MODELS} -addext subjectAltName={names} -keyout {key} -out {certificate}"
        )

    @staticmethod
    def cover(folder):
        hosts = "127.0.0.1 localhost\n" + "".join(f"{address} {name}\n" for name, address in NAMES.items())
        files = {
            "/etc/hosts": hosts,
            # Nobody listens there: a question is answered at once by an error.
            "/etc/resolv.conf": f"nameserver {NAMES[MODELS]}\noptions attempts:1 timeout:1\n",
            "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
        }
        for number, (path, text) in enumerate(files.items()):
            mine = os.path.join(folder, f"etc{number}")
            with open(mine, "w") as file:
                file.write(text)
            call(f"mount --bind {mine} {path}")
        bundle = next(path for path in BUNDLES if os.path.exists(path))
        call(f"mount --bind {os.path.join(folder, 'ca.pem')} {bundle}")

    def ask(self, command, content="", **values):
        self.process.stdin.write(json.dumps([command, values, content]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def script(self, path, steps):
        self.ask("/script", json.dumps({"path": path, "steps": steps}))

    def publish(self, blob, large):
        there = f"https://{CDN}:9443/blob"
        self.script("/file", [{"status": 302, "headers": {"Location": there}, "text": ""}])
        self.script("/blob", [{"seed": 1, "size": blob}])
        self.script("/large", [{"seed": 2, "size": large, "etag": '"1"', "piece": 1 << 15, "pause": 0.02}])
        self.script("/api/models", [{"text": json.dumps([{"id": "org/tiny", "downloads": 7}])}])
        self.script("/api/whoami-v2", [{"text": json.dumps({"type": "user", "name": "ann", "orgs": []})}])
        files = {name: f"{name} of tiny".encode() * 1_000 for name in ("config.json", "model.safetensors")}
        repository = {
            "id": "org/tiny", "sha": "1" * 40, "cardData": {"license": "mit"},
            "siblings": [
                {"rfilename": name, "size": len(data), "lfs": {
                    "sha256": hashlib.sha256(data).hexdigest(), "size": len(data),
                }}
                for name, data in files.items()
            ],
        }
        self.script("/api/models/org/tiny/revision/main", [{"text": json.dumps(repository)}])
        for name, data in files.items():
            self.script(f"/org/tiny/resolve/{'1' * 40}/{name}", [{"text": data.decode()}])


async def main(folder):
    """The world's side: says that it is there, waits for its wire, serves, and does what its input says."""
    print("there", flush=True)
    sys.stdin.readline()
    for address in NAMES.values():
        call(f"ip addr add {address}/24 dev world0")
    call("ip link set world0 addrgenmode none up")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "ca.pem"), os.path.join(folder, "key.pem"))
    server = Server()
    for address, port in ((NAMES[MODELS], 8443), (NAMES[CDN], 9443)):
        await asyncio.start_server(
            lambda reader, writer: server.serve("https", reader, writer), address, port, ssl=context
        )
    orders = asyncio.StreamReader(limit=1 << 20)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    print("up", flush=True)
    with contextlib.suppress(ValueError):
        while line := await orders.readline():
            path, values, content = json.loads(line)
            answer = await server.command(path, {key: str(value) for key, value in values.items()}, content)
            print(json.dumps(answer), flush=True)
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
