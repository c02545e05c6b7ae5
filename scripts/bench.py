#!/usr/bin/env python3
"""Measures Breeze against its peers in the same run and holds the figures against Benchmarks/thresholds.json.

The part `encoder`: all sides embed the same texts, one thread, one text at a time, in alternating rounds; the best
round of each counts. CPU-seconds, so that other work on the machine disturbs little. The peers: ONNX Runtime from
Python over the graph that Breeze made, and sentence-transformers where it is installed for the Python that runs this.
The other parts: see scripts/bench_llama.py and its neighbours. What this machine cannot show is named and not judged.
Exit code 1 when a figure misses its threshold.

    make bench [ARGS="[encoder] [llama] [tokenizer] [hub] [vectors] [mail] [--rounds N] [--threads N …] [--seconds N] [--json]"]
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

import bench_hub
import bench_llama
import bench_mail
import bench_mailjudge
import bench_mailsearch
import bench_tokenizer
import bench_vectors
import numpy
import onnxruntime
from bench_program import Program
from tokenizers import Tokenizer

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = pathlib.Path(os.environ.get("BREEZE_SHARED", ROOT.parent / "shared")) / "data/text"
TEXTS, SHORTEST, LONGEST, SEED = 100, 20, 256, 7


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


def sts_spearman(breeze, encoder):
    pairs = sts_pairs()
    if not pairs:
        return None
    texts = sorted({text for pair in pairs for text in pair[:2]})
    vectors = dict(zip(texts, breeze.ask(kind="embed", encoder=encoder, texts=texts)["embeddings"]))
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


def cpu_flags():
    """The vector extensions that decide over the kernels, as the kernel of the system names them."""
    known = ["avx2", "avx512f", "avx512_bf16", "avx512_vnni", "avx_vnni", "amx_int8", "asimddp", "i8mm"]
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return []
    words = set(text.split())
    return [flag for flag in known if flag in words]


def has_integer_dot_product(flags):
    return not {"avx512_vnni", "avx_vnni", "amx_int8", "asimddp", "i8mm"}.isdisjoint(flags)


def install(arguments, home):
    environment = dict(os.environ, BREEZE_HOME=home)
    command = [arguments.breeze, "models", "import", arguments.model]
    imported = subprocess.run(command, env=environment, capture_output=True, text=True)
    if imported.returncode:
        sys.exit(f"bench: the import failed: {imported.stderr}")
    return environment, pathlib.Path(arguments.model).name.lower()


def sentence_transformers(arguments):
    """The embeddings by the publisher's own library, where it is installed beside the test tools."""
    try:
        import torch
        from sentence_transformers import SentenceTransformer
    except ImportError:
        return None
    torch.set_num_threads(1)
    model = SentenceTransformer(arguments.model, device="cpu")
    return lambda texts: model.encode(texts, batch_size=1, show_progress_bar=False)


def timed(work, texts):
    start = time.process_time()
    answer = work(texts)
    return time.process_time() - start, answer


def measure_encoder(arguments, home, model, figures):
    """The fast and the portable runtime, and the peers, in alternating rounds over the same texts."""
    breeze = Program(arguments.program)
    fast = breeze.ask(kind="load", home=home, model=model, runtime="litert", workers=1)
    if not fast["runtime"].startswith("LiteRT"):
        sys.exit(f"bench: LiteRT does not run here; {fast['runtime']} answered. See: breeze doctor")
    portable = breeze.ask(kind="load", home=home, model=model, runtime="onnxruntime", workers=1)
    peer = Peer(portable["graph"], str(pathlib.Path(arguments.model) / "tokenizer.json"))
    peer.tokenizer.no_truncation()
    texts, lengths, source = mixed_texts(peer.tokenizer)
    peer.tokenizer.enable_truncation(LONGEST)
    publisher = sentence_transformers(arguments)
    rounds = {"fast": [], "portable": [], "peer": [], "publisher": []}
    for _ in range(arguments.rounds):
        quick = breeze.ask(kind="embed", encoder=0, texts=texts)
        rounds["fast"].append(quick["cpuSeconds"])
        exact = breeze.ask(kind="embed", encoder=1, texts=texts)
        rounds["portable"].append(exact["cpuSeconds"])
        spent, vectors = timed(peer.embed, texts)
        rounds["peer"].append(spent)
        if publisher:
            rounds["publisher"].append(timed(publisher, texts)[0])
    best = {name: min(times) / TEXTS for name, times in rounds.items() if times}
    cosines = [cosine(a, b) for a, b in zip(quick["embeddings"], vectors)]
    figures |= {
        "texts": f"{TEXTS} of {min(lengths)}-{max(lengths)} tokens, mean {sum(lengths) / TEXTS:.0f}, from {source}",
        "runtimes": [fast["runtime"], portable["runtime"], f"ONNX Runtime {onnxruntime.__version__} from Python"],
        "secondsPerText": best,
        "encoderRatio": best["peer"] / best["portable"],
        "fastRatio": best["peer"] / best["fast"],
        "publisherRatio": best["publisher"] / best["fast"] if publisher else None,
        "leastCosine": min(cosine(a, b) for a, b in zip(exact["embeddings"], vectors)),
        "meanFastCosine": sum(cosines) / len(cosines),
        "leastFastCosine": min(cosines),
    }
    exact, quick = sts_spearman(breeze, 1), sts_spearman(breeze, 0)
    figures |= {
        "stsSpearman": quick,
        "stsSpearmanExact": exact,
        "stsLoss": None if exact is None else exact - quick,
    }
    overhead = breeze.ask(kind="overhead", count=5000)
    figures |= {"engineRequest": overhead["engine"], "engineOverhead": overhead["engine"] - overhead["runnerAlone"]}
    checks = [breeze.ask(kind="guardian", texts=texts)["cpuSeconds"] for _ in range(arguments.rounds)]
    figures["guardianCost"] = min(checks) / sum(len(text) for text in texts) * 1000
    return texts


def measure_crowd(arguments, figures):
    """Fifty clients at one mock runner, in a process of their own."""
    crowd = Program(arguments.program).ask(kind="crowd", clients=50, count=10_000)
    figures |= {
        "crowdRequest": crowd["engine"],
        "crowdOverhead": crowd["engine"] - crowd["runnerAlone"],
        "crowdGrowthBytes": crowd.get("growth"),
    }


def measure_workers(arguments, home, model, texts, figures):
    """Memory, load and idling with two workers, each load in a process of its own; then two against one."""
    loads, resident, idle = [], [], []
    for _ in range(arguments.rounds):
        breeze = Program(arguments.program)
        baseline = breeze.ask(kind="overhead", count=1) and breeze.ask(kind="idle")["resident"]
        loads.append(breeze.ask(kind="load", home=home, model=model, runtime="litert", workers=2)["wallSeconds"])
        resident.append(breeze.ask(kind="embed", texts=texts)["resident"] - baseline)
        idle.append(breeze.ask(kind="idle")["cpuSeconds"])
        breeze.process.kill()
    breeze = Program(arguments.program)
    for workers in (1, 2):
        breeze.ask(kind="load", home=home, model=model, runtime="litert", workers=workers)
    walls, busy = {0: [], 1: []}, []
    for _ in range(2 * arguments.rounds):
        for encoder in walls:
            answer = breeze.ask(kind="embed", encoder=encoder, texts=texts)
            walls[encoder].append(answer["wallSeconds"])
        busy.append(answer["cpuSeconds"] / answer["wallSeconds"])
    figures |= {
        "loadSeconds": min(loads),
        "memoryBytes": max(resident),
        "idleShare": min(idle),
        "twoWorkersRatio": min(walls[0]) / min(walls[1]),
        # Of two cores, what the machine gave the two workers in the best round.
        "coresGiven": max(busy),
    }


def measure(arguments):
    flags = cpu_flags()
    figures = {"machine": platform.processor() or platform.machine(), "cpuFlags": flags, "rounds": arguments.rounds}
    with tempfile.TemporaryDirectory() as home:
        environment, model = install(arguments, home)
        texts = measure_encoder(arguments, home, model, figures)
        measure_workers(arguments, home, model, texts, figures)
        measure_crowd(arguments, figures)
        figures["emailIntent"] = email_intent(arguments, environment)
    return figures | {"notJudged": not_judged(figures)}


def not_judged(figures):
    """What this machine cannot show, and why."""
    reasons = {}
    if not has_integer_dot_product(figures["cpuFlags"]):
        reasons["fastRatio"] = "this processor has no integer dot product (VNNI)"
    if figures["publisherRatio"] is None:
        reasons["publisherRatio"] = "sentence-transformers and torch are not installed beside the test tools"
    if (os.cpu_count() or 1) < 2:
        reasons["twoWorkersRatio"] = "this machine has one core"
    elif figures["coresGiven"] < 1.9:
        reasons["twoWorkersRatio"] = f"the machine was busy: it gave two workers {figures['coresGiven']:.2f} cores"
    if figures["crowdGrowthBytes"] is None:
        reasons["crowdGrowthBytes"] = "the system does not tell a process its resident memory"
    if figures["stsSpearman"] is None:
        reasons["stsLoss"] = "the test data is not there (set BREEZE_SHARED)"
    return reasons


def report(figures):
    spent = figures["secondsPerText"]
    fast, portable, peer = figures["runtimes"]
    yield f"processor: {figures['machine']}, {' '.join(figures['cpuFlags']) or 'flags not known'}"
    yield f"encoder, {figures['texts']}, {figures['rounds']} alternating rounds, 1 thread, CPU ms a text:"
    rows = [(f"Breeze, {fast}", "fast"), (f"Breeze, {portable}", "portable"), (peer, "peer")]
    for name, key in rows + [("sentence-transformers, torch", "publisher")]:
        if key in spent:
            yield f"  {name:<36}{spent[key] * 1e3:8.2f}"
    yield f"  least cosine, portable to peer      {figures['leastCosine']:.7f}"
    yield f"  cosine, fast to peer, mean / least  {figures['meanFastCosine']:.5f} / {figures['leastFastCosine']:.5f}"
    yield (
        f"two workers: {figures['twoWorkersRatio']:.2f} times one ({figures['coresGiven']:.2f} cores given), "
        f"{figures['memoryBytes'] / 1e6:.0f} MB above the start, load {figures['loadSeconds'] * 1e3:.0f} ms from a "
        f"warm cache, idle {figures['idleShare']:.4f} CPU-seconds a second"
    )
    if figures["stsSpearman"] is None:
        yield "quality: not measured, the test data is not there (set BREEZE_SHARED)"
    else:
        yield (
            f"quality, STS-B test, Spearman: {figures['stsSpearman']:.4f}, "
            f"in fp32 {figures['stsSpearmanExact']:.4f}"
        )
        intent = figures["emailIntent"]
        yield (
            f"quality, few-shot head, email intent: accuracy {intent['accuracy']:.4f} on {intent['count']} texts, "
            f"{intent['majorityBaseline']:.4f} for the majority class alone"
        )
    yield f"engine, p50 CPU of a mock request: {figures['engineRequest'] * 1e6:.0f} us"
    yield f"guardian, CPU for 1,000 characters: {figures['guardianCost'] * 1e6:.0f} us"
    yield f"engine, mean CPU of a mock request among 50 clients: {figures['crowdRequest'] * 1e6:.0f} us"


def verdicts(part, figures):
    thresholds = json.loads((ROOT / "Benchmarks/thresholds.json").read_text())[part]
    for name, bar in thresholds.items():
        if name in figures["notJudged"]:
            value = figures[name]
            seen = "" if value is None else f" {value:.6g}"
            yield True, f"not judged {name}{seen}: {figures['notJudged'][name]}"
            continue
        value = figures[name]
        met = value >= bar["atLeast"] if "atLeast" in bar else value <= bar["atMost"]
        limit = f"at least {bar['atLeast']}" if "atLeast" in bar else f"at most {bar['atMost']}"
        yield met, f"{'met   ' if met else 'MISSED'} {name} {value:.6g} ({limit}): {bar['meaning']}"


def measure_llama(arguments):
    figures = bench_llama.measure(arguments, pathlib.Path(os.environ["BREEZE_CACHE"]))
    return figures | {"notJudged": bench_llama.not_judged(figures)}


def measure_hub(arguments):
    tokenizer = Tokenizer.from_file(str(arguments.model / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    texts, _, _ = mixed_texts(tokenizer)
    figures = bench_hub.measure(arguments, texts)
    return figures | {"notJudged": bench_hub.not_judged(figures)}


PARTS = {"encoder": (measure, report), "llama": (measure_llama, bench_llama.report),
         "tokenizer": (bench_tokenizer.measure, bench_tokenizer.report), "hub": (measure_hub, bench_hub.report),
         "vectors": (bench_vectors.measure, bench_vectors.report), "mail": (bench_mail.measure, bench_mail.report),
         "mailsearch": (bench_mailsearch.measure, bench_mailsearch.report),
         "mailjudge": (lambda arguments: bench_mailjudge.measure(arguments, install), bench_mailjudge.report)}


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"all without one: {', '.join(PARTS)}")
    for name in ("program", "breeze", "model", "tools", "prefix"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, nargs="+", default=sorted({1, min(2, os.cpu_count() or 1)}))
    parser.add_argument("--seconds", type=float, default=60, help="of the hub's requests, and of its streams")
    parser.add_argument("--rows", type=int, default=1_000_000, help="of the vectors")
    parser.add_argument("--copies", type=int, default=100_000, help="messages that a search is timed over")
    parser.add_argument("--blobs", action="store_true", help="read the vectors from SQLite blobs, too")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.parts) - set(PARTS)
    if unknown:
        parser.error(f"there is no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    return arguments


def main():
    arguments = read_arguments()
    parts = {}
    all_met = True
    for part in arguments.parts or PARTS:
        measured, told = PARTS[part]
        parts[part] = measured(arguments)
        judged = list(verdicts(part, parts[part]))
        all_met = all_met and all(met for met, _ in judged)
        if not arguments.json:
            print("\n".join([*told(parts[part]), *(line for _, line in judged)]), flush=True)
    if arguments.json:
        print(json.dumps(parts, indent=2))
    sys.exit(0 if all_met else 1)


if __name__ == "__main__":
    main()
