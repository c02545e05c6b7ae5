"""Sits at a terminal and types: starts a program on one of its own, as the leader of its session, and answers its
prompts. Reads {"arguments", "environment", "steps": [{"wait", "type"}]} from standard input; prints what the terminal
showed, whether it echoed at each prompt and after the end, and the exit code."""

import fcntl
import json
import os
import pty
import select
import subprocess
import sys
import termios


def echoes(terminal):
    return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)


def main():
    request = json.load(sys.stdin)
    # Held open here, the program's side keeps its mode when the program is gone.
    ours, theirs = pty.openpty()
    program = subprocess.Popen(
        [sys.argv[1], *request["arguments"]],
        env=request["environment"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        start_new_session=True,
        # Ctrl-C is a signal only to those whose terminal it is.
        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
    )
    steps, shown, seen, echo = request["steps"], b"", 0, []
    while True:
        if select.select([ours], [], [], 0.05)[0]:
            shown += os.read(ours, 4096)
        elif program.poll() is not None:
            break
        at = shown.find(steps[0]["wait"].encode(), seen) if steps else -1
        if at >= 0:
            step = steps.pop(0)
            seen = at + len(step["wait"])
            echo.append(echoes(theirs))
            os.write(ours, step["type"].encode())
    code = program.returncode
    answer = {"shown": shown.decode(), "echo": echo, "echoAfter": echoes(theirs), "code": code}
    print(json.dumps(answer))


main()
