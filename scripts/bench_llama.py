"""Breeze's llama.cpp runner, in process and in a worker, against llama.cpp's own programs, in alternating rounds.

The models are of random weights, as fast and as large as Qwen3-0.6B, written and quantised once. All sides read the
same tokens, sample alike and use the same threads, with libgomp's passive waiting. The best round of each counts: in
CPU-seconds, which other work on the machine disturbs little, and in wall time where the machine was quiet.
"""
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request

from bench_program import Program, cpu_seconds

ROOT = pathlib.Path(__file__).resolve().parent.parent
QUANTISATIONS = ["Q4_K_M", "Q8_0"]
PROMPT, ANSWER, PREFILLS = 128, 64, [256, 512]
# What ChatML puts around a user's message: "<|im_start|>user\n", "<|im_end|>\n", "<|im_start|>assistant\n".
FRAME_TOKENS = 6 + 2 + 11
# Decodes for each prefill: they are the noisier ones.
DECODES = 3
PREFILLS_A_ROUND = 2
CANCELS = 25
# Tokens of one answer of the tiny model, and how often it is asked for.
HOSTED, HOSTED_TIMES = 200, 20
FIRST_TOKENS = 300
SIDES = {"inProcess": "Breeze, in process", "worker": "Breeze, in a worker", "server": "llama-server"}
OURS = ["inProcess", "worker"]
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")
# Below this share of a core, the wall time is the machine's and not the program's.
QUIET = 0.97
# With more threads, passive waiting leaves cores unused, so that nobody can tell a busy machine.
ALONE = ", 1 thread"


def text_of(tokens, seed):
    """A message that, with the template around it, is so many tokens: the vocabulary is single bytes."""
    dice = random.Random(seed)
    return "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=tokens - FRAME_TOKENS))


def in_template(text):
    return f"<|im_start|>user\n{text}<|im_end|>\n<|im_start|>assistant\n"


def counted(threads):
    return f"{threads} thread{'' if threads == 1 else 's'}"


def digest(*files):
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def models(arguments, cache):
    """The generated models, made where they are not there; what makes them is in their folder's name."""
    sources = sorted((ROOT / "Tests/Support").glob("TinyQwen3*.swift"))
    sources += [ROOT / "Tests/Support/SeededGenerator.swift", *sorted((ROOT / "Sources").rglob("GGUFWriter*.swift"))]
    folder = cache / "bench" / f"llama-{arguments.tools.name}-{digest(*sources)}"
    folder.mkdir(parents=True, exist_ok=True)
    made = {kind: folder / f"qwen3-0.6b-{kind}.gguf" for kind in QUANTISATIONS}
    made["tiny"] = folder / "tiny.gguf"
    if not made["tiny"].exists():
        write(made["tiny"], [arguments.program, "model", "tiny"])
    missing = [kind for kind in QUANTISATIONS if not made[kind].exists()]
    if missing:
        for old in set(folder.parent.glob("llama-*")) - {folder}:
            shutil.rmtree(old)
        with tempfile.TemporaryDirectory(dir=folder) as work:
            print("bench: writing a random Qwen3-0.6B and quantising it, once", file=sys.stderr)
            large = pathlib.Path(work, "f16.gguf")
            write(large, [arguments.program, "model", "qwen3-0.6b"])
            for kind in missing:
                write(made[kind], [arguments.tools / "llama-quantize", large], [kind])
    return made


def write(file, before, after=()):
    """Runs a program that writes a file, which gets its name when it is whole."""
    unfinished = file.with_suffix(".part")
    done = subprocess.run([*before, unfinished, *after], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{done.stderr[-2000:]}bench: {before[0]} could not write {file.name}")
    unfinished.rename(file)


class Ours:
    """One runner in the benchmark program: in process, or in a worker of that program."""

    def __init__(self, arguments, file, threads, hosted):
        self.program = Program(arguments.program, "llama", environment=ENVIRONMENT)
        self.processes = [self.program.process.pid]
        # An answer, so that the program's own start is not in what follows.
        self.program.ask(kind="idle")
        before = cpu_seconds(*self.processes)
        self.loaded = self.program.ask(kind="load", file=str(file), threads=threads, hosted=hosted)
        if hosted:
            self.processes.append(self.loaded["processID"])
        self.load = {"wall": self.loaded["wallSeconds"], "cpu": cpu_seconds(*self.processes) - before}

    def generate(self, text, tokens):
        answer = self.program.ask(kind="generate", text=text, tokens=tokens)
        usage = answer["usage"]
        return {
            "prompt": usage["inputTokens"],
            "read": usage["inputTokens"] - usage.get("cachedTokens", 0),
            "tokens": usage["outputTokens"],
            "prefill": answer["timings"]["prefill"],
            # As the caller sees it, so that the way from the worker is in it.
            "decode": answer["restSeconds"],
        }

    def end(self):
        self.program.end()


class Server:
    """llama-server, by its own timings."""

    def __init__(self, arguments, file, threads):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [arguments.tools / "llama-server", "--model", file, "--port", str(self.port), "--host", "127.0.0.1"]
        command += ["--threads", str(threads), "--ctx-size", "4096", "--parallel", "1", "--cache-ram", "0"]
        self.log = tempfile.TemporaryFile("w+", errors="replace")
        self.process = subprocess.Popen(command, stdout=self.log, stderr=self.log, env=ENVIRONMENT)
        self.processes = [self.process.pid]
        while True:
            with contextlib.suppress(OSError):
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health") as answer:
                    if answer.status == 200:
                        return
            if self.process.poll() is not None:
                self.log.seek(0)
                sys.exit(f"{self.log.read()[-2000:]}bench: llama-server ended")
            time.sleep(0.1)

    def generate(self, text, tokens):
        body = {"prompt": in_template(text), "n_predict": tokens, "seed": 1, "cache_prompt": True}
        # Its defaults come from the model's file where that has any; ours are those of its documentation.
        body |= {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/completion",
            json.dumps(body).encode(),
            {"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as reply:
            timings = json.load(reply)["timings"]
        return {
            "prompt": timings["prompt_n"] + timings["cache_n"],
            "read": timings["prompt_n"],
            "tokens": timings["predicted_n"],
            "prefill": timings["prompt_ms"] / 1e3,
            "decode": timings["predicted_ms"] / 1e3,
        }

    def end(self):
        self.process.terminate()
        self.process.wait()


def bench_decode(arguments, file, threads):
    """llama-bench's decode at the same place in the context: CPU- and wall seconds a token. It does not sample."""
    options = ["-p", "0", "-n", str(ANSWER), "-d", str(PROMPT)]
    return llama_bench(arguments, file, threads, options, "generation", ANSWER)


def bench_prefill(arguments, file, threads, tokens):
    return llama_bench(arguments, file, threads, ["-p", str(tokens), "-n", "0"], "prompt", tokens)


def llama_bench(arguments, file, threads, what, step, tokens):
    command = [arguments.tools / "llama-bench", "-m", file, "-t", str(threads), "-r", "2", "--progress", "-o", "json"]
    process = subprocess.Popen(
        [*command, *what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    )
    marks, said = [], []
    for line in process.stderr:
        said.append(line)
        # It says what it begins, so the second line ends the first run.
        if f": {step} run" in line or (": depth run" in line and marks):
            marks.append(cpu_seconds(process.pid))
    written = process.stdout.read()
    if process.wait():
        sys.exit(f"{''.join(said)[-2000:]}bench: llama-bench failed")
    result = json.loads(written)[0]
    return {"cpu": (marks[1] - marks[0]) / tokens, "wall": min(result["samples_ns"]) / 1e9 / tokens}


def spent(side, text, tokens):
    """One request of a side, with its CPU- and wall seconds."""
    cpu, wall = cpu_seconds(*side.processes), time.monotonic()
    answer = side.generate(text, tokens)
    answer["wallOfAll"] = time.monotonic() - wall
    answer["cpuOfAll"] = cpu_seconds(*side.processes) - cpu
    return answer


def decode(side, text):
    """Seconds a token. The prompt is in the cache but for its last token: as many single steps as tokens come out."""
    answer = spent(side, text, ANSWER)
    if answer["prompt"] != PROMPT or answer["read"] != 1 or answer["tokens"] != ANSWER:
        sys.exit(f"bench: the sides do not do the same: {answer}")
    return {
        "cpu": answer["cpuOfAll"] / ANSWER,
        "wall": answer["decode"] / (ANSWER - 1),
        "given": answer["cpuOfAll"] / answer["wallOfAll"],
    }


def prefill(side, tokens, seed):
    """Seconds a token of a prompt that was not seen before."""
    answer = spent(side, text_of(tokens, seed), 1)
    # The template's first words are in the cache.
    if answer["prompt"] != tokens or tokens - answer["read"] > 8:
        sys.exit(f"bench: the sides do not do the same: {answer}")
    return {
        "cpu": answer["cpuOfAll"] / answer["read"],
        "wall": answer["prefill"] / answer["read"],
        "given": answer["cpuOfAll"] / answer["wallOfAll"],
    }


@contextlib.contextmanager
def sides(arguments, file, threads):
    made = {
        "inProcess": Ours(arguments, file, threads, False),
        "worker": Ours(arguments, file, threads, True),
        "server": Server(arguments, file, threads),
    }
    try:
        # The first request makes the context, whose memory the system clears.
        for side in made.values():
            side.generate(text_of(PROMPT, 7), 1)
        yield made
    finally:
        for side in made.values():
            side.end()


def rounds(arguments, file, threads):
    """Rounds of all sides, in turns: for each side a list for `decode` and for each length of prompt."""
    seen = {}

    def note(side, what, figures):
        seen.setdefault(side, {}).setdefault(what, []).append(figures)

    with sides(arguments, file, threads) as made:
        for number in range(arguments.rounds):
            for tokens, time_ in itertools.product(PREFILLS, range(PREFILLS_A_ROUND)):
                seed = 1_000 * tokens + PREFILLS_A_ROUND * number + time_
                for name, side in made.items():
                    note(name, f"prefill {tokens}", prefill(side, tokens, seed))
            text = text_of(PROMPT, 7)
            for side in made.values():
                side.generate(text, 1)
            for _ in range(DECODES):
                for name, side in made.items():
                    note(name, "decode", decode(side, text))
            note("bench", "decode", bench_decode(arguments, file, threads))
            note("bench", "prefill 256", bench_prefill(arguments, file, threads, 256))
    return {name: {what: best(list_) for what, list_ in figures.items()} for name, figures in seen.items()}


def best(rounds_):
    """The best round by CPU, the best by wall, and of that what the machine gave it."""
    fastest = min(rounds_, key=lambda figures: figures["wall"])
    return {
        "cpu": min(figures["cpu"] for figures in rounds_),
        "wall": fastest["wall"],
        "given": fastest.get("given"),
    }


def beside_a_busy_process(arguments, file, threads):
    """Tokens a second alone and beside a process that never rests."""
    text, figures = text_of(PROMPT, 7), {}
    with sides(arguments, file, threads) as made:
        for busy in (False, True):
            spinner = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if busy else None
            try:
                for _ in range(arguments.rounds):
                    for name, side in made.items():
                        figures.setdefault(name, {}).setdefault(busy, []).append(1 / decode(side, text)["wall"])
            finally:
                if spinner:
                    spinner.kill()
                    spinner.wait()
    return {name: {"alone": max(both[False]), "busy": max(both[True])} for name, both in figures.items()}


def build_loader(prefix, folder):
    """The C program, linked as our own program is."""
    lines = (prefix / "lib/pkgconfig/breeze-llama.pc").read_text().splitlines()
    values = dict(line.split(": ", 1) for line in lines if ": " in line)
    flags = f"{values['Cflags']} {{}} {values['Libs']}"
    for name, place in (("includedir", "include"), ("libdir", "lib")):
        flags = flags.replace(f"${{{name}}}", str(prefix / place))
    before, after = flags.split("{}")
    program = pathlib.Path(folder, "load")
    source = ROOT / "Benchmarks/load.c"
    command = ["g++", "-O2", *before.split(), "-x", "c", source, "-x", "none", "-o", program, *after.split()]
    built = subprocess.run(command, capture_output=True, text=True)
    if built.returncode:
        sys.exit(f"{built.stderr[-2000:]}bench: the C program does not build")
    return program


def loads(arguments, file):
    """Loading in fresh processes, in turns with the C program, and memory before, with and after the model."""
    seen = {"c": [], "cStart": [], "inProcess": [], "worker": []}
    memory = {}
    with tempfile.TemporaryDirectory() as folder:
        loader = build_loader(arguments.prefix, folder)
        for _ in range(4 * arguments.rounds):
            start = time.monotonic()
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            with subprocess.Popen([loader, file], **pipes, text=True, env=ENVIRONMENT) as process:
                figures = json.loads(process.stdout.readline())
                # From outside, as the worker's load is: the start of the process is in it.
                wall, cpu = time.monotonic() - start, cpu_seconds(process.pid)
            seen["c"].append(figures)
            seen["cStart"].append({"wall": wall, "cpu": cpu})
            for name in OURS:
                side = Ours(arguments, file, 1, name == "worker")
                seen[name].append(side.load)
                memory[name] = memory_of(side)
                side.end()
    return {name: best(list_) for name, list_ in seen.items()}, memory


def memory_of(side):
    """Bytes resident before the load, with the model, after an answer, and after unloading."""
    side.generate(text_of(PROMPT, 7), ANSWER)
    working = side.program.ask(kind="idle")
    gone = side.program.ask(kind="unload")
    return {
        "before": side.loaded["residentBefore"],
        "loaded": side.loaded["resident"],
        "workerLoaded": side.loaded.get("workerResident"),
        "after answer": working["resident"],
        "worker after answer": working.get("workerResident"),
        "unloaded": gone["resident"],
        "workerIsGone": gone.get("workerIsGone"),
    }


def cancels(arguments, file, threads):
    """Seconds from a cancellation to its effect, in the reading of a long prompt and in the answer."""
    figures = {}
    for name in OURS:
        side = Ours(arguments, file, threads, name == "worker")
        for phase, text in (("prefill", text_of(2_000, 1)), ("decode", text_of(64, 2))):
            answer = side.program.ask(kind="cancel", phase=phase, text=text, tokens=1_000, count=CANCELS)
            times = sorted(answer["seconds"][0])
            figures[f"{name} {phase}"] = {
                "p50": statistics.median(times),
                "p95": times[max(0, -(-95 * len(times) // 100) - 1)],
                "count": len(times),
            }
        side.end()
    return figures


def first_tokens(arguments, made):
    """The median time to the first token, in process and hosted in turns: the tiny model hides nothing."""
    program = Program(arguments.program, "llama", environment=ENVIRONMENT)
    for hosted in (False, True):
        program.ask(kind="load", file=str(made["tiny"]), threads=1, hosted=hosted)
    answer = program.ask(kind="firstToken", runners=[0, 1], text=text_of(64, 3), tokens=1, count=FIRST_TOKENS)
    program.end()
    return {name: statistics.median(times) for name, times in zip(OURS, answer["seconds"])}


def hosted_tokens(arguments, made):
    """CPU- and wall seconds that a token takes on its way out of a worker: the tiny model hides little of them."""
    seen = {}
    both = {name: Ours(arguments, made["tiny"], 1, name == "worker") for name in OURS}
    for _ in range(HOSTED_TIMES):
        for name, side in both.items():
            answer = spent(side, "abc", HOSTED)
            seen.setdefault(name, []).append([answer[what] / answer["tokens"] for what in ("cpuOfAll", "wallOfAll")])
    for side in both.values():
        side.end()
    least = {name: [min(times) for times in zip(*list_)] for name, list_ in seen.items()}
    return dict(zip(("cpu", "wall"), (hosted - own for own, hosted in zip(least["inProcess"], least["worker"]))))


def measure(arguments, cache):
    made = models(arguments, cache)
    figures = {"threads": arguments.threads, "rounds": arguments.rounds, "speeds": {}, "loads": {}, "memory": {}}
    for kind in QUANTISATIONS:
        for threads in arguments.threads:
            # It takes minutes, more on a busy machine.
            print(f"bench: {kind}, {counted(threads)}", file=sys.stderr)
            figures["speeds"][f"{kind}, {counted(threads)}"] = rounds(arguments, made[kind], threads)
        figures["loads"][kind], figures["memory"][kind] = loads(arguments, made[kind])
    print("bench: beside a busy process, cancellations, first token", file=sys.stderr)
    main = made[QUANTISATIONS[0]]
    figures["busy"] = beside_a_busy_process(arguments, main, max(arguments.threads))
    figures["cancels"] = {threads: cancels(arguments, main, threads) for threads in arguments.threads}
    figures["firstToken"] = first_tokens(arguments, made)
    figures["hostedToken"] = hosted_tokens(arguments, made)
    return figures | judged_figures(figures)


def judged_figures(figures):
    """The figures that thresholds.json has bars for: always the worst of what was measured."""

    def ratios(what, peer, clock, only=""):
        for name, speeds in figures["speeds"].items():
            for side in OURS:
                if name.endswith(only):
                    yield speeds[peer][what][clock] / speeds[side][what][clock]

    def hosting(clock, only=""):
        # Two processes that do the same differ by more than this, by where their memory lies.
        for name, speeds in figures["speeds"].items():
            if name.endswith(only):
                yield figures["hostedToken"][clock] / speeds["inProcess"]["decode"][clock]

    def load_ratios(clock):
        for times in figures["loads"].values():
            yield times["inProcess"][clock] / times["c"][clock]
            yield times["worker"][clock] / times["cStart"][clock]

    def growth(seen):
        return (seen["unloaded"] - seen["before"]) / (seen["loaded"] - seen["before"])

    prefills = [f"prefill {tokens}" for tokens in PREFILLS]
    times = [figure for by_side in figures["cancels"].values() for figure in by_side.items()]
    shares = [figures["busy"][side]["busy"] / figures["busy"][side]["alone"] for side in OURS]
    memory = [figure["inProcess"] for figure in figures["memory"].values()]
    return {
        "llamaDecode": min(ratios("decode", "server", "cpu")),
        "llamaDecodeWall": min(ratios("decode", "server", "wall", ALONE), default=None),
        "llamaDecodeBench": min(ratios("decode", "bench", "cpu")),
        "llamaDecodeBenchWall": min(ratios("decode", "bench", "wall", ALONE), default=None),
        "llamaPrefill": min(ratio for what in prefills for ratio in ratios(what, "server", "cpu")),
        "llamaPrefillWall": min(
            (ratio for what in prefills for ratio in ratios(what, "server", "wall", ALONE)), default=None
        ),
        "llamaHosting": max(hosting("cpu")),
        "llamaHostingWall": max(hosting("wall", ALONE), default=None),
        "llamaHostingFirstToken": figures["firstToken"]["worker"] - figures["firstToken"]["inProcess"],
        "llamaLoad": max(load_ratios("cpu")),
        "llamaLoadWall": max(load_ratios("wall")),
        "llamaCancelPrefill": max(figure["p95"] for name, figure in times if "prefill" in name),
        "llamaCancelDecode": max(figure["p95"] for name, figure in times if "decode" in name),
        "llamaBusyShare": min(shares),
        "llamaUnloadGrowth": max(map(growth, memory)),
    }


def not_judged(figures):
    """What this run cannot show, and why."""
    given = [
        figure["given"]
        for name, speeds in figures["speeds"].items()
        for side in SIDES
        for figure in speeds[side].values()
        if name.endswith(ALONE)
    ]
    if given and min(given) >= QUIET:
        return {}
    why = f"the machine was busy: it gave one thread {min(given):.2f} cores" if given else "one thread was not measured"
    return {name: why for name in judged_figures(figures) if name.endswith("Wall")}


def report(figures):
    yield (
        f"llama.cpp, random Qwen3-0.6B, {figures['rounds']} alternating rounds, passive waiting; tokens a CPU-second "
        "and, in brackets, a second; ratios to llama-server"
    )
    for name, speeds in figures["speeds"].items():
        yield f"  {name}"
        whats = ["decode", *(f"prefill {tokens}" for tokens in PREFILLS)]
        yield f"    {'':<22}" + "".join(f"{what:>30}" for what in whats)
        for side, title in (*SIDES.items(), ("bench", "llama-bench")):
            cells = (cell(speeds, side, what) for what in whats)
            yield f"    {title:<22}" + "".join(f"{text:>30}" for text in cells)
    for kind, times in figures["loads"].items():
        texts = [
            f"{title} {times[name]['cpu']:.3f} CPU-s ({times[name]['wall']:.3f} s)" for name, title in LOADS.items()
        ]
        yield f"  load of {kind}: {'; '.join(texts)}"
    for kind, sides_ in figures["memory"].items():
        texts = [f"{SIDES[name]}: {megabytes(seen)}" for name, seen in sides_.items()]
        yield f"  memory of {kind}, MB: {'; '.join(texts)}"
    for threads, by_side in figures["cancels"].items():
        texts = [f"{name} {seen['p50'] * 1e3:.0f} / {seen['p95'] * 1e3:.0f} ms" for name, seen in by_side.items()]
        yield f"  cancel on {counted(threads)}, p50 / p95 of {CANCELS}: {', '.join(texts)}"
    for name, seen in figures["busy"].items():
        yield (
            f"  {SIDES[name]}, {counted(max(figures['threads']))}: {seen['alone']:.1f} tokens/s, "
            f"beside a busy process {seen['busy']:.1f}"
        )
    first = figures["firstToken"]
    own, hosted = first["inProcess"] * 1e3, first["worker"] * 1e3
    yield f"  first token of the tiny model, p50 of {FIRST_TOKENS}: {own:.3f} ms, hosted {hosted:.3f} ms"


LOADS = {"c": "C program", "inProcess": "in process", "cStart": "C program with its start", "worker": "worker"}


def megabytes(seen):
    texts = []
    for name, value in seen.items():
        if isinstance(value, bool):
            texts.append(f"{name} {value}")
        elif value is not None:
            texts.append(f"{name} {value / 1e6:.0f}")
    return ", ".join(texts)


def cell(speeds, side, what):
    seen, peer = speeds[side].get(what), speeds["server"][what]
    if not seen:
        return "-"
    ratio = "" if side == "server" else f" {peer['cpu'] / seen['cpu']:.3f} ({peer['wall'] / seen['wall']:.3f})"
    return f"{1 / seen['cpu']:.1f} ({1 / seen['wall']:.1f}){ratio}"
