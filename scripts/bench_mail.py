#!/usr/bin/env python3
"""The part `mail` of bench.py: a mailbox indexed, and indexed again when nothing changed.

The SpamAssassin corpus as a tree of Maildirs in a scratch folder, each message as it was received. Breeze, mu and
notmuch index the same files in the same run, one after the other, round by round; the best round of each side counts.
CPU-seconds of each whole process, its start included. A rerun over unchanged mail is told twice: of a process of its
own, and in a program that runs already (a hub, a watch), from opening the index to closing it. The second is judged:
most of the first is the start of a program that is linked dynamically.
"""
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("BREEZE_SHARED", ROOT.parent / "shared")) / "data/mail"
ARCHIVE = DATA / "spamassassin-2002.tar.xz"
# An hour before now nothing is fresh any more: every side may go by the times of directories.
SETTLED, RERUNS = 3600, 5


def make_maildir(folder):
    """The corpus as Maildirs, one for each of its folders; returns how many messages and bytes they hold."""
    count, size = 0, 0
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            name = pathlib.PurePosixPath(member.name)
            if not member.isfile() or name.name == "cmds":
                continue
            box = folder / f".{name.parent.name}"
            for part in ("cur", "new", "tmp"):
                (box / part).mkdir(parents=True, exist_ok=True)
            content = archive.extractfile(member).read()
            (box / "cur" / f"{1700000000 + count}.M{count}P1.bench:2,S").write_bytes(content)
            count, size = count + 1, size + len(content)
    settle(folder)
    return count, size


def settle(folder):
    for place in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        past = place.stat().st_mtime - SETTLED
        os.utime(place, (past, past))


def run(command, environment=None, line=None):
    """CPU-seconds of the process and its children, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=environment, input=line, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"bench: {command[0]} ended with {done.returncode}: {done.stderr[-2000:]}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


class Breeze:
    def __init__(self, program, scratch):
        self.program, self.home = program, scratch / "breeze"

    def clear(self, maildir):
        shutil.rmtree(self.home, ignore_errors=True)
        self.home.mkdir(mode=0o700)
        place = {"database": str(self.home / "mail.sqlite"), "folder": str(maildir)}
        self.line = json.dumps({"kind": "index", **place}) + "\n"

    def index(self):
        return run([self.program, "mail"], line=self.line)[0]

    def inside(self):
        """CPU-seconds of a rerun in a program that has done one before."""
        answers = run([self.program, "mail"], line=self.line * (RERUNS + 1))[1].splitlines()
        return min(json.loads(answer)["cpuSeconds"] for answer in answers[1:])

    def size(self):
        return sum(file.stat().st_size for file in self.home.iterdir())


class Mu:
    def __init__(self, scratch):
        self.home, self.environment = scratch / "mu", os.environ | {"HOME": str(scratch)}

    def clear(self, maildir):
        shutil.rmtree(self.home, ignore_errors=True)
        run(["mu", "init", "--quiet", f"--muhome={self.home}", f"--maildir={maildir}"], self.environment)

    def index(self):
        return run(["mu", "index", "--quiet", f"--muhome={self.home}"], self.environment)[0]

    def size(self):
        return sum(file.stat().st_size for file in self.home.rglob("*") if file.is_file())


class Notmuch:
    def __init__(self, scratch):
        self.scratch, self.config = scratch, scratch / "notmuch-config"
        self.environment = os.environ | {"HOME": str(scratch), "NOTMUCH_CONFIG": str(self.config)}

    def clear(self, maildir):
        self.home = maildir / ".notmuch"
        shutil.rmtree(self.home, ignore_errors=True)
        self.config.write_text(
            f"[database]\npath={maildir}\n[user]\nname=Bench\nprimary_email=bench@example.org\n"
            "[new]\ntags=new\n[maildir]\nsynchronize_flags=false\n"
        )

    def index(self):
        return run(["notmuch", "new", "--quiet"], self.environment)[0]

    def size(self):
        return sum(file.stat().st_size for file in self.home.rglob("*") if file.is_file())


def measure_side(side, maildir, figures):
    side.clear(maildir)
    # notmuch keeps its index in the folder that it indexes; neither may that pass for a change.
    settle(maildir)
    spent = side.index()
    found = {"index": spent, "again": min(side.index() for _ in range(RERUNS))}
    if isinstance(side, Breeze):
        found["inside"] = side.inside()
    best = figures.setdefault(type(side).__name__.lower(), found)
    for name, seconds in found.items():
        best[name] = min(best[name], seconds)
    best["bytes"] = side.size()


def measure(arguments):
    if not ARCHIVE.exists():
        missing = dict.fromkeys(JUDGED, "the test data is not there (set BREEZE_SHARED)")
        return dict.fromkeys(JUDGED) | {"sides": {}, "notJudged": missing}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        maildir = scratch / "Mail"
        count, size = make_maildir(maildir)
        sides = [Breeze(arguments.program, scratch)]
        sides += [Mu(scratch)] if shutil.which("mu") else []
        sides += [Notmuch(scratch)] if shutil.which("notmuch") else []
        found = {}
        for _ in range(arguments.rounds):
            for side in sides:
                measure_side(side, maildir, found)
    return judge({"messages": count, "bytes": size, "sides": found, "notJudged": {}})


JUDGED = ("mailIndexRatio", "mailRerunRatio", "mailSizeRatio")


def judge(figures):
    sides, ours = figures["sides"], figures["sides"]["breeze"]
    mu, notmuch = sides.get("mu"), sides.get("notmuch")
    figures |= {
        "mailIndexRatio": mu and mu["index"] / ours["index"],
        "mailRerunRatio": notmuch and ours["inside"] / notmuch["again"],
        "mailSizeRatio": notmuch and ours["bytes"] / notmuch["bytes"],
    }
    for name, peer in zip(JUDGED, ("mu", "notmuch", "notmuch")):
        if figures[name] is None:
            figures["notJudged"][name] = f"{peer} is not installed"
    return figures


def report(figures):
    if not figures["sides"]:
        return
    yield f"mail, {figures['messages']} messages, {figures['bytes'] / 1e6:.1f} MB, CPU-seconds of whole processes, best round:"
    for name, side in figures["sides"].items():
        yield (
            f"  {name:8} index {side['index']:.2f} ({figures['messages'] / side['index']:.0f} messages a CPU-second), "
            f"again {side['again'] * 1e3:.1f} ms, {side['bytes'] / 1e6:.1f} MB on disk"
        )
    yield f"  breeze, again, in a program that runs already: {figures['sides']['breeze']['inside'] * 1e3:.1f} ms"
