#!/usr/bin/env python3
"""Fails where the mail in Examples is not what its READMEs say, and prints what is in it: Mailbox and MailTraining.

Its labels and searches name messages by id, so that a message that is edited or dropped would leave them
pointing at nothing; and a link that somebody can register has no place in it.
"""

import collections
import datetime
import email
import email.policy
import ipaddress
import json
import pathlib
import re
import sys
import urllib.parse

CATEGORIES = {"primary", "social", "promotions", "updates", "forums"}
LABELS = {"category", "spam", "phishing", "thread", "needsReply"}
LEARNED = ["category", "spam", "phishing", "name", "from", "subject", "text", "bulk"]
KINDS = {"meaning", "words", "both"}
FIRST, LAST = datetime.date(2026, 9, 1), datetime.date(2026, 11, 30)
MAX_BYTES = 450 * 1024
# RFC 2606 and RFC 6761.
RESERVED_TLDS = {"example", "test", "invalid", "localhost"}
RESERVED_DOMAINS = {"example.com", "example.net", "example.org"}
# Spam and phish need the top-level domains they like best. ICANN's agreement with the registries of these
# withholds the label "example" from registration (specification 5).
WITHHELD_DOMAINS = {f"example.{tld}" for tld in ("click", "icu", "shop", "top", "xyz")}
# RFC 5737.
DOCUMENTATION = [ipaddress.ip_network(net) for net in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")]
# RFC 1918: a house's own.
PRIVATE = [ipaddress.ip_network("10.0.0.0/8"), ipaddress.ip_network("192.168.0.0/16")]
# Its References name messages that nobody has: what joins it is the subject.
BROKEN_THREADS = {"invoice"}

URL = re.compile(r"\bhttps?://[^\s\"'<>)]+")
# Without a name before it, it is someone's name in a network; without a letter at its end, a version.
BEHIND_AT = re.compile(r"""(?<=[\w.+="'-])@((?:[\w-]+\.)+[^\W\d]\w*)""")
WWW = re.compile(r"\bwww\.(?:[\w-]+\.)+\w+")
IPV4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
MESSAGE_ID = re.compile(r"<([^<>\s]+)>")
REPLY_MARKS = re.compile(r"^(?:(?:re|aw|fwd)\s*:\s*)+", re.I)


def read(maildir):
    """Every message of a Maildir++ tree by its path; hidden files, such as .gitkeep, are none."""
    for file in sorted(maildir.rglob("*")):
        if file.is_file() and file.parent.name in ("cur", "new") and not file.name.startswith("."):
            yield file, email.message_from_bytes(file.read_bytes(), policy=email.policy.default)


def texts(message):
    """What a reader or a program may find an address in: all headers, and all parts that are text."""
    for part in message.walk():
        yield from (str(value) for value in part.values())
        if part.get_content_maintype() == "text":
            yield part.get_content()


def hosts(text):
    # Click trackers carry their target percent-encoded.
    for form in {text, urllib.parse.unquote(text)}:
        yield from (urllib.parse.urlsplit(url).hostname or "" for url in URL.findall(form))
        yield from (host for pattern in (BEHIND_AT, WWW, IPV4) for host in pattern.findall(form))


def is_reserved(host):
    if IPV4.fullmatch(host):
        return any(ipaddress.ip_address(host) in net for net in DOCUMENTATION + PRIVATE)
    labels = host.lower().rstrip(".").split(".")
    domain = ".".join(labels[-2:])
    return labels[-1] in RESERVED_TLDS or domain in RESERVED_DOMAINS | WITHHELD_DOMAINS


def message_problems(shown, message):
    for part in message.walk():
        yield from (f"{shown}: {type(defect).__name__}" for defect in part.defects)
    if message["Date"] and not FIRST <= message["Date"].datetime.date() <= LAST:
        yield f"{shown}: {message['Date']} lies outside {FIRST} to {LAST}"
    for host in sorted({host for text in texts(message) for host in hosts(text)}):
        if not is_reserved(host):
            yield f"{shown}: {host} is not reserved for examples"


def label_problems(labels, ids):
    for name in sorted(ids ^ labels.keys()):
        yield f"labels.json: {name} " + ("has no message" if name in labels else "is missing")
    for name, label in labels.items():
        if label["category"] not in CATEGORIES:
            yield f"labels.json: {name} has the category {label['category']}"
        if label.keys() - {"signs"} != LABELS:
            yield f"labels.json: {name} has other keys than {', '.join(sorted(LABELS))}"
        if label["phishing"] != bool(label.get("signs")):
            yield f"labels.json: {name} needs its signs where it is phish, and none elsewhere"
        if label["spam"] and label["phishing"]:
            yield f"labels.json: {name} is spam and phish; it has to be one"


def search_problems(searches, ids):
    for search in searches:
        if search["kind"] not in KINDS:
            yield f"searches.json: {search['query']!r} has the kind {search['kind']}"
        for name in search["messages"] or ["nothing"]:
            if name not in ids:
                yield f"searches.json: {search['query']!r} expects {name}, which is no message"


def parents(message):
    return set(MESSAGE_ID.findall(f"{message['References'] or ''} {message['In-Reply-To'] or ''}"))


def thread_problems(messages, labels):
    """Links that lead nowhere or to another thread, and threads that nothing holds together."""
    threads = collections.defaultdict(list)
    for name, message in messages.items():
        thread = labels[name]["thread"]
        threads[thread].append(name)
        for parent in sorted(parents(message)):
            if parent not in messages and thread not in BROKEN_THREADS:
                yield f"{name}: refers to {parent}, which is no message"
            if parent in messages and (thread is None or labels[parent]["thread"] != thread):
                yield f"{name}: refers to {parent}, which is labelled as another thread"
    threads.pop(None, None)
    for thread, names in threads.items():
        subjects = {REPLY_MARKS.sub("", messages[name]["Subject"] or "") for name in names}
        roots = [name for name in names if not any(parent in messages for parent in parents(messages[name]))]
        if len(names) < 2 or (len(roots) > 1 and len(subjects) > 1):
            yield f"labels.json: nothing holds the thread {thread} together"


def print_counts(messages, labels, searches, size):
    wanted = [label for label in labels.values() if not label["spam"] and not label["phishing"]]
    print(f"{len(messages)} messages, {size} bytes")
    for category, count in collections.Counter(label["category"] for label in wanted).most_common():
        print(f"{count} {category}")
    print(f"{sum(label['spam'] for label in labels.values())} spam")
    print(f"{sum(label['phishing'] for label in labels.values())} phish")
    print(f"{len({label['thread'] for label in labels.values()} - {None})} threads")
    print(f"{sum(label['needsReply'] for label in labels.values())} wait for a reply")
    for kind, count in collections.Counter(search["kind"] for search in searches).most_common():
        print(f"{count} searches by {kind}")


def check(root):
    labels = json.loads((root / "labels.json").read_text())
    searches = json.loads((root / "searches.json").read_text())
    messages, problems, size = {}, [], 0
    for file, message in read(root / "Maildir"):
        shown = file.relative_to(root)
        size += file.stat().st_size
        problems += message_problems(shown, message)
        name = (message["Message-ID"] or "").strip("<> ")
        if not name or name in messages:
            problems.append(f"{shown}: no message id of its own")
        messages[name] = message
    problems += [*label_problems(labels, messages.keys()), *search_problems(searches, messages.keys())]
    if messages.keys() <= labels.keys():
        problems += thread_problems(messages, labels)
    if size > MAX_BYTES:
        problems.append(f"{size} bytes of mail are more than {MAX_BYTES}")
    print_counts(messages, labels, searches, size)
    return problems


def check_learned(folder):
    """What the heads are trained on."""
    texts, kinds, problems = set(), collections.Counter(), []
    for file in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            example, shown = json.loads(line), f"{file.name}:{number}"
            kinds["spam" if example["spam"] else "phish" if example["phishing"] else example["category"]] += 1
            if list(example) != LEARNED or example["category"] not in CATEGORIES:
                problems.append(f"{shown}: other keys than {', '.join(LEARNED)}, or no category")
            if example["spam"] and example["phishing"]:
                problems.append(f"{shown}: spam and phish; it has to be one")
            text = " ".join(example["text"].split())
            if text in texts:
                problems.append(f"{shown}: stands there twice")
            texts.add(text)
            for host in sorted(set(hosts(" ".join([example["from"], example["subject"], example["text"]])))):
                if host.strip(".") and not is_reserved(host):
                    problems.append(f"{shown}: {host} is not reserved for examples")
    print(f"{kinds.total()} examples to learn from: {', '.join(f'{n} {kind}' for kind, n in kinds.most_common())}")
    return problems


def main():
    examples = pathlib.Path(__file__).resolve().parent.parent / "Examples"
    problems = check(examples / "Mailbox") + check_learned(examples / "MailTraining")
    print("\n".join(problems), file=sys.stderr, end="\n" if problems else "")
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
