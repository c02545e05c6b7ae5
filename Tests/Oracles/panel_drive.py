"""Drives the hub's control panel in Debian's chromium, as its owner would, and fails on anything that is not right.

    panel_drive.py --panel Sources/Panel/Files [--shots FOLDER]          against the stub, which it starts
    panel_drive.py --link 'http://127.0.0.1:11535/#code=…' [--shots …] against a running hub; what needs the stub's
                                                                       data is skipped, and says so

It needs the package playwright (scripts/requirements/panel.txt) and a chromium, which CHROMIUM names.
"""

import argparse
import os
import pathlib
import sys
import time
import traceback

import panel_steps_apps
import panel_steps_chat
import panel_steps_frame
import panel_steps_models
from panel_browser import Drive, steps_of
from playwright.sync_api import Error, sync_playwright

# Signing in is the first of the frame's: the others use its token.
STEPS = [
    each
    for module in (panel_steps_frame, panel_steps_chat, panel_steps_apps, panel_steps_models)
    for each in steps_of(module)
]


def renew(drive):
    """Each step begins with the same data and a token that counts."""
    drive.control(reset=True, mode="normal")
    code = drive.ask("/stub/code")["code"]
    drive.token = drive.ask("/breeze/v1/session", {"code": code})["token"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    target = parser.add_mutually_exclusive_group(required=True)
    target.add_argument("--panel", type=pathlib.Path, help="the folder with the panel's files, for the stub")
    target.add_argument("--link", help="the one-time link of a running hub")
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for screenshots")
    parser.add_argument("--only", help="steps whose title holds this text")
    arguments = parser.parse_args()
    chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
    passed, failed, skipped = 0, 0, 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        drive = Drive(browser, arguments)
        try:
            for title, needs_stub, function in STEPS:
                chosen = (
                    not arguments.only
                    or arguments.only in title
                    or (function is panel_steps_frame.signs_in and not drive.stub)
                )
                if not chosen:
                    continue
                if needs_stub and not drive.stub:
                    print(f"skip  {title}: it needs the stub's data")
                    skipped += 1
                    continue
                if drive.stub and function is not panel_steps_frame.signs_in:
                    renew(drive)
                began = time.monotonic()
                try:
                    function(drive)
                    print(f"ok    {title} ({time.monotonic() - began:.1f} s)", flush=True)
                    passed += 1
                except (AssertionError, Error) as error:
                    frames = traceback.extract_tb(error.__traceback__)
                    where = [each for each in frames if "panel_steps" in each.filename][-1]
                    print(
                        f"FAIL  {title} ({os.path.basename(where.filename)}:{where.lineno}: {where.line})\n      "
                        + str(error).replace("\n", "\n      "),
                        flush=True,
                    )
                    failed += 1
        finally:
            drive.close()
            browser.close()
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
