#!/usr/bin/env python3
"""Run a test program, and end it where it hangs.

usage: run-tests.py MINUTES COMMAND...

What the command prints is handed on, without the lines that say that a test began, and so is its exit status. A test
that hangs prints nothing itself: after MINUTES, or a minute after the last test where the program does not end, it is
ended with all that it started, and what it waited for is told. What failed is told once more at the end, where the
last lines are all that anybody sees, and the test program's closing line comes last.
"""
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time

AFTER_THE_LAST_TEST = 60  # seconds
FAILURES_TOLD, FAILURE_LENGTH = 20, 1000  # lines, bytes of each
BEGAN, COMMENT = "\u25c7 Test".encode(), "\u21b3 ".encode()


def unfinished(events):
    """The tests of an event stream, as `--event-stream-output-path` has it, that run; where only a few have not ended,
    those: a test without arguments does not say when its turn comes."""
    running, left = {}, {}
    for line in events:
        try:
            event = json.loads(line)
        except ValueError:  # the last one, cut off
            continue
        payload = event["payload"]
        name = payload.get("testID", "")
        if payload.get("kind") == "testStarted":
            left[name] = 1
        elif payload.get("kind") == "testEnded":
            left.pop(name, None)
        if payload.get("kind") == "testCaseStarted":
            running[name] = running.get(name, 0) + 1
        elif payload.get("kind") in ("testCaseEnded", "testEnded"):
            running[name] = running.get(name, 0) - 1 if payload["kind"] == "testCaseEnded" else 0
    return list(left) if len(left) <= 20 else [name for name, count in running.items() if count > 0]


def read(path):
    """What one of the kernel's files says, and nothing where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().replace("\0", " ").strip()
    except OSError:
        return ""


def names(folder):
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []


def members(session):
    """The processes of a session that are not over (Linux; nothing elsewhere)."""
    for name in filter(str.isdigit, names("/proc")):
        stat = read(f"/proc/{name}/stat").rpartition(")")[2].split()
        if len(stat) > 3 and int(stat[3]) == session and stat[0] != "Z":
            yield int(name)


def told(number):
    """What a process is, and how many of its threads wait in what."""
    waits = {}
    for task in names(f"/proc/{number}/task"):
        call = read(f"/proc/{number}/task/{task}/syscall").split()[:2]
        place = " ".join([read(f"/proc/{number}/task/{task}/comm"), read(f"/proc/{number}/task/{task}/wchan"), *call])
        waits[place] = waits.get(place, 0) + 1
    threads = "; ".join(f"{count} x {place}" if count > 1 else place for place, count in waits.items())
    return f"  {number} {read(f'/proc/{number}/cmdline')[:120]}\n    {threads}"


class Tests:
    """The test program while it runs."""

    def __init__(self, command, folder):
        self.events = os.path.join(folder, "events.json")
        self.process = subprocess.Popen(
            [*command, "--event-stream-output-path", self.events],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, "NO_COLOR": "1"},
        )
        self.failures, self.closing = [], []
        self.over = queue.Queue()
        threading.Thread(target=self.hand_on, daemon=True).start()

    def hand_on(self):
        """All but the lines that say that a test began; the closing line waits for the program's end."""
        output, of_failure = sys.stdout.buffer, False
        for line in self.process.stdout:
            if b" Test run with " in line[:20]:
                self.closing.append(line)
                self.over.put("tests")
            elif not line.startswith(BEGAN):
                output.write(line)
                output.flush()
            # What was compared stands in the line, or in comments under it.
            of_failure = b" recorded an issue " in line or (of_failure and line.startswith(COMMENT))
            if of_failure:
                self.failures.append(line[:FAILURE_LENGTH].rstrip() + b"\n")
        self.over.put("output")

    def end(self):
        """Ends the program and all that it started, in whatever process groups: kindly, and then for good."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            alive = list(members(self.process.pid)) or [self.process.pid] * (self.process.poll() is None)
            for one in alive:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(5)

    def wait(self, seconds):
        """Until the program is over and all it wrote was read, or the time is.

        - Returns: "output" where it ended by itself, "tests" where only its tests did, None where they did not."""
        deadline = time.monotonic() + seconds
        reached = None
        while reached != "output":
            try:
                reached = self.over.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                return reached
            if reached == "tests":
                deadline = time.monotonic() + AFTER_THE_LAST_TEST
        self.process.wait()
        return reached


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as folder:
        tests = Tests(sys.argv[2:], folder)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: (tests.end(), os._exit(128 + number)))
        reached = tests.wait(float(sys.argv[1]) * 60)
        status = tests.process.poll()
        if reached != "output":
            report = "\n".join(told(number) for number in members(tests.process.pid))
            tests.end()
            with open(tests.events, encoding="utf-8") as events:
                events = events.readlines()
            print(f"run-tests: these processes were left:\n{report}")
            if reached is None:
                print(f"run-tests: the last event: {''.join(events[-1:]).strip()[:300]}")
                print(f"run-tests: not over after {sys.argv[1]} minutes; these tests still ran:")
                print("\n".join(f"  {name}" for name in unfinished(events) or ["none"]), flush=True)
                sys.exit(1)
            print("run-tests: the tests ended, and their program did not: see above what it waited for", flush=True)
            status = 0 if all(b" passed " in line for line in tests.closing) else 1
        sys.stdout.buffer.writelines(tests.failures[:FAILURES_TOLD] + tests.closing)
        sys.exit(status if status >= 0 else 128 - status)


main()
