#!/usr/bin/env python3
"""The part `mailsearch` of bench.py: how well mail is found, and how fast.

Quality: of the pairs of mail_relevance.py a reply's own words are the query and its parent the one right answer, among
all messages of the SpamAssassin corpus; the reply itself is passed over. Recall and mean reciprocal rank of the first
ten, by words, by meaning and by both, with intervals from a thousand bootstrap samples of the queries. The difference
of two ways is taken query by query.

Speed: wall time of a whole search in a program that runs, the query's embedding included, over messages that are
made from the corpus' sentences. Their vectors are random: how long a search takes does not depend on what they say. A
third of the queries are single words that stand in most messages.
"""
import collections
import json
import pathlib
import random
import re
import tarfile
import tempfile

import bench_mail
import mail_relevance
from bench_program import Program

MODES = ("words", "meaning", "both")
FIRST, SAMPLES, SEED, QUERIES = 10, 1000, 5, 300
WORD = re.compile(r"[A-Za-z]{2,}")
OPERATOR = re.compile(r"^[-(\"“„«]+|\*+$")
FIELD = re.compile(r"\b([A-Za-z]+):(?=[^\s/])")


# Quality


def scores(found, pairs):
    """Of each query whether the parent is among the first, and one by its place."""
    hits = []
    for ids, (own, parent, _) in zip(found, pairs):
        others = list(dict.fromkeys(name for name in ids if name != own))[:FIRST]
        hits.append((1.0, 1 / (others.index(parent) + 1)) if parent in others else (0.0, 0.0))
    return hits


def interval(values):
    """The mean, and between which values 95 of 100 bootstrap samples have theirs."""
    dice = random.Random(SEED)
    means = sorted(sum(dice.choices(values, k=len(values))) / len(values) for _ in range(SAMPLES))
    return [sum(values) / len(values), means[SAMPLES // 40], means[-SAMPLES // 40 - 1]]


def judge_quality(program, pairs):
    queries = [typed(query) for _, _, query in pairs]
    ways = {}
    for mode in MODES:
        answer = program.ask(kind="search", queries=queries, mode=mode, limit=FIRST + 5)
        ways[mode] = scores(answer["found"], pairs)
        if answer["notices"].get("no_meaning"):
            raise SystemExit("bench: meaning was not searched; see: breeze doctor")
    figures = {}
    for place, name in enumerate(("recall", "mrr")):
        figures[name] = {mode: interval([score[place] for score in hits]) for mode, hits in ways.items()}
        for better, worse in (("meaning", "words"), ("both", "words"), ("both", "meaning")):
            differences = [one[place] - other[place] for one, other in zip(ways[better], ways[worse])]
            figures[name][f"{better} - {worse}"] = interval(differences)
    return figures


def typed(text):
    """As it was written, since an encoder reads punctuation, but for what would be an operator or a field."""
    words = (OPERATOR.sub("", word) for word in FIELD.sub(r"\1: ", text).split())
    return " ".join(word for word in words if word and word not in ("AND", "OR", "NOT", "&&", "||"))


# Speed


def write_copies(archive, folder, count):
    """Maildirs of messages that are made from the corpus' lines; returns its words, the most frequent first."""
    with tarfile.open(archive) as tar:
        bodies = [
            tar.extractfile(member).read().decode("latin-1").partition("\n\n")[2]
            for member in sorted((m for m in tar if m.isfile() and "-ham-" in m.name), key=lambda m: m.name)
        ]
    lines = [line for body in bodies for line in body.splitlines() if 20 < len(line) < 200 and line.isascii()]
    frequency = collections.Counter(word.lower() for body in bodies for word in set(WORD.findall(body)))
    dice = random.Random(SEED)
    for number in range(count):
        box = folder / f".Box{number % 20}" / "cur"
        if number < 20:
            for part in ("cur", "new", "tmp"):
                (box.parent / part).mkdir(parents=True)
        subject = " ".join(dice.choice(lines).split()[:6])
        text = (
            f"From: Sender {number % 500} <sender{number % 500}@example.org>\nTo: reader@example.net\n"
            f"Subject: {subject}\nMessage-ID: <copy{number}@example.org>\n"
            f"Date: {1 + number % 28} Jan {1996 + number % 30} 10:00:00 +0000\n\n"
            + "\n".join(dice.choices(lines, k=dice.randint(4, 24))) + "\n"
        )
        (box / f"{1700000000 + number}.M{number}P1.bench:2,{'S' if number % 3 else ''}").write_text(text)
    bench_mail.settle(folder)
    return [word for word, _ in frequency.most_common()]


def typed_queries(words, pairs):
    """What people type: common words, two or three of all kinds, whole sentences, fields."""
    dice = random.Random(SEED)
    common, usual, rare = words[:100], words[100:3000], words[3000:]
    sentences = [" ".join(typed(query).split()[: dice.randint(4, 8)]) for _, _, query in pairs]
    kinds = [
        lambda: dice.choice(common),
        lambda: f"{dice.choice(common)} {dice.choice(common)}",
        lambda: dice.choice(usual),
        lambda: f"{dice.choice(usual)} {dice.choice(common)}",
        lambda: f"{dice.choice(usual)} {dice.choice(usual)}",
        lambda: f"{dice.choice(rare)} {dice.choice(usual)}",
        lambda: dice.choice(sentences),
        lambda: dice.choice(sentences),
        lambda: f"from:sender{dice.randrange(500)} {dice.choice(usual)}",
        lambda: f"{dice.choice(common)} date:{1996 + dice.randrange(25)}.. is:unread",
    ]
    return [kinds[number % len(kinds)]() for number in range(QUERIES)]


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(len(times) * share))]


def measure_speed(arguments, scratch, home, model, pairs):
    words = write_copies(bench_mail.ARCHIVE, scratch / "Copies", arguments.copies)
    place = index(arguments, scratch / "Copies", scratch / "copies.sqlite")
    program = Program(arguments.program, "mailsearch")
    program.ask(kind="open", home=home, model=model, **place)
    made = program.ask(kind="embed", isRandom=True)
    queries = typed_queries(words, pairs)
    figures = {"messages": arguments.copies, "vectors": made["passages"], "ways": {}}
    for mode in MODES:
        program.ask(kind="search", queries=queries[:20], mode=mode)
        answers = [program.ask(kind="search", queries=queries, mode=mode) for _ in range(arguments.rounds)]
        # Of each query its best round: what is asked is how long it takes, not how busy the machine was.
        times = [min(each) for each in zip(*(answer["times"] for answer in answers))]
        slowest = sorted(zip(times, queries), reverse=True)[:3]
        figures["ways"][mode] = {
            "p50": percentile(times, 0.5),
            "p95": percentile(times, 0.95),
            "p95AllRounds": percentile([time for answer in answers for time in answer["times"]], 0.95),
            "slowest": [[round(time, 4), query] for time, query in slowest],
        }
        figures["resident"] = answers[-1].get("resident")
    program.end()
    return figures


# All of it


def index(arguments, folder, database):
    place = {"database": str(database)}
    line = json.dumps({"kind": "index", "folder": str(folder), **place}) + "\n"
    bench_mail.run([arguments.program, "mail"], line=line)
    return place


def measure(arguments):
    import bench

    if not bench_mail.ARCHIVE.exists():
        missing = dict.fromkeys(JUDGED, "the test data is not there (set BREEZE_SHARED)")
        return dict.fromkeys(JUDGED) | {"quality": None, "notJudged": missing}
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "home").mkdir()
        scratch.chmod(0o700)
        _, model = bench.install(arguments, str(scratch / "home"))
        return measure_installed(arguments, scratch, str(scratch / "home"), model)


def measure_installed(arguments, scratch, home, model):
    pairs = mail_relevance.parts(bench_mail.ARCHIVE)["test"]
    count, _ = bench_mail.make_maildir(scratch / "Mail")
    program = Program(arguments.program, "mailsearch")
    program.ask(kind="open", home=home, model=model, **index(arguments, scratch / "Mail", scratch / "mail.sqlite"))
    made = program.ask(kind="embed")
    figures = {
        "messages": count, "queries": len(pairs), "passages": made["passages"],
        "passagesFailed": made["failed"], "passagesPerSecond": made["passages"] / made["seconds"],
        "quality": judge_quality(program, pairs),
    }
    program.end()
    return judge(figures | {"speed": measure_speed(arguments, scratch, home, model, pairs)})


JUDGED = ("mailMeaningGain", "mailBothGain", "mailSearchLatency")


def judge(figures):
    mrr, ways = figures["quality"]["mrr"], figures["speed"]["ways"]
    return figures | {
        "mailMeaningGain": mrr["meaning - words"][1],
        "mailBothGain": min(mrr["both - words"][1], mrr["both - meaning"][1]),
        "mailSearchLatency": max(way["p95"] for way in ways.values()),
        "notJudged": {},
    }


def report(figures):
    if not figures["quality"]:
        return
    yield (
        f"mail search, {figures['queries']} replies for their parents among {figures['messages']} messages, "
        f"{figures['passages']} passages ({figures['passagesPerSecond']:.0f} embedded a second); 95 % intervals:"
    )
    for name, shown in (("recall", f"recall@{FIRST}"), ("mrr", f"MRR@{FIRST}")):
        for way, (mean, low, high) in figures["quality"][name].items():
            yield f"  {shown:<10} {way:<16} {mean:.3f} ({low:.3f} to {high:.3f})"
    speed = figures["speed"]
    yield f"warm, {speed['messages']} messages, {speed['vectors']} vectors, {QUERIES} queries, wall ms p50 / p95:"
    for way, times in speed["ways"].items():
        yield (
            f"  {way:<8} {times['p50'] * 1e3:.1f} / {times['p95'] * 1e3:.1f} "
            f"(all rounds {times['p95AllRounds'] * 1e3:.1f}); slowest: {times['slowest'][0]}"
        )
