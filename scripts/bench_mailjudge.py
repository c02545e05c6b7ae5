#!/usr/bin/env python3
"""The part `mailjudge` of bench.py: what judging mail takes, and how much of real mail is judged right.

Three folders of the SpamAssassin corpus, of which the heads have seen a part: the quality here is flattered, and only
the speed is judged. CPU-seconds are those of the program and all that it starts, its own start included, of one whole
run over real mail; the best of three runs counts. A hundred messages are timed by the clock, best of five: with their
vectors there (the verdicts alone are made anew), and from nothing, from the start of the program to the last answer.
"""
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time

from bench_mail import ARCHIVE

FOLDERS = {"easy-ham-2": "ham", "hard-ham-1": "ham", "spam-2": "spam"}
RUNS, HUNDRED_RUNS, HUNDRED = 3, 5, 100
JUDGED = ("judgeRate", "verdictSeconds", "hundredWithVectors", "hundredFromNothing", "judgeMemory")


def unpack(folder):
    with tarfile.open(ARCHIVE) as archive:
        for member in archive:
            name = pathlib.PurePosixPath(member.name)
            if member.isfile() and name.name != "cmds" and name.parent.name in FOLDERS:
                place = folder / name.parent.name / name.name
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(archive.extractfile(member).read())


def run(breeze, environment, *arguments):
    """Its output, and wall seconds."""
    began = time.monotonic()
    process = subprocess.Popen(
        [breeze, *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    output, errors = process.communicate()
    if process.returncode:
        sys.exit(f"bench: {' '.join(map(str, arguments))} ended with {process.returncode}: {errors[-2000:]}")
    return output, time.monotonic() - began


def evaluate(breeze, environment, mail):
    labels = [word for name, label in FOLDERS.items() for word in ("--label", f"{name}={label}")]
    return json.loads(run(breeze, environment, "mail", "eval", "--json", "--errors", "0", *labels, mail)[0])


def hundred(breeze, environment, mail, home):
    """Wall seconds with vectors, and from nothing."""
    folder = home / "hundred"
    folder.mkdir()
    messages = sorted(path for name in FOLDERS for path in (mail / name).iterdir())
    for message in messages[:: len(messages) // HUNDRED][:HUNDRED]:
        shutil.copy(message, folder / f"{message.parent.name}-{message.name}")
    nothing = min(run(breeze, environment, "mail", "classify", "--json", folder)[1] for _ in range(HUNDRED_RUNS))
    run(breeze, environment, "mail", "index", folder)
    index = next(pathlib.Path(environment["BREEZE_HOME"]).rglob("mail.sqlite"))
    again = []
    for _ in range(HUNDRED_RUNS):
        with sqlite3.connect(index) as database:
            database.execute("DELETE FROM result")
        database.close()
        again.append(run(breeze, environment, "mail", "index", folder)[1])
    return min(again), nothing


def measure(arguments, install):
    if not ARCHIVE.exists():
        missing = dict.fromkeys(JUDGED, "the test data is not there (set BREEZE_SHARED)")
        return dict.fromkeys(JUDGED) | {"notJudged": missing}
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        unpack(scratch / "mail")
        environment, _ = install(arguments, str(scratch / "home"))
        reports = [evaluate(arguments.breeze, environment, scratch / "mail") for _ in range(RUNS)]
        with_vectors, from_nothing = hundred(arguments.breeze, environment, scratch / "mail", scratch)
    best = max(reports, key=lambda report: report["speed"]["messagesPerProcessorSecond"])
    return {
        "judgeRate": best["speed"]["messagesPerProcessorSecond"],
        "verdictSeconds": best["speed"]["verdictMedianSeconds"],
        "hundredWithVectors": with_vectors,
        "hundredFromNothing": from_nothing,
        "judgeMemory": best["speed"]["peakResidentBytes"],
        "messages": best["speed"]["messages"],
        "verdictSlowSeconds": best["speed"]["verdictSlowSeconds"],
        "unwanted": best["unwanted"],
        "folders": best["folders"],
        "notJudged": {},
    }


def report(figures):
    if figures["judgeRate"] is None:
        return ["mail judged: not measured"]
    lines = [
        f"mail judged: {figures['messages']} messages, {figures['judgeRate']:.0f} a CPU-second with reading, embedding, "
        f"category, spam and phishing; a verdict after its vector {figures['verdictSeconds'] * 1e3:.2f} ms, p95 "
        f"{figures['verdictSlowSeconds'] * 1e3:.2f} ms; most memory {figures['judgeMemory'] / 1e6:.0f} MB",
        f"  {HUNDRED} messages: {figures['hundredWithVectors']:.2f} s with their vectors there, "
        f"{figures['hundredFromNothing']:.2f} s from nothing",
    ]
    for folder in figures["folders"]:
        share = folder["flagged"]
        lines.append(
            f"  {folder['name']} ({folder['label']}): {share['hits']} of {share['count']} flagged "
            f"({share['low']:.3f} to {share['high']:.3f}); the heads have seen a part of it"
        )
    return lines
