"""A real hub in a home of its own, with mocks, and a download server that does what the steps need of it."""

import base64
import contextlib
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
ENCODER = "all-minilm-l6-v2"


class Hub:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="breeze-panel-")
        self.token = None
        # What steps leave behind for those after them, as an owner's day does.
        self.keys = {}
        cache = os.environ.get("BREEZE_CACHE") or os.path.join(
            os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "breeze"
        )
        # What the person who runs this has set of Breeze's settings is left out; one of them is the test's.
        kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
        self.environment = kept | {
            "HOME": self.folder,
            "BREEZE_HOME": self.folder,
            "BREEZE_CACHE": cache,
            "BREEZE_LOG_LEVEL": "warning",
        }
        self.processes = []
        try:
            source = os.path.join(cache, "models-src", ENCODER)
            self.has_encoder = os.path.isfile(os.path.join(source, "model.safetensors"))
            if self.has_encoder:
                self.run("models", "import", source)
            files = self.start(sys.executable, str(HERE / "fault_server.py"))
            self.files = f"http://127.0.0.1:{files['http']}"
            options = ("--mock", "--port", "0", "--json", "--socket", os.path.join(self.folder, "s"))
            place = self.start(program, "serve", *options)
            self.address, self.link = place["address"], place["panel"]
        except BaseException:
            self.close()
            raise

    def start(self, *command):
        """Gives the JSON line that the program prints when it is ready."""
        with open(os.path.join(self.folder, "log.txt"), "ab") as log:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment
            )
        self.processes.append(process)
        line = process.stdout.readline()
        if not line:
            raise AssertionError(f"{command[0]} did not start: {self.log()}")
        return json.loads(line)

    def log(self):
        return pathlib.Path(self.folder, "log.txt").read_text(errors="replace")[-2000:]

    def run(self, *arguments):
        command = [self.program, *arguments]
        done = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"breeze {' '.join(arguments)}: {done.stderr}"
        return done.stdout

    @contextlib.contextmanager
    def opened(self, url):
        """Has `breeze open` handle a URL; gives a function that waits for what the app gets."""
        folder = pathlib.Path(tempfile.mkdtemp(prefix="opened-", dir=self.folder))
        said = folder / "said"
        opener = folder / "gio"
        opener.write_text(f'#!/bin/sh\nprintf %s "$2" > {said}.new && mv {said}.new {said}\n')
        opener.chmod(0o755)
        environment = self.environment | {"PATH": f"{folder}:{self.environment.get('PATH', '')}"}
        command = [self.program, "open", "--mock", url]
        with open(os.path.join(self.folder, "log.txt"), "ab") as log:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log, env=environment)

        def answer():
            process.wait(60)
            result = said.read_text().partition("://breeze-response?result=")[2]
            return json.loads(base64.urlsafe_b64decode(result + "=" * (-len(result) % 4)))

        try:
            yield answer
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()

    def close(self):
        for process in reversed(self.processes):
            process.send_signal(signal.SIGTERM)
        for process in self.processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            if process.poll() is None:
                process.kill()
                process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    # What programs ask.

    def ask(self, path, body=None, key=None, method=None):
        """Status and JSON of the answer; without a key in the owner's name."""
        content = None if body is None else json.dumps(body).encode()
        headers = {"content-type": "application/json"}
        if key != "":
            headers["authorization"] = f"Bearer {key or self.token}"
        request = urllib.request.Request(self.address + path, content, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            return error.code, json.loads(error.read() or b"{}")

    def own(self, path, body=None, method=None):
        """Of the owner's API; an answer that is none is a failure."""
        status, answer = self.ask(f"/breeze/v1/{path}", body, method=method)
        assert status in (200, 201, 202), f"{method or ''} {path}: {status} {answer}"
        return answer

    def stream(self, key, text="hello"):
        """A chat that has begun: its connection and its answer, to be read on."""
        connection = http.client.HTTPConnection(self.address.removeprefix("http://"), timeout=30)
        question = {"model": "mock-llm", "stream": True, "messages": [{"role": "user", "content": text}]}
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        connection.request("POST", "/v1/chat/completions", json.dumps(question), headers)
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        # A model that has to be loaded first says so in comments.
        line = answer.readline()
        while line == b"\n" or line.startswith(b":"):
            line = answer.readline()
        assert line.startswith(b"data:"), line
        return connection, answer

    def chat(self, key, text="hello"):
        question = {"model": "mock-llm", "messages": [{"role": "user", "content": text}]}
        return self.ask("/v1/chat/completions", question, key=key)

    def mock(self, **parameters):
        """Sets parameters of the mock chat model; None is their default."""
        for name, value in parameters.items():
            setting = f"runners.mock:llm.{name}"
            if value is None:
                self.own(f"settings/{setting}", method="DELETE")
            else:
                self.own("settings", {"name": setting, "value": value}, method="PUT")

    def register(self, name, *capabilities):
        status, made = self.ask("/breeze/v1/apps", {"name": name, "capabilities": capabilities}, key="")
        assert status == 201 and made["state"] == "waiting", made
        return made["id"], made["key"]

    def audit(self, **query):
        words = "&".join(f"{name}={value}" for name, value in query.items())
        return self.own(f"audit?{words}")["entries"]

    # What is served to it.

    def serve(self, name, *steps):
        self.order({"path": f"/{name}", "steps": steps})
        return f"{self.files}/{name}"

    def order(self, what):
        with urllib.request.urlopen(f"{self.files}/script", json.dumps(what).encode(), timeout=30):
            pass

    def asked(self, name):
        with urllib.request.urlopen(f"{self.files}/log", timeout=30) as answer:
            return [each for each in json.load(answer) if each["path"] == f"/{name}"]


def soon(what, found, seconds=40):
    """Waits until `found` gives something, and gives that."""
    deadline = time.monotonic() + seconds
    while True:
        value = found()
        if value:
            return value
        assert time.monotonic() < deadline, f"{what} did not come"
        time.sleep(0.05)
