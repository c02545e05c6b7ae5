#!/usr/bin/env python3
"""Turns links to a sibling module's symbols into plain code in a folder of symbol graphs.

docc knows one module at a time, so that a correct ``BreezeError`` in another module than its own is a broken link
to it. A name that no module has stays a link, and docc refuses it. Called by scripts/docs.sh.
"""

import json
import pathlib
import re
import sys

LINK = re.compile(r"``(\w+)([^`]*)``")


def main(folder):
    files = sorted(pathlib.Path(folder).glob("*/*.symbols.json"))
    graphs = {file: json.loads(file.read_text()) for file in files}
    names = {}
    for file, graph in graphs.items():
        # What a module adds to another one's type (`Module@Other`) does not make the type its own.
        tops = () if "@" in file.name else (symbol["pathComponents"][0] for symbol in graph["symbols"])
        names.setdefault(file.parent.name, set()).update(tops)
    for file, graph in graphs.items():
        others = set().union(*names.values()) - names[file.parent.name]
        for symbol in graph["symbols"]:
            for line in symbol.get("docComment", {}).get("lines", []):
                line["text"] = LINK.sub(
                    lambda link: f"`{link[1]}{link[2]}`" if link[1] in others else link[0], line["text"]
                )
        file.write_text(json.dumps(graph))


main(sys.argv[1])
