#!/usr/bin/env python3
"""Which message answers which, for judging a search: a reply's own words are the query, its parent is the answer.

Made from the SpamAssassin corpus' wanted mail, the same way every time. Of a reply everything is left out that its
parent says too: the quoted text, the line above it, the subject; and what programs put under it. FROZEN is the digest of
the ids of all pairs, so that a set that has changed is told from the one that figures were published for; the mail itself
is nowhere in this repository. A third is for choosing settings (`dev`), the rest for judging them (`test`).

    scripts/mail_relevance.py ARCHIVE [--json]
"""
import email
import email.policy
import hashlib
import json
import re
import sys
import tarfile

FROZEN = "fd49d0a9ba78228c37cdd6d2cf499e0741dcddcffd5c9a366668b7f16f96cf7e"
PAIRS, SHORTEST, LONGEST, FEWEST_WORDS = 900, 40, 300, 6
IDS = re.compile(r"<([^<>\s]+)>")
SIGNATURE = re.compile(r"^(-- ?$|_{5,}|-{5,}|={5,}|\*{5,})")
ATTRIBUTION = re.compile(r"(wrote|writes|said|schrieb)\b.{0,40}:?\s*$|^On .{10,120}:?$|^>?From: |^-+ ?Original Message")


def ids(header):
    return IDS.findall(str(header or ""))


def read(archive):
    """Wanted messages in the order of their names: (id, parents, message)."""
    with tarfile.open(archive) as tar:
        members = sorted((m for m in tar if m.isfile() and "-ham-" in m.name), key=lambda m: m.name)
        for member in members:
            message = email.message_from_bytes(tar.extractfile(member).read(), policy=email.policy.compat32)
            own = ids(message.get("Message-ID"))
            if own:
                yield own[0], ids(message.get("In-Reply-To"))[-1:] or ids(message.get("References"))[-1:], message


def plain_text(message):
    part = next((part for part in message.walk() if part.get_content_type() == "text/plain"), None)
    payload = part.get_payload(decode=True) if part else None
    return (payload or b"").decode(part.get_content_charset("latin-1") if part and is_known(part) else "latin-1", "replace")


def is_known(part):
    try:
        "".encode(part.get_content_charset("latin-1"))
    except LookupError:
        return False
    return True


def own_words(text):
    """What the writer added, on one line, cut at the end of a word."""
    kept = []
    for line in text.splitlines():
        if SIGNATURE.match(line):
            break
        if line.lstrip().startswith((">", "|", ":")) or ATTRIBUTION.search(line):
            continue
        kept.append(line)
    words, query = " ".join(kept).split(), ""
    for word in words:
        if len(query) + len(word) >= LONGEST:
            break
        query = f"{query} {word}".strip()
    return query


def pairs(archive):
    """(reply, parent, query) in the order of a digest, so that nothing about the mail decides who is in which part."""
    messages = list(read(archive))
    known = {own for own, _, _ in messages}
    found, queries = {}, set()
    for own, parents, message in messages:
        query = own_words(plain_text(message))
        is_long = len(query) >= SHORTEST and len(query.split()) >= FEWEST_WORDS
        if parents and parents[0] in known and parents[0] != own and is_long and query not in queries:
            queries.add(query)
            found.setdefault(own, (own, parents[0], query))
    ordered = sorted(found.values(), key=lambda pair: hashlib.sha256(pair[0].encode("utf-8", "replace")).digest())
    return ordered[:PAIRS]


def digest(found):
    text = "".join(f"{own} {parent}\n" for own, parent, _ in found)
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def parts(archive):
    """`dev` and `test`; fails where they are not the frozen ones."""
    found = pairs(archive)
    if digest(found) != FROZEN:
        sys.exit(f"mail_relevance: the pairs' digest is {digest(found)}, and figures were published for {FROZEN}")
    third = len(found) // 3
    return {"dev": found[:third], "test": found[third:]}


if __name__ == "__main__":
    made = pairs(sys.argv[1])
    print(json.dumps(made, indent=1) if "--json" in sys.argv else f"{len(made)} pairs, digest {digest(made)}")
