"""Writes a tar.gz or zip archive with Python's own writers: sound ones and such as no tool would make.

Standard input is JSON, a list of entries {"name", "type", "text" | "size", "target", "mode", "count"}; the argument is
the file to write. Types: file, folder, symlink, hardlink, fifo, device, block, zeros. With a count, so many of them
are written, numbered. The answer is {"NAME": "SHA-256 of the content"} for each file, names without "./".
"""

import hashlib
import io
import json
import random
import sys
import tarfile
import zipfile

KINDS = {
    "folder": tarfile.DIRTYPE, "symlink": tarfile.SYMTYPE, "hardlink": tarfile.LNKTYPE, "fifo": tarfile.FIFOTYPE,
    "device": tarfile.CHRTYPE, "block": tarfile.BLKTYPE,
}


def content(entry):
    if entry["type"] == "zeros":
        return bytes(entry["size"])
    if "text" in entry:
        return entry["text"].encode()
    return random.Random(entry["name"]).randbytes(entry.get("size", 0))


def each(entries):
    for entry in entries:
        entry = {key: value for key, value in entry.items() if value is not None}
        for number in range(entry.get("count", 1)):
            yield {**entry, "name": f"{entry['name']}{number}"} if "count" in entry else entry


def main():
    path = sys.argv[1]
    digests = {}
    archive = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) if path.endswith(".zip") else tarfile.open(path, "w:gz")
    with archive:
        for entry in each(json.load(sys.stdin)):
            data = content(entry)
            if entry["type"] in ("file", "zeros"):
                digests[entry["name"].removeprefix("./")] = hashlib.sha256(data).hexdigest()
            if isinstance(archive, zipfile.ZipFile):
                info = zipfile.ZipInfo("x")
                # The constructor would mend a name that leads elsewhere.
                info.filename = entry["name"]
                info.compress_type = zipfile.ZIP_DEFLATED
                info.external_attr = entry.get("mode", 0o644) << 16
                archive.writestr(info, data)
                continue
            info = tarfile.TarInfo(entry["name"])
            info.type = KINDS.get(entry["type"], tarfile.REGTYPE)
            info.linkname = entry.get("target", "")
            info.mode = entry.get("mode", 0o644)
            info.size = len(data) if info.type == tarfile.REGTYPE else 0
            archive.addfile(info, io.BytesIO(data))
    print(json.dumps(digests))


if __name__ == "__main__":
    main()
