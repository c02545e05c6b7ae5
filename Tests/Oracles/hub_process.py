"""A hub of its own for a check: the program, its home, and bare sockets to ask it by."""
import ctypes
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time

QUESTION = {"model": "mock-llm", "messages": [{"role": "user", "content": "hi"}]}


def check(name, body):
    """Prints one line of JSON for one check; `False` and an exception are failures."""
    begun = time.monotonic()
    try:
        detail = body()
        ok = detail is not False
    except Exception as error:
        ok, detail = False, f"{type(error).__name__}: {error}"
    line = {"name": name, "ok": ok, "detail": str(detail)[:400], "seconds": round(time.monotonic() - begun, 2)}
    print(json.dumps(line), flush=True)


def until(body, limit=10.0, pause=0.02):
    """Waits for a condition that another process brings about."""
    end = time.monotonic() + limit
    while time.monotonic() < end:
        found = body()
        if found:
            return found
        time.sleep(pause)
    return False


def head(path, method="GET", length=None, host="localhost", token=None, **fields):
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    if length is not None:
        lines.append(f"Content-Length: {length}")
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in fields.items()]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")


def read_answer(connection):
    """Status, header text and body of one answer; status 0 where the connection was closed without one."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return (0, "", data)
        data += part
    text, _, body = data.partition(b"\r\n\r\n")
    text = text.decode("latin-1").lower()
    if "transfer-encoding: chunked" in text:
        while not body.endswith(b"0\r\n\r\n"):
            part = connection.recv(65536)
            if not part:
                break
            body += part
    else:
        length = int(text.split("content-length: ")[1].split("\r\n")[0]) if "content-length: " in text else 0
        while len(body) < length:
            part = connection.recv(65536)
            if not part:
                break
            body += part
    return (int(text.split(" ")[1]), text, body)


class Hub:
    """A hub with mocks in a home of its own, ended and removed at the end of a `with`."""

    def __init__(self, program, *options, descriptors=None):
        """`descriptors` are the soft and the hard limit of its open files."""
        self.program, self.options, self.descriptors = program, options, descriptors
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="breeze-hub-"))
        self.home = self.folder / "home"
        self.environment = {**os.environ, "BREEZE_HOME": str(self.home), "HOME": str(self.folder)}
        # What Swift prints of a crash takes it longer than all checks.
        self.environment["SWIFT_BACKTRACE"] = "enable=no"
        self.local = str(self.folder / "hub.sock")
        self.process = None
        self.key = None
        self.tls = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self):
        options = list(self.options)
        if "--socket" not in options:
            options += ["--socket", self.local]
        self.log = open(self.folder / "log", "ab")
        self.process = subprocess.Popen(
            [self.program, "serve", "--mock", "--port", "0", "--json", *options],
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=self.log,
            preexec_fn=self.prepare,
        )
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"the hub did not start: {self.errors[-300:]}")
        self.place = json.loads(line)
        self.port = int(self.place["address"].rsplit(":", 1)[1])

    def prepare(self):
        # A hub does not outlive the checks, however they end (PR_SET_PDEATHSIG).
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
        if self.descriptors:
            resource.setrlimit(resource.RLIMIT_NOFILE, self.descriptors)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
        if self.process:
            self.process.wait()
            self.process.stdout.close()
            self.log.close()

    def send(self, number):
        self.process.send_signal(number)

    def ended(self):
        """Its exit code."""
        return self.process.wait(15)

    @property
    def errors(self):
        return (self.folder / "log").read_bytes().decode("utf-8", "replace")

    @property
    def resident(self):
        """Bytes of memory that the hub holds."""
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(text.split("VmRSS:")[1].split()[0]) * 1024

    def command(self, *arguments):
        done = self.attempt(*arguments)
        if done.returncode != 0:
            raise RuntimeError(f"{arguments}: {done.stderr[:200]}")
        return done.stdout

    def attempt(self, *arguments, home=None):
        """Runs the program beside the hub, in its home or in another one."""
        environment = self.environment if home is None else {**self.environment, "BREEZE_HOME": str(home)}
        return subprocess.run(
            [self.program, *arguments], env=environment, capture_output=True, text=True, timeout=10
        )

    def app(self, name="Tests", *allowed, models=False):
        """A new app's key, once the hub knows it; `models` lets it pull and remove them."""
        options = [word for capability in allowed or ("chat",) for word in ("--allow", capability)]
        options += ["--models"] if models else []
        issued = json.loads(self.command("apps", "add", name, "--json", *options))
        if not until(lambda: self.status(head("/v1/models", token=issued["key"])) == 200):
            raise RuntimeError("the key never counted")
        self.key = self.key or issued["key"]
        return issued["key"]

    def mock(self, name, value):
        self.command("config", "set", f"runners.mock:llm.{name}", str(value))

    def connect(self, source=None, timeout=20):
        connection = socket.create_connection(("127.0.0.1", self.port), source_address=source)
        connection.settimeout(timeout)
        return self.tls.wrap_socket(connection, server_hostname="localhost") if self.tls else connection

    def ask(self, raw, timeout=20):
        with self.connect(timeout=timeout) as connection:
            connection.sendall(raw)
            return read_answer(connection)

    def status(self, raw):
        return self.ask(raw)[0]

    def post(self, path, body, token=None, **fields):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.ask(head(path, "POST", len(data), token=token or self.key, **fields) + data)

    def begin_stream(self, body=QUESTION, token=None, receive=None):
        connection = socket.socket()
        if receive:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive)
        connection.settimeout(20)
        connection.connect(("127.0.0.1", self.port))
        data = json.dumps({**body, "stream": True}).encode()
        fields = head("/v1/chat/completions", "POST", len(data), token=token or self.key)
        connection.sendall(fields + data)
        return connection

    def metric(self, name):
        text = self.ask(head("/metrics", token=self.key))[2].decode()
        return [float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name)]

    def audit(self, *options):
        return json.loads(self.command("audit", "--json", *options))


def drain(connection):
    data = b""
    try:
        while part := connection.recv(65536):
            data += part
            if data.endswith(b"\r\n0\r\n\r\n"):
                break
    except OSError:
        pass
    return data
