"""The threads that notmuch finds in message files: JSON list of paths in, list of lists of Message-IDs out.

The argument is notmuch's program. A mailbox of links and an index are made in a temporary folder.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

program = sys.argv[1]
paths = json.load(sys.stdin)
with tempfile.TemporaryDirectory() as folder:
    mail = pathlib.Path(folder, "mail")
    for name in ("cur", "new", "tmp"):
        (mail / name).mkdir(parents=True)
    for number, path in enumerate(paths):
        os.symlink(path, mail / "cur" / f"{number}:2,S")
    config = pathlib.Path(folder, "config")
    config.write_text(f"[database]\npath={mail}\n[user]\nname=x\nprimary_email=x@example.org\n[new]\ntags=\n")
    environment = dict(os.environ, NOTMUCH_CONFIG=str(config), HOME=folder)

    def notmuch(*arguments):
        run = subprocess.run([program, *arguments], env=environment, capture_output=True, check=True)
        return run.stdout.decode("utf-8", "replace")

    notmuch("new", "--quiet")
    forest = json.loads(notmuch("show", "--format=json", "--body=false", "--entire-thread=true", "*"))

threads = []
for thread in forest:
    found, pending = [], [thread]
    while pending:
        item = pending.pop()
        if isinstance(item, list):
            pending += item
        elif item:
            found.append(item["id"])
    threads.append(found)
json.dump(threads, sys.stdout)
