#!/usr/bin/env python3
"""Measures Breeze against a peer in the same run and holds the figures against Benchmarks/thresholds.json.

Both sides embed the same texts with the same graph, one thread, one text at a time, in alternating rounds; the best
round of each counts. CPU-seconds, so that other work on the machine disturbs little. Exit code 1 when a figure misses
its threshold.

    python3 scripts/bench.py BENCHMARK_PROGRAM BREEZE_PROGRAM MODEL_DIRECTORY [--rounds N] [--json]
"""
import argparse
import csv
import json
import os
import pathlib
import platform
import random
import subprocess
import sys
import tempfile
import time

import numpy
import onnxruntime
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("BREEZE_SHARED", ROOT.parent / "shared")) / "data/text"
TEXTS, SHORTEST, LONGEST, SEED = 100, 20, 256, 7


class Breeze:
    """The benchmark program, a line of JSON in and a line out."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **command):
        self.process.stdin.write(json.dumps(command) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"bench: the benchmark program ended (exit code {self.process.wait()})")
        return json.loads(line)


class Peer:
    """ONNX Runtime from Python, with HF tokenizers before it."""

    def __init__(self, graph, tokenizer):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(LONGEST)

    def embed(self, texts):
        vectors = []
        for text in texts:
            ids = numpy.array([self.tokenizer.encode(text).ids], numpy.int64)
            feeds = {
                "input_ids": ids,
                "attention_mask": numpy.ones_like(ids),
                "token_type_ids": numpy.zeros_like(ids),
            }
            vectors.append(self.session.run(["sentence_embedding"], feeds)[0][0])
        return vectors


def sts_pairs():
    """STS-B's test set as (text, text, similarity), or nothing where the test data is not there."""
    file = DATA / "stsb/data/stsb-en-test.csv"
    if not file.exists():
        return []
    with file.open(newline="", encoding="utf-8") as rows:
        return [(row[0], row[1], float(row[2])) for row in csv.reader(rows)]


def sentences():
    """Real sentences where the test data is there, else the words of our own documents."""
    pairs = sts_pairs()
    if pairs:
        return [pair[0] for pair in pairs], "STS-B"
    return (ROOT / "README.md").read_text(encoding="utf-8").split(". "), "the README"


def mixed_texts(tokenizer):
    """TEXTS texts of SHORTEST to LONGEST tokens, the same ones every time."""
    dice = random.Random(SEED)
    pool, source = sentences()
    texts, lengths = [], []
    for _ in range(TEXTS):
        wanted, text = dice.randint(SHORTEST, LONGEST), ""
        while len(tokenizer.encode(text).ids) < wanted:
            text = f"{text} {dice.choice(pool)}".strip()
        texts.append(text)
        lengths.append(min(len(tokenizer.encode(text).ids), LONGEST))
    return texts, lengths, source


def cosine(a, b):
    a, b = numpy.asarray(a, numpy.float64), numpy.asarray(b, numpy.float64)
    return float(a @ b / (numpy.linalg.norm(a) * numpy.linalg.norm(b)))


def ranks(values):
    """Places in order, equals sharing the mean of theirs."""
    values = numpy.asarray(values)
    _, group, sizes = numpy.unique(values, return_inverse=True, return_counts=True)
    ends = numpy.cumsum(sizes)
    return (ends - (sizes - 1) / 2)[group]


def spearman(a, b):
    return float(numpy.corrcoef(ranks(a), ranks(b))[0, 1])


def sts_spearman(breeze):
    pairs = sts_pairs()
    if not pairs:
        return None
    texts = sorted({text for pair in pairs for text in pair[:2]})
    vectors = dict(zip(texts, breeze.ask(kind="embed", texts=texts)["embeddings"]))
    return spearman([cosine(vectors[a], vectors[b]) for a, b, _ in pairs], [score for *_, score in pairs])


def email_intent(arguments, environment):
    """Accuracy of the few-shot head, learnt from the training part and held against the test part."""
    folder = DATA / "email_intent/src/resources"
    files = {"--examples": "Ask0729-fixed.txt", "--evaluate": "testSet-qualifiedBatch-fixed.txt"}
    if not folder.exists():
        return None
    options = [word for option, name in files.items() for word in (option, str(folder / name))]
    answer = subprocess.run(
        [arguments.breeze, "classify", "--json", *options], env=environment, capture_output=True, text=True
    )
    if answer.returncode:
        sys.exit(f"bench: the classification failed: {answer.stderr}")
    return json.loads(answer.stdout)


def measure(arguments):
    with tempfile.TemporaryDirectory() as home:
        environment = dict(os.environ, BREEZE_HOME=home)
        imported = subprocess.run(
            [arguments.breeze, "models", "import", arguments.model], env=environment, capture_output=True, text=True
        )
        if imported.returncode:
            sys.exit(f"bench: the import failed: {imported.stderr}")
        breeze = Breeze(arguments.program)
        loaded = breeze.ask(kind="load", home=home, model=pathlib.Path(arguments.model).name.lower())
        peer = Peer(loaded["graph"], str(pathlib.Path(arguments.model) / "tokenizer.json"))
        peer.tokenizer.no_truncation()
        texts, lengths, source = mixed_texts(peer.tokenizer)
        peer.tokenizer.enable_truncation(LONGEST)
        ours, theirs = [], []
        for _ in range(arguments.rounds):
            answer = breeze.ask(kind="embed", texts=texts)
            ours.append(answer["cpuSeconds"])
            start = time.process_time()
            vectors = peer.embed(texts)
            theirs.append(time.process_time() - start)
        overhead = breeze.ask(kind="overhead", count=5000)
        return {
            "machine": platform.processor() or platform.machine(),
            "onnxruntime": onnxruntime.__version__,
            "texts": f"{TEXTS} of {min(lengths)}-{max(lengths)} tokens, mean {sum(lengths) / TEXTS:.0f}, from {source}",
            "rounds": arguments.rounds,
            "breezeSeconds": min(ours) / TEXTS,
            "peerSeconds": min(theirs) / TEXTS,
            "encoderRatio": min(theirs) / min(ours),
            "leastCosine": min(cosine(a, b) for a, b in zip(answer["embeddings"], vectors)),
            "stsSpearman": sts_spearman(breeze),
            "emailIntent": email_intent(arguments, environment),
            "engineRequest": overhead["engine"],
            "engineOverhead": overhead["engine"] - overhead["runnerAlone"],
        }


def quality_lines(figures):
    if figures["stsSpearman"] is None:
        return "quality: not measured, the test data is not there (set BREEZE_SHARED)"
    intent = figures["emailIntent"]
    return (
        f"quality, STS-B test, Spearman: {figures['stsSpearman']:.4f}\n"
        f"quality, few-shot head, email intent: accuracy {intent['accuracy']:.4f} on {intent['count']} texts, "
        f"{intent['majorityBaseline']:.4f} for the majority class alone"
    )


def verdicts(figures):
    thresholds = json.loads((ROOT / "Benchmarks/thresholds.json").read_text())
    for name, bar in thresholds.items():
        value = figures[name]
        met = value >= bar["atLeast"] if "atLeast" in bar else value <= bar["atMost"]
        limit = f"at least {bar['atLeast']}" if "atLeast" in bar else f"at most {bar['atMost']}"
        yield met, f"{'met   ' if met else 'MISSED'} {name} {value:.6g} ({limit}): {bar['meaning']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("breeze")
    parser.add_argument("model")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    figures = measure(arguments)
    judged = list(verdicts(figures))
    if arguments.json:
        print(json.dumps(figures, indent=2))
    else:
        print(f"encoder, {figures['texts']}, {figures['rounds']} alternating rounds, 1 thread, CPU ms a text:")
        print(f"  Breeze                      {figures['breezeSeconds'] * 1e3:8.2f}")
        print(f"  ONNX Runtime from Python    {figures['peerSeconds'] * 1e3:8.2f}   (version {figures['onnxruntime']})")
        print(f"  least cosine between the two {figures['leastCosine']:.7f}")
        print(quality_lines(figures))
        print(f"engine, p50 CPU of a mock request: {figures['engineRequest'] * 1e6:.0f} us")
        print("\n".join(line for _, line in judged))
    sys.exit(0 if all(met for met, _ in judged) else 1)


if __name__ == "__main__":
    main()
