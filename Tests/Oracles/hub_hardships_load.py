"""Clients that take all that they can get: connections, time, memory, descriptors."""
import json
import os
import pathlib
import resource
import threading
import time

from hub_process import QUESTION, Hub, check, drain, head, until

# Long answers: the mock says again what a tool has said.
WORDS = 200_000
CALL = {"name": "f", "arguments": "{}"}
LONG = {
    "model": "mock-llm",
    "messages": [
        {"role": "user", "content": "hi"},
        {"role": "assistant", "tool_calls": [{"id": "x", "type": "function", "function": CALL}]},
        {"role": "tool", "tool_call_id": "x", "content": "word " * WORDS},
    ],
}
BODY = json.dumps(QUESTION).encode()
# What the hub allows a request to take, and a connection to stand still (HubLimits), and a little more.
READING, IDLE = 70, 130


def run(program, soak):
    with Hub(program) as hub:
        hub.app("Tests", "chat", "guardian")
        trickles(hub, soak)
        queues(hub)
        stalled(hub, soak)
    crowds(program, 10_000 if soak else 2_500)
    descriptors(program)


def others(hub):
    """The time in which two that have nothing to do with it are answered."""
    begun = time.monotonic()
    if hub.status(head("/v1/models", token=hub.key)) != 200:
        return False
    if hub.post("/v1/moderations", {"input": "hello"})[0] != 200:
        return False
    return time.monotonic() - begun


def trickles(hub, soak):
    """A header, a body, a first line that come a byte at a time, and nothing at all."""
    starts = [
        b"GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Slow: ",
        head("/v1/chat/completions", "POST", 100_000, token=hub.key),
        b"GET /",
        head("/v1/chat/completions", "POST", token=hub.key, Transfer_Encoding="chunked") + b"1;",
        b"",
    ]
    over = threading.Event()
    lives = {}

    def trickle(kind, start):
        begun = time.monotonic()
        with hub.connect(timeout=0.1) as connection:
            try:
                connection.sendall(start)
                while not over.is_set():
                    if start:
                        connection.sendall(b" " if kind == 1 else b"a")
                    try:
                        if not connection.recv(1_000):
                            break
                        lives.setdefault(kind, time.monotonic() - begun)
                    except TimeoutError:
                        pass
            except OSError:
                pass
        lives.setdefault(kind, time.monotonic() - begun)

    threads = [threading.Thread(target=trickle, args=case) for case in list(enumerate(starts)) * 10]
    for thread in threads:
        thread.start()

    def served():
        took = others(hub)
        return took and took < 5 and f"{took:.2f} s beside {len(threads)}"

    try:
        check("clients that trickle hold nobody up", served)
        if soak:
            check("clients that trickle are ended", lambda: until(lambda: len(lives) == len(starts), IDLE, 1))
            check("a body that trickles is ended sooner", lambda: lives[1] < READING and lives[3] < READING)
    finally:
        over.set()
        for thread in threads:
            thread.join()


def queues(hub):
    other = hub.app("Other", "chat")

    def in_turn():
        """One app has filled the queue; another's request does not wait for all of it, and is not turned away."""
        hub.mock("responseDelay", 300)
        crowd = [hub.connect() for _ in range(200)]
        for connection in crowd:
            connection.sendall(head("/v1/chat/completions", "POST", len(BODY), token=hub.key) + BODY)
        until(lambda: hub.metric("breeze_hub_streams")[0] > 20, 5)
        begun = time.monotonic()
        status = hub.post("/v1/chat/completions", QUESTION, token=other)[0]
        for connection in crowd:
            connection.close()
        hub.mock("responseDelay", 0)
        took = time.monotonic() - begun
        return status == 200 and took < 6 and f"{took:.1f} s"

    check("one app's full queue leaves room for another app", in_turn)
    check("who left the queue is gone", lambda: until(lambda: hub.metric("breeze_hub_streams") == [0.0], 5))


def stalled(hub, soak):
    before = hub.resident
    stream = hub.begin_stream(LONG, receive=4_096)
    # The first bytes are there, and the rest waits for a reader who does not come.
    stream.recv(1)

    def bounded():
        """The whole answer has more than forty megabytes, of which the hub may hold a few."""
        until(lambda: False, 3)
        grown = hub.resident - before
        return hub.metric("breeze_hub_streams") == [1.0] and grown < 24 << 20 and f"{grown >> 20} MiB"

    def served():
        took = others(hub)
        return took and took < 5 and f"{took:.2f} s"

    def let_go():
        begun = time.monotonic()
        found = hub.ask(head("/v1/chat/completions", "POST", len(BODY), token=hub.key) + BODY, timeout=90)
        return found[0] == 200 and f"{time.monotonic() - begun:.0f} s"

    check("a client that does not read takes no memory", bounded)
    check("a client that does not read holds no others up", served)
    if soak:
        check("a client that does not read gives its model back", let_go)
    stream.close()
    check("a client that did not read is gone", lambda: until(lambda: hub.metric("breeze_hub_streams") == [0.0], 5))
    check("and its model answers", lambda: hub.post("/v1/chat/completions", QUESTION)[0] == 200)


def crowds(program, wanted):
    """`wanted` connections that ask nothing, or as many as this machine lets a process have."""
    count = min(wanted, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 300)
    with Hub(program) as hub:
        hub.app()
        before = hub.resident
        crowd = []

        def come():
            begun = time.monotonic()
            for index in range(count):
                # An address has as many ports as the system hands out, which may be fewer than there are clients.
                crowd.append(hub.connect(source=(f"127.0.0.{2 + index // 5_000}", 0)))
            here = until(lambda: hub.metric("breeze_hub_connections")[0] > count, 20, 0.2)
            return here and f"{count} in {time.monotonic() - begun:.1f} s"

        def small():
            grown = (hub.resident - before) / max(1, len(crowd))
            return grown < 20_000 and f"{grown / 1_000:.1f} kB each"

        def answered():
            begun = time.monotonic()
            status = hub.post("/v1/chat/completions", QUESTION)[0]
            took = time.monotonic() - begun
            return status == 200 and took < 2 and f"{took * 1_000:.0f} ms"

        def first():
            crowd[0].sendall(head("/healthz"))
            return crowd[0].recv(100).startswith(b"HTTP/1.1 200")

        def gone():
            for connection in crowd:
                connection.close()
            return until(lambda: hub.metric("breeze_hub_connections")[0] < 10, 30, 0.2)

        check("a crowd of connections", come)
        check("a connection of the crowd takes little memory", small)
        check("a request beside the crowd", answered)
        check("the oldest of the crowd is answered", first)
        check("a crowd that goes", gone)


def descriptors(program):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]

    def raised():
        """Many shells and service managers give a thousand, and let a program take more."""
        with Hub(program, descriptors=(256, hard)) as hub:
            limits = pathlib.Path(f"/proc/{hub.process.pid}/limits").read_text()
            return limits.split("Max open files")[1].split()[0] == str(hard) and hard

    check("the hub takes all descriptors that it may", raised)
    with Hub(program, descriptors=(128, 128)) as hub:
        key = hub.app()

        def used():
            fields = pathlib.Path(f"/proc/{hub.process.pid}/stat").read_text().rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

        def full():
            crowd = [hub.connect() for _ in range(200)]
            time.sleep(0.5)
            before = used()
            time.sleep(1.5)
            busy = (used() - before) / 1.5
            crowd[0].sendall(head("/v1/models", token=key))
            answered = crowd[0].recv(100).startswith(b"HTTP/1.1 200")
            for connection in crowd:
                connection.close()
            if not answered or busy > 0.2:
                raise ValueError(f"answered {answered}, {busy:.0%} of a core")

        check("more clients than descriptors cost no time", full)
        check("when they have gone, all is well", lambda: until(lambda: hub.status(head("/healthz")) == 200, 10))
