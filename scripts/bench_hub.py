"""The hub: against a bare Hummingbird server, against the engine in process, and against llama-server.

The client is Benchmarks/hub_client.c, so that little of the machine goes to it; what it takes is told. Sides that are
compared take turns. What is a matter of wall time alone is judged where others left the machine to us.
"""
import os
import pathlib
import statistics
import sys
import tempfile
import threading
import time

from bench_hub_sides import Bare, Client, Engine, Home, Hub, LlamaServer, Others, resident

CHAT, EMBEDDINGS = "/v1/chat/completions", "/v1/embeddings"
QUESTION = {"model": "mock-llm", "messages": [{"role": "user", "content": "hello"}]}
CONNECTIONS, TURNS = 64, 6
STREAMS, PIECES_A_SECOND, SPREAD = 1_000, 20, 2.0
WORDS = "the quick brown fox jumps over a lazy dog and then it rests in green grass until dawn comes again".split()
STARTS = 10
# Texts in one request.
BATCHES = (1, 16)
# Of all cores: where others have more, the wall time is the machine's and not the hub's.
QUIET = 0.05


def requests(arguments, home, client):
    """Requests a second of zero-delay mock chat, with keys and the audit, and of the bare server."""
    seen = {"hub": [], "bare": []}
    with Hub(arguments, home) as hub, Bare(arguments) as bare:
        sides = {"hub": (hub, arguments.seconds / TURNS), "bare": (bare, arguments.seconds / TURNS / 3)}
        asked = {name: [side.request(CHAT, QUESTION)] for name, (side, _) in sides.items()}
        warm = [client.load(side, asked[name], '"stop"', CONNECTIONS, 0.5) for name, (side, _) in sides.items()]
        with Others(hub, bare) as others:
            for _ in range(TURNS):
                for name, (side, seconds) in sides.items():
                    seen[name].append(client.load(side, asked[name], '"stop"', CONNECTIONS, seconds))
        memory = hub.resident
    figures = {name: together(turns) for name, turns in seen.items()}
    answered = warm[0]["requests"] + sum(turn["requests"] for turn in seen["hub"])
    return figures | {"audited": home.audited("chat") / answered, "resident": memory, "others": others.share}


def together(turns):
    """What several turns of one side come to."""
    count, seconds = (sum(turn[name] for turn in turns) for name in ("requests", "seconds"))
    return {
        "rate": count / seconds,
        "cpu": sum(turn["serverSeconds"] for turn in turns) / count,
        "clientCPU": sum(turn["clientSeconds"] for turn in turns) / count,
        "p50": statistics.median(turn["p50"] for turn in turns),
        "p99": statistics.median(turn["p99"] for turn in turns),
        "errors": sum(turn["errors"] for turn in turns),
        "firstError": next((turn["firstError"] for turn in turns if turn["errors"]), ""),
    }


def latency(arguments, home, client):
    """One client that waits for each answer, over HTTP and in process: the best round's median."""
    seen = {"hub": [], "engine": []}
    with Hub(arguments, home) as hub, Engine(arguments, home) as engine:
        question = [hub.request(CHAT, QUESTION)]
        with Others(hub, engine) as others:
            # The first round warms both.
            for number in range(arguments.rounds + 1):
                inside = engine.ask(kind="chat", text="hello", count=2_000)["seconds"]
                outside = client.load(hub, question, '"stop"', 1, 1.0)
                if number:
                    seen["engine"].append(statistics.median(inside))
                    seen["hub"].append(outside["p50"])
        crowd = engine.ask(kind="chat", text="hello", count=12_800, clients=CONNECTIONS)
    figures = {name: min(times) for name, times in seen.items()}
    return figures | {"engineCPU": crowd["cpuSeconds"] / 12_800, "others": others.share}


def streams(arguments, home, client):
    """Streams of the mock at a steady pace, each piece against its own time; and what the hub grew by."""
    # The mock says what a tool said, as long as that is.
    pieces = int(arguments.seconds * PIECES_A_SECOND)
    words = (WORDS * (pieces // len(WORDS) + 1))[:pieces]
    call = {"id": "call", "type": "function", "function": {"name": "read", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": "hello"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call", "content": " ".join(words)},
    ]
    with Hub(arguments, home) as hub:
        answer = hub.ask(CHAT, QUESTION | {"messages": messages})
    ends = ends_of_words(answer["choices"][0]["message"]["content"])
    settings = {
        "runners.mock:llm.chunkDelay": 1_000 // PIECES_A_SECOND,
        "scheduling.queueLimit": 2 * STREAMS,
        "scheduling.clientLimit": 2 * STREAMS,
    }
    with Hub(arguments, home, settings) as hub:
        # What is made once is there before the growth counts.
        client.load(hub, [hub.request(CHAT, QUESTION)], '"stop"', 1, 0.2)
        question = hub.request(CHAT, QUESTION | {"messages": messages, "stream": True})
        with Others(hub) as others, Growth(hub) as growth:
            seen = client.stream(hub, question, ends, STREAMS, 1 / PIECES_A_SECOND, SPREAD)
    return seen | {"wanted": STREAMS * len(ends), "growth": growth.bytes, "others": others.share}


def ends_of_words(text):
    """Where each piece of the mock's ends: a word with the space before it."""
    ends = [-1]
    for word in text.split(" "):
        ends.append(ends[-1] + 1 + len(word))
    return ends[1:]


class Growth:
    """The most that a process holds meanwhile, beyond what it held before."""

    def __init__(self, side):
        self.side = side
        self.bytes = 0
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.watch)

    def watch(self):
        before = self.side.resident
        while not self.over.wait(0.5):
            self.bytes = max(self.bytes, self.side.resident - before)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()


def embeddings(arguments, home, client, texts):
    """The same encoder over the same texts, over HTTP and in process: texts a second in the best round."""
    seen = {batch: {"hub": [], "engine": []} for batch in BATCHES}
    model = home.models["encoder"]
    with Hub(arguments, home) as hub, Engine(arguments, home) as engine, Others(hub, engine) as others:
        for number in range(arguments.rounds + 1):
            for batch in BATCHES:
                parts = [texts[start : start + batch] for start in range(0, len(texts), batch)]
                asked = [hub.request(EMBEDDINGS, {"model": model, "input": part}) for part in parts]
                outside = client.load(hub, asked, '"embedding"', 1, 0)
                inside = engine.ask(kind="embed", texts=texts, batch=batch, model=model)
                if outside["errors"]:
                    sys.exit(f"bench: the hub did not embed: {outside['firstError']}")
                if number:
                    seen[batch]["hub"].append(len(texts) / outside["seconds"])
                    seen[batch]["engine"].append(len(texts) / inside["wallSeconds"])
    rates = {batch: {side: max(rates) for side, rates in sides.items()} for batch, sides in seen.items()}
    return {"rates": rates, "runtime": inside["runtime"], "others": others.share}


def starts(arguments, home):
    """From the start of a process until it says that it is ready, and what it holds two seconds later."""
    seen, idle = {"hub": [], "server": []}, {}
    with Others() as others:
        for number in range(STARTS):
            for name in seen:
                with Hub(arguments, home) if name == "hub" else LlamaServer(arguments, home.tiny) as side:
                    seen[name].append(side.start_seconds)
                    if not number:
                        time.sleep(2)
                        idle[name] = resident(side.process.pid)
    return {"seconds": {name: statistics.median(times) for name, times in seen.items()}, "idle": idle,
            "others": others.share}


def peers(arguments, home, client):
    """A generated model so small that it hides little of what is around it: the best round's median."""
    chat = {"messages": [{"role": "user", "content": "hello"}], "max_tokens": 1, "seed": 1}
    figures = {}
    for name, path, body, file, options in (
        ("chat, 1 token", CHAT, chat, home.tiny, ["--jinja"]),
        ("embedding", EMBEDDINGS, {"input": "a text to embed"}, home.tiny_embedding, ["--embedding"]),
    ):
        question = body | {"model": home.models[file]}
        seen = {"hub": [], "server": []}
        with Hub(arguments, home) as hub, LlamaServer(arguments, file, *options) as server:
            for number in range(arguments.rounds + 1):
                for side, times in ((hub, seen["hub"]), (server, seen["server"])):
                    answer = client.load(side, [side.request(path, question)], '"model"', 1, 0.5)
                    if answer["errors"]:
                        sys.exit(f"bench: {side.process.args[0]} failed: {answer['firstError']}")
                    if number:
                        times.append(answer["p50"])
        figures[name] = {side: min(times) for side, times in seen.items()}
    return figures


def measure(arguments, texts):
    with tempfile.TemporaryDirectory() as folder:
        home, client = Home(arguments, pathlib.Path(folder)), Client(pathlib.Path(folder))
        figures = {"seconds": arguments.seconds, "cores": os.cpu_count() or 1}
        for name, part, more in (
            ("starts", starts, []), ("requests", requests, [client]), ("latency", latency, [client]),
            ("embeddings", embeddings, [client, texts]), ("peers", peers, [client]), ("streams", streams, [client]),
        ):
            print(f"bench: the hub, {name}", file=sys.stderr)
            figures[name] = part(arguments, home, *more)
    return figures | judged_figures(figures)


def judged_figures(figures):
    asked, streamed = figures["requests"], figures["streams"]
    rates = figures["embeddings"]["rates"].values()
    return {
        "hubBareRatio": asked["hub"]["rate"] / asked["bare"]["rate"],
        "hubRequests": asked["hub"]["rate"],
        "hubErrors": asked["hub"]["errors"],
        "hubAudited": asked["audited"],
        "hubLatency": figures["latency"]["hub"] - figures["latency"]["engine"],
        "hubStreamShare": streamed["pieces"] / streamed["wanted"],
        "hubStreamLate": streamed["p99"],
        "hubStreamGrowth": streamed["growth"],
        "hubEmbeddings": min(rate["hub"] / rate["engine"] for rate in rates),
        "hubIdle": figures["starts"]["idle"]["hub"],
        "hubStart": figures["starts"]["seconds"]["hub"],
    }


# What is wall time of one side alone, and while what it was measured.
ABSOLUTE = {"hubRequests": "requests", "hubLatency": "latency", "hubStreamLate": "streams", "hubStart": "starts"}


def not_judged(figures):
    """What this run cannot show, and why."""
    reasons = {}
    for name, part in ABSOLUTE.items():
        share = figures[part]["others"]
        if share is None:
            reasons[name] = "the system does not tell whether others used the machine"
        elif share > QUIET:
            reasons[name] = f"the machine was busy: others used {share:.0%} of it"
    return reasons


def report(figures):
    yield f"hub, {CONNECTIONS} connections, {figures['seconds']:.0f} s of mock chat with keys and audit:"
    for name, title in (("hub", "Breeze"), ("bare", "bare Hummingbird, JSON")):
        seen = figures["requests"][name]
        yield (
            f"  {title:<24}{seen['rate']:8.0f} requests/s, {seen['cpu'] * 1e6:4.0f} us CPU each (client "
            f"{seen['clientCPU'] * 1e6:.0f}), p50 {seen['p50'] * 1e3:.2f} ms, p99 {seen['p99'] * 1e3:.2f} ms, "
            f"{seen['errors']} errors{seen['firstError'] and ': ' + seen['firstError']}"
        )
    seen = figures["latency"]
    yield (
        f"one connection, p50: {seen['hub'] * 1e6:.0f} us over HTTP, {seen['engine'] * 1e6:.0f} us in process; "
        f"the engine alone takes {seen['engineCPU'] * 1e6:.0f} us CPU a request among {CONNECTIONS} clients"
    )
    seen = figures["streams"]
    yield (
        f"{seen['streams']} streams ({seen['mostAtOnce']} at once), {PIECES_A_SECOND} pieces/s each, late p50 "
        f"{seen['p50'] * 1e3:.0f} / p95 {seen['p95'] * 1e3:.0f} / p99 {seen['p99'] * 1e3:.0f} ms; CPU of the hub "
        f"{seen['serverSeconds'] / seen['seconds']:.2f} cores, of the client "
        f"{seen['clientSeconds'] / seen['seconds']:.2f}; grew by {seen['growth'] / 1e6:.0f} MB; {seen['errors']} errors"
        f"{seen['firstError'] and ': ' + seen['firstError']}"
    )
    for batch, rates in figures["embeddings"]["rates"].items():
        yield (
            f"embeddings, {batch} in a request: {rates['hub']:.1f} texts/s over HTTP, {rates['engine']:.1f} in process "
            f"({figures['embeddings']['runtime']})"
        )
    seen = figures["starts"]
    for name, title in (("hub", "Breeze"), ("server", "llama-server, tiny model")):
        yield (
            f"start of {title}: {seen['seconds'][name] * 1e3:.0f} ms until it is ready, "
            f"{seen['idle'][name] / 1e6:.0f} MB idle"
        )
    for what, sides in figures["peers"].items():
        yield (
            f"tiny model, {what}, p50: Breeze {sides['hub'] * 1e3:.2f} ms, "
            f"llama-server {sides['server'] * 1e3:.2f} ms, ratio {sides['server'] / sides['hub']:.2f}"
        )
