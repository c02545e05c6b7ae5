#!/usr/bin/env python3
"""Run a command that runs Swift tests, and end it where a test hangs.

usage: run-tests.py MINUTES COMMAND...

The command's output and its exit status are handed on. After MINUTES it is ended with its children, and the tests
that had begun and not ended are named: a test that hangs prints nothing itself.
"""
import json
import os
import signal
import subprocess
import sys
import tempfile


def unfinished(events):
    """The tests of an event stream, as `swift test --event-stream-output-path` writes it, that run."""
    running = {}
    for line in events:
        try:
            event = json.loads(line)
        except ValueError:  # the last one, cut off
            continue
        payload = event["payload"]
        name = payload.get("testID", "")
        if payload.get("kind") == "testCaseStarted":
            running[name] = running.get(name, 0) + 1
        elif payload.get("kind") in ("testCaseEnded", "testEnded"):
            running[name] = running.get(name, 0) - 1 if payload["kind"] == "testCaseEnded" else 0
    return [name for name, count in running.items() if count > 0]


def end(group):
    """Ends a process group: kindly, and after five seconds for good."""
    for number, wait in ((signal.SIGTERM, 5), (signal.SIGKILL, None)):
        try:
            os.killpg(group.pid, number)
            group.wait(wait)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    with tempfile.TemporaryDirectory() as folder:
        stream = os.path.join(folder, "events.json")
        command = sys.argv[2:] + ["--event-stream-output-path", stream]
        tests = subprocess.Popen(command, start_new_session=True)
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda number, _: (end(tests), sys.exit(128 + number)))
        try:
            sys.exit(tests.wait(float(sys.argv[1]) * 60))
        except subprocess.TimeoutExpired:
            end(tests)
            print(f"run-tests: not over after {sys.argv[1]} minutes; these tests still ran:", file=sys.stderr)
            with open(stream, encoding="utf-8") as events:
                for name in unfinished(events):
                    print(f"  {name}", file=sys.stderr)
            sys.exit(1)


main()
