#!/usr/bin/env python3
"""Feeds answers to the parsers of the PyPI packages openai and ollama, as their clients would get them.

Reads a list of {"call", "status", "type", "body"} as JSON from standard input and writes, for each, what a program
that uses the client reads: {"values": [...]} or {"error": "ExceptionName: message"}. No connection is made: the body
comes from a transport of the test's own. The argument is not used.
"""

import json
import sys
import typing

import httpx
import httpx2
import ollama
import openai
from openai.types import Completion, CreateEmbeddingResponse
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.responses import Response, ResponseStreamEvent

TURN = [{"role": "user", "content": "hi"}]
INPUT = {"model": "m", "input": "hi"}
# What the client builds without looking is held against its types here, too.
STRICT = {
    "chat": ChatCompletion,
    "chat tools": ChatCompletion,
    "completion": Completion,
    "embeddings float": CreateEmbeddingResponse,
    "response": Response,
}
EVENTS = {
    typing.get_args(event.model_fields["type"].annotation)[0]: event
    for event in typing.get_args(typing.get_args(ResponseStreamEvent)[0])
}


def openai_client(case):
    def answer(_):
        return httpx2.Response(case["status"], headers=case["headers"], content=case["body"].encode())

    transport = httpx2.MockTransport(answer)
    return openai.OpenAI(api_key="x", max_retries=0, http_client=httpx2.Client(transport=transport))


def ollama_client(case):
    def answer(_):
        return httpx.Response(case["status"], headers=case["headers"], content=case["body"].encode())

    return ollama.Client(host="http://hub", transport=httpx.MockTransport(answer))


def function(call):
    return [call.id, call.function.name, call.function.arguments]


def tool_stream(client):
    """Puts calls together from their deltas, as every program that streams does."""
    calls = {}
    for chunk in client.chat.completions.create(model="m", messages=TURN, stream=True):
        for delta in (chunk.choices[0].delta.tool_calls or []) if chunk.choices else []:
            call = calls.setdefault(delta.index, ["", "", ""])
            call[0] += delta.id or ""
            call[1] += delta.function.name or ""
            call[2] += delta.function.arguments or ""
    return list(calls.values())


def chat_stream(client):
    usage = {"include_usage": True}
    chunks = client.chat.completions.create(model="m", messages=TURN, stream=True, stream_options=usage)
    return [
        (c.choices[0].delta.content, c.choices[0].finish_reason) if c.choices else c.usage.total_tokens
        for c in chunks
    ]


def typed_stream(client):
    with client.chat.completions.stream(model="m", messages=TURN) as stream:
        for _ in stream:
            pass
        return [stream.get_final_completion().choices[0].message.content]


def thinking(response):
    return [response.output[0].type, response.output_text]


def response_stream(client):
    with client.responses.stream(model="m", input="hi") as stream:
        types = [event.type for event in stream]
        return types + [stream.get_final_response().output_text]


OPENAI = {
    "models": lambda c: [m.id for m in c.models.list()],
    "model": lambda c: [c.models.retrieve("m").owned_by],
    "chat": lambda c: [
        (x.message.content, x.finish_reason) for x in c.chat.completions.create(model="m", messages=TURN).choices
    ],
    "chat tools": lambda c: [
        function(t)
        for t in c.chat.completions.create(model="m", messages=TURN).choices[0].message.tool_calls
    ],
    "chat stream": chat_stream,
    "chat stream typed": typed_stream,
    "tool stream": tool_stream,
    "completion": lambda c: [c.completions.create(model="m", prompt="hi").choices[0].text],
    "embeddings": lambda c: c.embeddings.create(**INPUT).data[0].embedding,
    "embeddings float": lambda c: c.embeddings.create(**INPUT, encoding_format="float").data[0].embedding,
    "response": lambda c: [c.responses.create(**INPUT).output_text],
    "response thinking": lambda c: thinking(c.responses.create(**INPUT)),
    "response stream": response_stream,
    "moderation": lambda c: [r.flagged for r in c.moderations.create(input="hi").results],
    "transcription": lambda c: [c.audio.transcriptions.create(model="m", file=("a.wav", b"x")).text],
}
OLLAMA = {
    "ollama chat": lambda c: [c.chat("m", TURN).message.content],
    "ollama tools": lambda c: [
        [t.function.name, dict(t.function.arguments)] for t in c.chat("m", TURN).message.tool_calls
    ],
    "ollama chat stream": lambda c: [
        [p.message.content, p.done, p.eval_count] for p in c.chat("m", TURN, stream=True)
    ],
    "ollama generate": lambda c: [c.generate("m", "hi").response],
    "ollama embed": lambda c: [list(e) for e in c.embed("m", ["a"]).embeddings],
    "ollama embeddings": lambda c: list(c.embeddings("m", "a").embedding),
    "ollama list": lambda c: [[m.model, m.details.parameter_size] for m in c.list().models],
    "ollama ps": lambda c: [m.model for m in c.ps().models],
    "ollama show": lambda c: c.show("m").capabilities,
    "ollama pull": lambda c: [[p.status, p.completed] for p in c.pull("m", stream=True)],
    "ollama delete": lambda c: [c.delete("m").status],
}


def check_events(body):
    for line in body.split("\n"):
        if not line.startswith("data: {"):
            continue
        data = json.loads(line.removeprefix("data: "))
        # An error in mid-stream is no chunk of a chat; of a response it is an event.
        if "type" in data or "error" not in data:
            EVENTS.get(data.get("type"), ChatCompletionChunk).model_validate(data)


def judge(case):
    name = case["call"]
    case["headers"] = {"content-type": case["type"]}
    try:
        if case["status"] == 200 and name in STRICT:
            STRICT[name].model_validate_json(case["body"])
        if name in ("chat stream", "tool stream", "response stream"):
            check_events(case["body"])
        if name in OPENAI:
            return {"values": json.dumps(OPENAI[name](openai_client(case)))}
        return {"values": json.dumps(OLLAMA[name](ollama_client(case)))}
    except Exception as error:  # whatever a client raises is the finding
        return {"error": f"{type(error).__name__}: {error}"}


json.dump([judge(case) for case in json.load(sys.stdin)], sys.stdout)
