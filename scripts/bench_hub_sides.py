"""Who takes part in the benchmark of the hub: the hub and its peers as processes, the client, and the machine."""
import contextlib
import http.client
import json
import os
import pathlib
import resource
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time

from bench_program import Program, cpu_seconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")


def resident(process):
    """Bytes of a process in memory."""
    text = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True).stdout
    return int(text) * 1024


class Server:
    """A process that answers HTTP on loopback; `key` goes with every request."""

    def __init__(self, command, environment, key=None):
        self.key = key
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=environment)
        self.port = self.find_port()
        self.wait()
        self.start_seconds = time.monotonic() - self.began

    def find_port(self):
        """From the line that says where it listens."""
        line = self.process.stdout.readline()
        if not line:
            self.give_up()
        said = json.loads(line)
        return said.get("port") or int(said["address"].rsplit(":", 1)[1])

    def give_up(self):
        self.log.seek(0)
        sys.exit(f"{self.log.read()[-2000:]}bench: {self.process.args[0]} ended ({self.process.wait()})")

    def wait(self, path="/readyz"):
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", self.port)
                connection.request("GET", path)
                if connection.getresponse().status == 200:
                    return
            if self.process.poll() is not None:
                self.give_up()
            time.sleep(0.001)

    def request(self, path, body):
        """Its bytes, as the client sends them."""
        data = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nContent-Type: application/json\r\n"
        if self.key:
            head += f"Authorization: Bearer {self.key}\r\n"
        return f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data

    def ask(self, path, body):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.connect()
        connection.sock.sendall(self.request(path, body))
        answer = http.client.HTTPResponse(connection.sock)
        answer.begin()
        said = answer.read()
        if answer.status != 200:
            sys.exit(f"bench: {path} was answered with {answer.status}: {said[:500]}")
        return json.loads(said)

    @property
    def processes(self):
        return [self.process.pid]

    @property
    def resident(self):
        return resident(self.process.pid)

    @property
    def cpu_seconds(self):
        return cpu_seconds(*self.processes)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Hub(Server):
    """Breeze's hub, with mocks; the settings are those of this run alone."""

    def __init__(self, arguments, home, settings=None):
        command = [arguments.breeze, "serve", "--mock", "--port", "0", "--json", "--socket", "none"]
        command += [word for name, value in (settings or {}).items() for word in ("--set", f"{name}={value}")]
        super().__init__(command, home.environment, home.key)


class Bare(Server):
    def __init__(self, arguments):
        super().__init__([arguments.program, "server"], ENVIRONMENT)


class LlamaServer(Server):
    def __init__(self, arguments, file, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.free = free.getsockname()[1]
        command = [arguments.tools / "llama-server", "--model", file, "--port", str(self.free), "--host", "127.0.0.1"]
        command += ["--threads", str(os.cpu_count() or 1), "--parallel", "1", "--cache-ram", "0", "--no-webui"]
        super().__init__([*command, *options], ENVIRONMENT)

    def find_port(self):
        return self.free

    def wait(self):
        super().wait("/health")


class Engine:
    """The engine in the benchmark program, with the hub's home."""

    def __init__(self, arguments, home):
        self.program = Program(arguments.program, "engine", environment=home.environment)
        self.ask(kind="load", home=str(home.folder), workers=os.cpu_count() or 1)

    def ask(self, **command):
        return self.program.ask(**command)

    @property
    def processes(self):
        return [self.program.process.pid]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.program.end()


class Home:
    """A home with an encoder and two generated models in it, and an app that may ask for all of them."""

    def __init__(self, arguments, folder):
        self.breeze = arguments.breeze
        self.folder = folder / "home"
        self.environment = dict(ENVIRONMENT, BREEZE_HOME=str(self.folder))
        self.tiny, self.tiny_embedding = folder / "tiny.gguf", folder / "tiny-embedding.gguf"
        for name, file in (("tiny", self.tiny), ("tiny-embedding", self.tiny_embedding)):
            subprocess.run([arguments.program, "model", name, file], check=True)
        files = {"encoder": arguments.model, self.tiny: self.tiny, self.tiny_embedding: self.tiny_embedding}
        self.models = {name: self.imported(file) for name, file in files.items()}
        allowed = [word for name in ("chat", "embedding") for word in ("--allow", name)]
        self.key = self.run("apps", "add", "Benchmark", *allowed, "--json")["key"]

    def imported(self, file):
        """The id that it got."""
        return self.run("models", "import", file, "--json")["manifest"]["info"]["id"]

    def run(self, *arguments):
        done = subprocess.run([self.breeze, *arguments], env=self.environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{done.stderr}bench: breeze {arguments[0]} failed")
        return json.loads(done.stdout)

    def audited(self, capability):
        """Answers that the audit log holds."""
        with contextlib.closing(sqlite3.connect(self.folder / "access/access.sqlite")) as database:
            query = "SELECT sum(count) FROM audit WHERE capability = ? AND outcome = 'stop'"
            return database.execute(query, [capability]).fetchone()[0] or 0


class Client:
    """Our own, in C: it takes little of the machine that it shares with what it measures."""

    def __init__(self, folder):
        self.folder = folder
        self.program = folder / "hub_client"
        command = ["cc", "-O2", "-o", self.program, ROOT / "Benchmarks/hub_client.c"]
        built = subprocess.run(command, capture_output=True, text=True)
        if built.returncode:
            sys.exit(f"{built.stderr[-2000:]}bench: the client does not build")

    def load(self, server, requests, expected, connections, seconds):
        """As many requests as come back in so many seconds; each once where `seconds` is 0."""
        return self.run("load", server, requests, expected, connections, seconds)

    def stream(self, server, request, ends, connections, interval, spread):
        file = self.folder / "ends"
        file.write_text("\n".join(map(str, ends)))
        times = [round(seconds * 1e6) for seconds in (interval, spread)]
        return self.run("stream", server, [request], file, connections, *times)

    def run(self, kind, server, requests, *arguments):
        file = self.folder / "requests"
        file.write_bytes(b"".join(b"%d\n%s" % (len(request), request) for request in requests))
        command = [self.program, kind, str(server.port), file, *map(str, arguments)]
        before = server.cpu_seconds
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{done.stderr}bench: the client failed")
        return json.loads(done.stdout) | {"serverSeconds": server.cpu_seconds - before}


class Others:
    """The share of all cores that went to processes that are none of ours; `None` where the system does not tell."""

    def __init__(self, *sides):
        self.sides = sides
        self.share = None

    def ours(self):
        ended = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        live = sum(cpu_seconds(*side.processes) for side in self.sides)
        return live + sum(usage.ru_utime + usage.ru_stime for usage in ended)

    @staticmethod
    def everybody():
        try:
            fields = pathlib.Path("/proc/stat").read_text(encoding="ascii").split("\n", 1)[0].split()
        except OSError:
            return None
        user, nice, system, _, _, interrupts, soft, steal = map(int, fields[1:9])
        return (user + nice + system + interrupts + soft + steal) / os.sysconf("SC_CLK_TCK")

    def __enter__(self):
        self.before = (self.everybody(), self.ours(), time.monotonic())
        return self

    def __exit__(self, *_):
        everybody, ours, began = self.before
        if everybody is not None:
            used = (self.everybody() - everybody) - (self.ours() - ours)
            self.share = max(0.0, used / (time.monotonic() - began) / (os.cpu_count() or 1))
