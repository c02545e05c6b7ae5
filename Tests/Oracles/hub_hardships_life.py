"""How a hub begins and ends, beside others of its kind, and what it says over TLS and to signals."""
import json
import os
import pathlib
import signal
import socket
import ssl
import stat
import subprocess
import tempfile
import time

from hub_process import QUESTION, Hub, check, drain, head, read_answer, until


def run(program, soak):
    ends(program)
    places(program)
    settings(program)
    with tempfile.TemporaryDirectory() as folder:
        secure(program, pathlib.Path(folder), soak)


def ends(program):
    def ended_by(number):
        """A stream's end is said in the stream, a connection that asks nothing holds nobody up."""
        with Hub(program) as hub:
            hub.app()
            hub.mock("chunkDelay", 60_000)
            idle = hub.connect()
            stream = hub.begin_stream()
            until(lambda: hub.metric("breeze_hub_streams") == [1.0])
            begun = time.monotonic()
            hub.send(number)
            said = drain(stream)
            code = hub.ended()
            idle.close()
            last = hub.audit("--limit", "50")["entries"]
            told = b'"error"' in said and b"stopping" in said and said.endswith(b"data: [DONE]\n\n\r\n0\r\n\r\n")
            written = [entry["outcome"] for entry in last if entry["action"] == "run"] == ["error"]
            gone = not os.path.exists(hub.local)
            return told and written and gone and code == 128 + number and time.monotonic() - begun < 8

    def twice():
        """Who is in a hurry does not wait for the answers that run."""
        with Hub(program) as hub:
            hub.app()
            hub.mock("chunkDelay", 60_000)
            stream = hub.begin_stream()
            until(lambda: hub.metric("breeze_hub_streams") == [1.0])
            hub.send(signal.SIGINT)
            time.sleep(0.3)
            waits = hub.process.poll() is None
            begun = time.monotonic()
            hub.send(signal.SIGINT)
            code = hub.ended()
            stream.close()
            return waits and code == 130 and time.monotonic() - begun < 1

    def killed():
        with Hub(program) as hub:
            key = hub.app()
            hub.process.kill()
            hub.ended()
            stale = os.path.exists(hub.local)
            hub.start()
            with local(hub.local) as connection:
                connection.sendall(head("/v1/models", token=key))
                answered = read_answer(connection)[0]
            return stale and answered == 200 and hub.status(head("/v1/models", token=key)) == 200

    check("Ctrl-C in the middle of a stream", lambda: ended_by(signal.SIGINT))
    check("SIGTERM in the middle of a stream", lambda: ended_by(signal.SIGTERM))
    check("Ctrl-C twice", twice)
    check("SIGKILL, and a new start", killed)


def local(path):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(20)
    connection.connect(path)
    return connection


def mode(path):
    return stat.S_IMODE(os.stat(path).st_mode)


def places(program):
    with Hub(program) as hub:
        folder = hub.folder / "other"
        folder.mkdir()

        def refused(*options, home=folder, said=()):
            """Ends by itself and says why, in words of its own."""
            done = hub.attempt("serve", "--json", *options, home=home)
            error = json.loads(done.stderr.strip().splitlines()[-1])["error"]
            if done.returncode == 0 or error["code"] == "internal_error":
                raise ValueError(done.stderr[-300:])
            return all(word in error["message"] + error["remedy"] for word in said)

        def in_use_socket():
            """Another hub's socket is left to it."""
            try:
                return refused("--port", "0", "--socket", hub.local) and answers()
            except subprocess.TimeoutExpired:
                return False

        def answers():
            with local(hub.local) as connection:
                connection.sendall(head("/healthz"))
                return read_answer(connection)[0] == 200

        def precious():
            file = hub.folder / "precious"
            file.write_text("precious")
            refused("--port", "0", "--socket", str(file))
            return file.read_text() == "precious"

        def linked():
            home = hub.folder / "linked"
            home.mkdir()
            victim = hub.folder / "victim"
            (home / "hub.lock").symlink_to(victim)
            return refused("--port", "0", home=home) and not victim.exists()

        check("the socket is its owner's alone", lambda: mode(hub.local) == 0o600)
        check("so is the home", lambda: mode(hub.home) == 0o700)
        check("and what lies in it", lambda: not any(mode(path) & 0o077 for path in hub.home.rglob("*")))
        alone = ["--socket", "none"]
        process, port = str(hub.process.pid), str(hub.port)
        check("a second hub for one home", lambda: refused("--port", "0", *alone, home=hub.home, said=[process]))
        check("a port that is taken", lambda: refused("--port", port, *alone, said=[port]))
        check("a socket in no folder", lambda: refused("--port", "0", "--socket", "/no/such/folder/x.sock"))
        check("a folder for a socket", lambda: refused("--port", "0", "--socket", str(folder)))
        check("a file for a socket is left alone", precious)
        check("a lock that leads elsewhere", linked)
        check("another hub's socket", in_use_socket)


def settings(program):
    with Hub(program) as hub:
        key = hub.app()

        def named(name):
            return hub.status(head("/v1/models", token=key, host=name))

        def taken_up():
            before = named("brain.test")
            hub.command("config", "set", "hub.hostNames", '["brain.test"]')
            hub.send(signal.SIGHUP)
            return before == 403 and until(lambda: named("brain.test") == 200, 3)

        def strict():
            hub.command("config", "set", "hub.strictFields", "true")
            hub.send(signal.SIGHUP)
            return until(lambda: hub.post("/v1/chat/completions", {**QUESTION, "zzz": 1})[0] == 400, 3)

        def broken():
            """Whoever broke the settings learns of it in the log; a client is not blamed, and learns no path."""
            file = hub.home / "settings.json"
            file.write_text("{broken")
            hub.send(signal.SIGHUP)
            until(lambda: "settings" in hub.errors, 3)
            status, _, answer = hub.post("/v1/chat/completions", QUESTION)
            good = status in (200, 503) and str(hub.home).encode() not in answer
            return good and hub.status(head("/readyz")) in (200, 503) and hub.status(head("/healthz")) == 200

        check("SIGHUP takes up a setting", strict)
        check("SIGHUP takes up a name", taken_up)
        check("SIGHUP with settings that cannot be read", broken)


def secure(program, folder, soak):
    certificate, secret, others = folder / "chain.pem", folder / "key.pem", folder / "other.pem"
    new_key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    named = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"]
    for key, file in ((secret, certificate), (others, folder / "unused.pem")):
        request = ["openssl", "req", "-x509", *new_key, "-keyout", key, "-out", file, "-days", "2", *named]
        subprocess.run(request, check=True, capture_output=True)
    given = ["--tls-certificate", str(certificate), "--tls-key", str(secret)]

    def trusting(version=None):
        context = ssl.create_default_context(cafile=certificate)
        if version:
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = version
        return context

    with Hub(program, "--host", "0.0.0.0", *given) as hub:

        def refused(*options):
            done = hub.attempt("serve", "--port", "0", "--json", *options, home=folder / "other")
            return done.returncode != 0 and "internal_error" not in done.stderr

        def plainly(raw):
            with socket.create_connection(("127.0.0.1", hub.port)) as connection:
                connection.settimeout(10)
                connection.sendall(raw)
                try:
                    return b"HTTP/1.1 200" not in connection.recv(1_000)
                except ConnectionResetError:
                    return True

        def spoken(version):
            try:
                with socket.create_connection(("127.0.0.1", hub.port)) as connection:
                    with trusting(version).wrap_socket(connection, server_hostname="localhost") as secured:
                        return secured.version()
            except (ssl.SSLError, ConnectionResetError):
                return None

        def called_by_address():
            """By an address of this machine that is not a loopback one, where it has any."""
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
                try:
                    # Nothing is sent: the kernel chooses the address that it would be sent from.
                    probe.connect(("192.0.2.1", 9))
                except OSError:
                    return "no network"
                address = probe.getsockname()[0]
            context = trusting()
            context.check_hostname = False
            with socket.create_connection((address, hub.port)) as connection:
                connection.settimeout(10)
                with context.wrap_socket(connection) as secured:
                    secured.sendall(head("/v1/models", host=f"localhost:{hub.port}"))
                    return read_answer(secured)[0] == 401

        def unfinished():
            with socket.create_connection(("127.0.0.1", hub.port)) as connection:
                connection.settimeout(150)
                begun = time.monotonic()
                return connection.recv(10) == b"" and f"{time.monotonic() - begun:.0f} s"

        check("HTTP to the port of TLS", lambda: plainly(head("/healthz")))
        check("noise to the port of TLS", lambda: plainly(b"\x16\x03\x01\xff\xff" + b"\0" * 1_000))
        hub.tls = trusting()
        hub.app()
        check("TLS wants a key", lambda: hub.status(head("/v1/models")) == 401)
        check("TLS answers", lambda: hub.post("/v1/chat/completions", QUESTION)[0] == 200)
        check("a key is wanted of the network", called_by_address)
        new, old = (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3), (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1)
        check("TLS 1.2 and 1.3", lambda: [spoken(version) for version in new] == ["TLSv1.2", "TLSv1.3"])
        check("no TLS before 1.2", lambda: [spoken(version) for version in old] == [None, None])
        check("the network is not let in without keys", lambda: refused("--host", "0.0.0.0", "--open", *given))
        check("nor without TLS", lambda: refused("--host", "::") and refused("--host", "127.0.0.1.evil.test"))
        mixed = ["--tls-certificate", str(certificate), "--tls-key", str(others)]
        swapped = ["--tls-certificate", str(secret), "--tls-key", str(certificate)]
        check("another certificate's key", lambda: refused(*mixed))
        check("no certificate", lambda: refused(*swapped))
        if soak:
            check("a handshake that does not go on is ended", unfinished)
