#!/usr/bin/env python3
"""Run a command that runs Swift tests, and end it where a test hangs.

usage: run-tests.py MINUTES COMMAND...

The command's output and its exit status are handed on. After MINUTES it is ended with its children, and what hangs
is told, since a test that hangs prints nothing itself: the tests that had begun and not ended, the last events, and
each process that was left, with what its threads waited in and what its open files led to.
"""
import contextlib
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


def lines(path):
    """What one of the kernel's files says, and nothing where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().replace("\0", " ").splitlines()
    except OSError:
        return []


def links(folder):
    """Where the links of a folder lead."""
    try:
        return [f"{name}={os.readlink(os.path.join(folder, name))}" for name in sorted(os.listdir(folder), key=int)]
    except OSError:
        return []


def tasks(proc):
    try:
        return os.listdir(proc + "/task")
    except OSError:
        return []


def members(session):
    """The processes of a session that are not over, with their parents (Linux; nothing elsewhere)."""
    for name in lines("/proc/loadavg") and sorted(filter(str.isdigit, os.listdir("/proc")), key=int):
        stat = "".join(lines(f"/proc/{name}/stat")).rpartition(")")[2].split()
        if len(stat) > 3 and int(stat[3]) == session and stat[0] != "Z":
            yield int(name), int(stat[1])


def told(session):
    """Three lines for each process of a session: what it is, what it has open, and what its threads wait in."""
    for number, parent in members(session):
        proc = f"/proc/{number}"
        yield f"{number} (child of {parent}): {' '.join(lines(proc + '/cmdline'))[:300]}"
        yield f"  open: {' '.join(links(proc + '/fd')[:80])}"
        waits = {}
        for task in tasks(proc):
            place = lines(f"{proc}/task/{task}/wchan") + lines(f"{proc}/task/{task}/syscall")[:1]
            place = " ".join(" ".join(place).split()[:2])
            waits[place] = waits.get(place, 0) + 1
        yield f"  threads: {waits}"


def end(tests):
    """Ends the command and all that it started, in whatever process groups: what it started first, so that it hands on
    what it holds of their output, and after five seconds each for good."""
    for number, spared in ((signal.SIGTERM, tests.pid), (signal.SIGTERM, None), (signal.SIGKILL, None)):
        for one in [member for member, _ in members(tests.pid)] or [tests.pid] * (tests.poll() is None):
            if one != spared:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(one, number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            tests.wait(5)


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
            processes = list(told(tests.pid))
            end(tests)
        say = lambda text: print(text, file=sys.stderr)
        with open(stream, encoding="utf-8") as events:
            events = events.readlines()
        say(f"\nrun-tests: not over after {sys.argv[1]} minutes; these tests still ran:")
        for text in unfinished(events) or ["none"]:
            say(f"  {text}")
        say("run-tests: the last events:")
        for text in events[-5:]:
            say(f"  {text.strip()[:400]}")
        say("run-tests: these processes were left:")
        for text in processes:
            say(f"  {text}")
        sys.exit(1)


main()
