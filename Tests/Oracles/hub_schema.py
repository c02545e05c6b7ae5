"""Asks a hub whatever its OpenAPI document says may be asked, and more, and holds the answers against it: schemathesis.

usage: hub_schema.py ADDRESS KEY OPENAPI [EXAMPLES] [--owner TOKEN|LINK] [--without PREFIX]...

The hub has mocks. Made-up requests for each operation, EXAMPLES of them (25; 250 with BREEZE_SOAK=1) beside those at
the edges of each field, the same in each run. One JSON object a line: {"name", "ok", "detail"}, one an operation, some
for what schemathesis does not ask, and one of the counts. What wants the owner's token is asked with --owner alone, in
a home that is thrown away; --without leaves out the paths that begin so.
"""

import argparse
import copy
import json
import os
import sys
import zlib

import jsonschema_rs
import requests
import schemathesis
from schemathesis.config import SchemathesisConfig
from schemathesis.core.failures import Failure
from schemathesis.engine import Status, events, from_schema

REQUEST_LIMIT = 20
METHODS = ("get", "post", "put", "delete", "patch")
# Signing out would end the token that all the others need; the stream of events has no end; and connections stay
# forbidden while models are searched for under made-up names.
NEVER = {("delete", "/breeze/v1/session"), ("get", "/breeze/v1/events"), ("put", "/breeze/v1/egress")}

parser = argparse.ArgumentParser()
parser.add_argument("address")
parser.add_argument("key")
parser.add_argument("document")
parser.add_argument("examples", nargs="?", type=int, default=250 if os.environ.get("BREEZE_SOAK") == "1" else 25)
parser.add_argument("--owner")
parser.add_argument("--without", action="append", default=[])
options = parser.parse_args()
if options.owner and "#code=" in options.owner:
    link = {"code": options.owner.split("#code=")[1]}
    options.owner = requests.post(f"{options.address}/breeze/v1/session", json=link, timeout=20).json()["token"]

with open(options.document, encoding="utf-8") as file:
    document = json.load(file)


def say(name, ok, detail):
    print(json.dumps({"name": name, "ok": ok, "detail": str(detail)[:2000]}), flush=True)


def operations():
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield method, path, item[method]


def is_asked(method, path, operation):
    if (method, path) in NEVER or path.startswith(tuple(options.without)):
        return False
    return options.owner or not any("owner" in each for each in operation.get("security", []))


# --- what the checks of schemathesis do not see


def validator(schema):
    return jsonschema_rs.validator_for({**schema, "components": document["components"]})


VALIDATORS = {}


def element_fault(operation, media_type, text):
    """What is wrong with one element of a stream; its schema is of an event's data, or of a line."""
    known = (operation, media_type)
    if known not in VALIDATORS:
        content = {
            each: value
            for method, path, described in operations()
            if f"{method.upper()} {path}" == operation
            for each, value in described["responses"]["200"]["content"].items()
        }
        schema = content[media_type]["schema"]
        if media_type == "text/event-stream":
            schema = schema["properties"]["data"]["contentSchema"]
        VALIDATORS[known] = validator(schema)
    try:
        value = json.loads(text)
    except ValueError as error:
        return f"no JSON: {error}: {text[:200]}"
    error = next(VALIDATORS[known].iter_errors(value), None)
    return error and f"{error.message[:300]} at {error.instance_path}: {text[:400]}"


@schemathesis.check
def stream_conformance(ctx, response, case):
    """A stream comes where one was asked for, each element is what the document says, and the last one says so."""
    if response.status_code != 200:
        return None
    media_type = response.headers.get("content-type", [""])[0].split(";")[0]
    body = case.body if isinstance(case.body, dict) else {}
    is_ollama = case.path in ("/api/chat", "/api/generate")
    asked = body.get("stream_format") == "sse" or body.get("stream")
    if asked is None:
        asked = is_ollama and bool(body.get("messages") or body.get("prompt") or body.get("images"))
    streams = media_type in ("text/event-stream", "application/x-ndjson")
    if asked is False and streams:
        raise Failure(operation=case.operation.label, title="A stream that nobody asked for", message=media_type)
    if not streams:
        return None
    text = response.content.decode("utf-8")
    if media_type == "text/event-stream":
        elements = [line.removeprefix("data: ") for line in text.split("\n") if line.startswith("data:")]
        ends = "[DONE]" if not case.path.endswith("/responses") else None
        if ends and (not elements or elements.pop() != ends):
            raise Failure(operation=case.operation.label, title="A stream without its end", message=text[-300:])
    else:
        elements = text.removesuffix("\n").split("\n")
    for element in elements:
        if fault := element_fault(case.operation.label, media_type, element):
            raise Failure(operation=case.operation.label, title="A wrong element of a stream", message=fault)
    return None


@schemathesis.check
def sealed(ctx, response, case):
    """Nothing that the hub says is to be kept or guessed at."""
    kind, keeping = (response.headers.get(name, [None])[0] for name in ("x-content-type-options", "cache-control"))
    if kind != "nosniff" or keeping not in ("no-store", "no-cache"):
        message = f"X-Content-Type-Options: {kind}, Cache-Control: {keeping}"
        raise Failure(operation=case.operation.label, title="An answer that is not sealed", message=message)


# --- what is asked

session = requests.Session()
session.trust_env = False


def models():
    """One model of each capability, so that most questions are answered and not refused."""
    headers = {"Authorization": f"Bearer {options.key}"}
    answer = session.get(f"{options.address}/v1/models", headers=headers, timeout=REQUEST_LIMIT)
    found = {}
    for model in answer.json()["data"]:
        for capability in model["breeze"].get("capabilities", []):
            found.setdefault(capability, model["id"])
    return {**found, "chat": "mock-llm", "vlm": "mock-vlm", "asr": "mock-asr", "tts": "mock-tts"}


MODELS = models()
CAPABILITIES = {
    "embed": "embedding",
    "ollamaEmbed": "embedding",
    "ollamaEmbeddings": "embedding",
    "rerank": "rerank",
    "tokenize": "embedding",
    "detokenize": "embedding",
    "speak": "tts",
    "transcribe": "asr",
}


def sometimes(value):
    """True for one of eight, and for the same ones each time."""
    return zlib.crc32(repr(value).encode()) % 8 == 0


PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII="
GREETING = {"role": "user", "content": "hi"}


def agree(name, body):
    """Makes fields agree that no schema can relate, and brings those into range whose range is the runner's own: most
    valid bodies would be refused otherwise, and no answer seen."""
    # An unknown field may have the name of one that other routes know, and hold anything.
    field = lambda member, kind: body[member] if isinstance(body.get(member), kind) else kind()
    for values in (body, field("options", dict)):
        if isinstance(values.get("temperature"), (int, float)):
            values["temperature"] = abs(values["temperature"]) % 2
    tools = [tool.get("function", tool) for tool in field("tools", list) if isinstance(tool, dict)]
    for tool in tools:
        tool.pop("parameters", None)
    if body.get("tool_choice") not in (None, "auto", "none"):
        forced = tools and body["tool_choice"] != "required"
        body["tool_choice"] = {"function": {"name": tools[0]["name"]}} if forced else "auto"
    if body.get("best_of") is not None:
        body["best_of"] = body.get("n") or 1
    if "top_logprobs" in body and "messages" in body:
        body["logprobs"] = True
    for outer, inner in (("response_format", "json_schema"), ("text", "format")):
        form = field(outer, dict).get(inner)
        if isinstance(form, dict) and "schema" in form:
            form["schema"] = {"type": "object"}
    if isinstance(body.get("format"), dict):
        body["format"] = {"type": "object"}
    body.pop("previous_response_id", None)
    if field("messages", list):
        body["messages"].append(GREETING)
    if name == "respond":
        body["input"] = [*body["input"], GREETING] if isinstance(body["input"], list) else body["input"] or "hi"
    if name == "ollamaGenerate" and zlib.crc32(repr(body).encode()) % 4:
        body["prompt"] = body.get("prompt") or "hi"
    if name == "complete":
        body["prompt"] = [each or "hi" for each in body["prompt"]] if isinstance(body["prompt"], list) else "hi"
    if "stream" in body and body["stream"] is None:
        body["stream"] = zlib.crc32(repr(body).encode()) % 2 == 0
    tame(body)


def tame(value):
    """Pictures that are some, and calls whose arguments are JSON."""
    if isinstance(value, list):
        for each in value:
            tame(each)
    elif isinstance(value, dict):
        if isinstance(value.get("arguments"), str):
            value["arguments"] = "{}"
        if "image_url" in value:
            value["image_url"] = f"data:image/png;base64,{PICTURE}"
        if value.get("images"):
            value["images"] = [PICTURE]
        for each in value.values():
            tame(each)


def has_picture(value):
    if isinstance(value, dict):
        return bool(value.get("images")) or "image_url" in value or any(map(has_picture, value.values()))
    return isinstance(value, list) and any(map(has_picture, value))


@schemathesis.hook
def before_call(context, case, kwargs):
    """Puts a model that there is in place of most made-up names: they are as valid, and end at 404."""
    name = case.operation.definition.raw.get("operationId")
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    model = MODELS.get(CAPABILITIES.get(name, "chat"), MODELS["chat"])
    headers = case.headers or {}
    if isinstance(case.body, dict):
        # Cases share parts of their bodies.
        case.body = copy.deepcopy(case.body)
        if is_valid and not sometimes(case.body):
            agree(name, case.body)
            if model == MODELS["chat"] and has_picture(case.body):
                model = MODELS["vlm"]
            if "x-breeze-timeout" in headers:
                headers["x-breeze-timeout"] = "60"
        given = case.body.get("model")
        if isinstance(given, str) and given and not sometimes(given):
            case.body["model"] = model
    runner = headers.get("x-breeze-runner")
    if is_valid and isinstance(runner, str) and 0 < len(runner) <= 128 and not sometimes(runner):
        del headers["x-breeze-runner"]
    if name == "model" and is_valid and not sometimes(case.path_parameters.get("id")):
        case.path_parameters["id"] = model


def configuration():
    checks = {name: {"enabled": True} for name in (
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "response_headers_conformance",
        "ignored_auth",
        "stream_conformance",
        "sealed",
    )}  # fmt: skip
    # 501, 503 and 504 are documented: no runner has the capability, nothing is there for it, it took too long.
    checks["not_a_server_error"] = {"enabled": True, "expected-statuses": ["2xx", "3xx", "4xx", "501", "503", "504"]}
    # Unknown fields are ignored by design, and the document says so (additionalProperties): none of them makes a
    # request wrong here, and unknown headers and parameters are not sent at all. A wrong kind or range must be refused,
    # with whichever status.
    checks["negative_data_rejection"] = {"enabled": True}
    phases = {
        # What answers hold does not shape later requests: each run asks the same.
        "examples": {"extra-data-sources": {"responses": False}},
        "coverage": {"extra-data-sources": {"responses": False}, "unexpected-methods": []},
        "fuzzing": {"extra-data-sources": {"responses": False}, "error-feedback": {"enabled": False}},
        "stateful": {"enabled": False},
    }
    return SchemathesisConfig.from_dict(
        {
            "seed": 7,
            "suppress-health-check": ["all"],
            "base-url": options.address,
            "workers": 1,
            "continue-on-failure": True,
            "request-timeout": REQUEST_LIMIT,
            "max-stream-events": 100_000,
            "generation": {
                "max-examples": options.examples,
                "deterministic": True,
                "database": "none",
                "no-shrink": True,
                "with-security-parameters": False,
                # They are ignored by design, whatever schemathesis makes of them beside a number in a header.
                "allow-extra-parameters": False,
            },
            "auth": {
                "openapi": {
                    name: {"bearer": token} for name, token in (("key", options.key), ("owner", options.owner)) if token
                }
            },
            "output": {"sanitization": {"keys-to-sanitize": ["authorization"], "sensitive-markers": ["authorization"]}},
            "phases": phases,
            "checks": {"enabled": False, **checks},
        }
    )


# --- the run


class Account:
    """What became of one operation's requests."""

    def __init__(self):
        self.cases, self.statuses, self.faults = 0, {}, {}

    def take(self, recorder):
        self.cases += len(recorder.cases)
        for interaction in recorder.interactions.values():
            status = interaction.response.status_code if interaction.response else "none"
            self.statuses[status] = self.statuses.get(status, 0) + 1
        for nodes in recorder.checks.values():
            for node in nodes:
                if node.status == Status.FAILURE:
                    failure = node.failure_info.failure
                    key = f"{node.name}: {failure.title}: {' '.join(failure.message.split())[:300]}"
                    # Beside a form, schemathesis takes requests for wrong that are right.
                    is_form = "multipart/form-data" in (node.failure_info.code_sample or "")
                    if is_form and node.name == "negative_data_rejection":
                        continue
                    self.faults.setdefault(key, node.failure_info.code_sample)

    def detail(self):
        counts = f"{self.cases} requests: " + ", ".join(f"{n} x {s}" for s, n in sorted(self.statuses.items(), key=str))
        if not self.faults:
            return counts
        samples = list(self.faults.items())
        shown = " || ".join(f"{key} <- {sample[:500]}" for key, sample in samples[:4])
        return f"{len(samples)} faults; {counts}; {shown}"


def answer_to(method, path, token, **more):
    headers = {"Authorization": f"Bearer {token}"}
    return session.request(method, options.address + path, headers=headers, timeout=REQUEST_LIMIT, **more)


def wrong_methods():
    """405 and the methods that there are, at every path."""
    faults, count = [], 0
    for path, item in document["paths"].items():
        if path.startswith(tuple(options.without)) or "{" in path:
            continue
        for method in METHODS:
            if method in item:
                continue
            count += 1
            answer = answer_to(method, path, options.owner or options.key)
            allowed = {word.strip().lower() for word in answer.headers.get("allow", "").split(",")}
            if answer.status_code != 405 or not allowed >= {each for each in METHODS if each in item}:
                faults.append(f"{method.upper()} {path}: {answer.status_code}, Allow: {answer.headers.get('allow')}")
    return not faults, "; ".join(faults) or f"{count} refused"


def whole_lines():
    """What Python's clients take for the end of a line must not stand within one: httpx splits as `splitlines` does."""
    ends = "\x85\u2028\u2029"
    # The name of an unknown field comes back in the last line.
    question = {"model": MODELS["chat"], "messages": [GREETING], f"a{ends}b": 1}
    answer = answer_to("post", "/api/chat", options.key, json=question)
    text = answer.content.decode("utf-8")
    broken = [repr(end) for end in ends if end in text]
    named = answer.status_code == 200 and json.loads(text.strip("\n").split("\n")[-1])["breeze"]["ignored"]
    return named == [f"a{ends}b"] and not broken, f"{', '.join(broken)} unescaped" if broken else named or text


def forbidden_egress():
    """Before anything else: a hub under test goes nowhere."""
    answer = answer_to("put", "/breeze/v1/egress", options.owner, json={"forbidden": True})
    told = answer_to("get", "/breeze/v1/egress", options.owner)
    ok = answer.status_code == 200 and answer.json() == {"forbidden": True} and told.json().get("forbidden") is True
    return ok, f"{answer.status_code} {answer.text[:200]}"


def owners_alone():
    """An app's key opens nothing that is the owner's."""
    opened, count = [], 0
    for method, path, operation in operations():
        if method == "get" and any("owner" in each for each in operation.get("security", [])) and "{" not in path:
            count += 1
            with answer_to("get", path, options.key, stream=True) as answer:
                if answer.status_code not in (401, 403):
                    opened.append(f"{path}: {answer.status_code}")
    return not opened, "; ".join(opened) or f"{count} refused"


def first_event():
    """The stream without an end: its first event."""
    with answer_to("get", "/breeze/v1/events", options.owner, stream=True) as answer:
        kind = answer.headers.get("content-type", "")
        if answer.status_code != 200 or not kind.startswith("text/event-stream"):
            return False, f"{answer.status_code} {kind}"
        for line in answer.iter_lines(decode_unicode=True):
            if line.startswith("data:"):
                text = line.removeprefix("data:").strip()
                fault = element_fault("GET /breeze/v1/events", "text/event-stream", text)
                return not fault, fault or text
    return False, "no event came"


def no_numbers():
    """Texts that Swift reads as numbers, and that are none."""
    taken = []
    for text in ("nan", "-nan", "inf", "-inf"):
        answer = answer_to("get", f"/breeze/v1/history?hours={text}", options.owner)
        if answer.status_code != 400:
            taken.append(f"hours={text}: {answer.status_code}")
    return not taken, "; ".join(taken) or "refused"


def check(name, path, body):
    """One line of its own; True where `path` is left out."""
    if path.startswith(tuple(options.without)):
        return True
    try:
        ok, detail = body()
    except Exception as error:
        ok, detail = False, f"{type(error).__name__}: {error}"
    say(name, ok, detail)
    return ok


def main():
    asked = [each for each in operations() if is_asked(*each)]
    accounts = {f"{method.upper()} {path}": Account() for method, path, _ in asked}
    paths = {}
    for method, path, operation in asked:
        kept = paths.setdefault(path, {k: v for k, v in document["paths"][path].items() if k not in METHODS})
        kept[method] = operation
    others = []
    if options.owner:
        others.append(check("PUT /breeze/v1/egress", "/breeze/v1/egress", forbidden_egress))
        others.append(check("GET /breeze/v1/events", "/breeze/v1/events", first_event))
        others.append(check("an app's key at the owner's", "/breeze/v1/", owners_alone))
    schema = schemathesis.openapi.from_dict({**document, "paths": paths}, config=configuration())
    schema.validate()
    for event in from_schema(schema).execute():
        if isinstance(event, events.ScenarioFinished) and event.label in accounts:
            accounts[event.label].take(event.recorder)
        elif isinstance(event, (events.NonFatalError, events.FatalError)):
            told = str(getattr(event, "info", None) or getattr(event, "exception", event))
            told = " ".join(f"{told} {getattr(event, 'value', '')}".split())
            label = getattr(event, "label", None)
            accounts.setdefault(label or "schemathesis", Account()).faults.setdefault(f"error: {told[:600]}", "")
    for name, account in accounts.items():
        say(name, not account.faults and account.cases > 0, account.detail())
    others.append(check("wrong methods", "/", wrong_methods))
    others.append(check("lines of a stream", "/api/chat", whole_lines))
    if options.owner:
        others.append(check("numbers that are none", "/breeze/v1/history", no_numbers))
    good = sum(not account.faults and account.cases > 0 for account in accounts.values())
    requests_made = sum(account.cases for account in accounts.values())
    say(
        "summary",
        good == len(accounts) and all(others),
        f"{len(accounts)} operations of {len(list(operations()))}, {good} as documented, {requests_made} requests",
    )


if __name__ == "__main__":
    sys.exit(main())
