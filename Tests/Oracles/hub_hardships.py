"""Puts hubs of its own through what clients, pages, signals and networks do to them, and prints what came.

usage: hub_hardships.py BREEZE

With BREEZE_SOAK=1 it also waits for what takes minutes, such as the end of a client that sends a byte now and then.
One JSON object a line: {"name", "ok", "detail"}.
"""
import json
import os
import resource
import sys

import hub_hardships_access
import hub_hardships_life
import hub_hardships_load
import hub_hardships_texts

program = os.path.abspath(sys.argv[1])
soak = os.environ.get("BREEZE_SOAK") == "1"
# As many connections as this machine allows; the hubs inherit it where a check does not say otherwise.
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

for part in (hub_hardships_texts, hub_hardships_access, hub_hardships_life, hub_hardships_load):
    # A hub that ends in the middle takes the rest of its part with it, and the parts after it still say how they went.
    try:
        part.run(program, soak)
    except Exception as error:
        said = f"{type(error).__name__}: {error}"[:400]
        print(json.dumps({"name": part.__name__, "ok": False, "detail": said}), flush=True)
