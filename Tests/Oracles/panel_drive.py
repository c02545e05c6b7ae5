"""Drives the hub's control panel in Debian's chromium, as its owner would, and fails on what is not right.

    panel_drive.py --panel Sources/Panel/Files    against the stub, which it starts
    panel_drive.py --hub BREEZE                   against a hub with mocks that it starts in a home of its
                                                  own, beside a download server that stalls as it is told
    panel_drive.py --link 'http://127.0.0.1:11535/#code=…'
                                                  against a running hub; what needs more data is skipped

With --hub, --panel FOLDER shows that folder's files in the place of those in the program. --shots FOLDER
keeps screenshots. --json prints a line for each step: {"name", "ok", "skipped", "detail"}.

It needs the package playwright (scripts/requirements/panel.txt) and a chromium, which CHROMIUM names.
"""

import argparse
import json
import os
import pathlib
import signal
import sys
import time
import traceback

import panel_steps_apps
import panel_steps_chat
import panel_steps_frame
import panel_steps_live
import panel_steps_live_mail
import panel_steps_live_models
import panel_steps_live_verdicts
import panel_steps_mail
import panel_steps_models
import panel_steps_verdicts
from panel_browser import Drive, steps_of
from playwright.sync_api import sync_playwright

# Signing in is the first of the frame's: the others use its token.
SIGNS_IN = panel_steps_frame.signs_in
STEPS = [
    each
    for module in (
        panel_steps_frame,
        panel_steps_chat,
        panel_steps_mail,
        panel_steps_verdicts,
        panel_steps_apps,
        panel_steps_models,
    )
    for each in steps_of(module)
]
LIVE = [
    SIGNS_IN.step,
    *steps_of(panel_steps_live),
    *steps_of(panel_steps_live_models),
    *steps_of(panel_steps_live_mail),
    *steps_of(panel_steps_live_verdicts),
]


class Tally:
    def __init__(self, as_json):
        self.as_json = as_json
        self.counts = {"ok": 0, "FAIL": 0, "skip": 0}

    def tell(self, word, title, detail):
        self.counts[word] += 1
        if self.as_json:
            line = {"name": title, "ok": word != "FAIL", "skipped": word == "skip", "detail": detail}
            print(json.dumps(line), flush=True)
        else:
            print(f"{word:5} {title} ({detail})", flush=True)

    def end(self):
        if not self.as_json:
            print(", ".join(f"{count} {word}" for word, count in self.counts.items()))
        sys.exit(1 if self.counts["FAIL"] else 0)


def renew(drive):
    """Each step begins with the same data and a token that counts."""
    drive.control(reset=True, mode="normal")
    code = drive.ask("/stub/code")["code"]
    drive.token = drive.ask("/breeze/v1/session", {"code": code})["token"]


def take(step, drive, tally):
    title, needs, function = step
    if needs == "stub" and not drive.stub:
        return tally.tell("skip", title, "it needs the stub's data")
    if drive.stub and function is not SIGNS_IN:
        renew(drive)
    if drive.hub:
        drive.hub.token = drive.token
    began = time.monotonic()
    try:
        reason = function(drive)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = [each for each in frames if "panel_steps" in each.filename][-1]
        # Less the page as playwright tells it, which is long and stands in no screenshot's place.
        said = str(error).split("Aria snapshot:")[0].strip()[:1500]
        said = "\n".join([said, *getattr(error, "__notes__", []), *([drive.hub.log()] if drive.hub else [])])
        place = f"{os.path.basename(where.filename)}:{where.lineno}: {where.line}"
        return tally.tell("FAIL", title, f"{place}\n      " + said.replace("\n", "\n      "))
    if reason:
        return tally.tell("skip", title, reason)
    tally.tell("ok", title, f"{time.monotonic() - began:.1f} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--panel", type=pathlib.Path, help="the folder with the panel's files")
    parser.add_argument("--hub", help="the program breeze, to be started as a hub with mocks")
    parser.add_argument("--link", help="the one-time link of a running hub")
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for screenshots")
    parser.add_argument("--only", help="steps whose title holds this text")
    parser.add_argument("--json", action="store_true", help="a JSON object for each step")
    arguments = parser.parse_args()
    if bool(arguments.hub) + bool(arguments.link) + bool(arguments.panel and not arguments.hub) != 1:
        parser.error("give one of --panel, --hub and --link")
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    # So that a hub that was started here ends, too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    tally = Tally(arguments.json)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        drive = Drive(browser, arguments)
        try:
            for step in LIVE if arguments.hub else STEPS:
                begins = step[2] is SIGNS_IN and not drive.stub
                if begins or not arguments.only or arguments.only in step[0]:
                    take(step, drive, tally)
        finally:
            drive.close()
            browser.close()
    tally.end()


if __name__ == "__main__":
    main()
