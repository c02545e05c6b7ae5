"""Asks a hub through LangChain's adapter for OpenAI's API, as programs do that are built from such parts.

usage: hub_langchain.py http://127.0.0.1:PORT KEY [EMBEDDING-MODEL]

Without an embedding model, that the hub names what is missing is checked. One JSON object a line:
{"name", "ok", "detail"}.
"""
import asyncio
import os
import sys

# Nothing of a run is told to anybody else, and no vocabulary is fetched.
os.environ.update(LANGSMITH_TRACING="false", LANGCHAIN_TRACING_V2="false", NO_PROXY="*")

import openai
from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from pydantic import BaseModel

from hub_process import check

base, key = sys.argv[1:3]
embedder = sys.argv[3] if len(sys.argv) > 3 else None
chat = ChatOpenAI(model="mock-llm", base_url=f"{base}/v1", api_key=key, max_retries=0, timeout=20)


@tool
def get_weather(city: str) -> str:
    """What the weather is in a city."""
    return f"sunny in {city}"


class Weather(BaseModel):
    """What the weather is."""

    city: str
    degrees: int


def embeddings(**options):
    return OpenAIEmbeddings(model=embedder or "no", base_url=f"{base}/v1", api_key=key, max_retries=0, **options)


def asked():
    answer = chat.invoke("hi")
    usage = answer.usage_metadata
    ends = answer.response_metadata["finish_reason"] == "stop"
    return answer.content.startswith("[mock]") and usage["total_tokens"] > 0 and ends


def streamed():
    chunks = list(chat.stream("hi", stream_usage=True))
    text = "".join(chunk.content for chunk in chunks)
    usage = [chunk.usage_metadata for chunk in chunks if chunk.usage_metadata]
    return text == chat.invoke("hi").content and usage[-1]["output_tokens"]


async def streamed_beside():
    return [chunk.content async for chunk in chat.astream("hi")]


def called():
    """The whole round: a call, the tool's own answer, and what is said of it."""
    bound = chat.bind_tools([get_weather])
    question = HumanMessage("what is the weather?")
    answer = bound.invoke([question])
    call = answer.tool_calls[0]
    result = get_weather.invoke(call)
    last = bound.invoke([question, answer, result])
    named = call["name"] == "get_weather" and isinstance(result, ToolMessage)
    return named and "sunny" in last.content and not last.tool_calls and call["args"]


def called_in_pieces():
    bound = chat.bind_tools([get_weather], tool_choice="get_weather")
    whole = None
    for chunk in bound.stream("hi"):
        whole = chunk if whole is None else whole + chunk
    return whole.tool_calls[0]["name"] == "get_weather" and whole.tool_calls[0]["id"]


def structured():
    answer = chat.with_structured_output(Weather, method="json_schema").invoke("hi")
    return isinstance(answer, Weather) and answer.model_dump()


def structured_by_call():
    answer = chat.with_structured_output(Weather, method="function_calling").invoke("hi")
    return isinstance(answer, Weather) and answer.model_dump()


def by_responses():
    answer = chat.model_copy(update={"use_responses_api": True}).invoke("hi")
    return answer.text


def refused():
    try:
        chat.model_copy(update={"model_name": "no-such-model"}).invoke("hi")
    except openai.NotFoundError as error:
        return error.code
    return False


def embedded():
    """Texts as they are; the vectors of a pair that means the same are the nearer ones."""
    vectors = embeddings(check_embedding_ctx_length=False)
    one, same, other = vectors.embed_documents(["a cat sleeps", "a kitten is asleep", "quarterly tax return"])
    single = vectors.embed_query("a cat sleeps")
    near, far = (sum(a * b for a, b in zip(one, two)) for two in (same, other))
    drift = max(abs(a - b) for a, b in zip(one, single))
    return len(one) == 384 and near > far + 0.2 and drift < 0.05 and f"{near:.2f} {far:.2f}"


def embedded_as_tokens():
    """By default the adapter sends numbers of OpenAI's vocabulary, which no other model has: they are refused by
    number, where taking them for the model's own would give the vectors of another text."""
    import tiktoken

    # OpenAI's own list would be fetched: a letter is a number here that few vocabularies reach.
    ranks = {bytes([byte]): 90_000 + byte for byte in range(256)}
    listed = tiktoken.Encoding("letters", pat_str=".", mergeable_ranks=ranks, special_tokens={})
    tiktoken.encoding_for_model = tiktoken.get_encoding = lambda _: listed
    try:
        embeddings().embed_query("a cat sleeps")
    except openai.BadRequestError as error:
        return "no token of this model" in str(error) and error.code
    return False


def not_embedded():
    try:
        embeddings(check_embedding_ctx_length=False).embed_query("x")
    except openai.NotFoundError as error:
        return error.code
    return False


check("langchain chat", asked)
check("langchain stream", streamed)
check("langchain async stream", lambda: len(asyncio.run(streamed_beside())))
check("langchain batch", lambda: len({answer.content for answer in chat.batch(["hi", "hi"])}) == 1)
check("langchain tool call", called)
check("langchain tool call stream", called_in_pieces)
check("langchain structured output", structured)
check("langchain structured output by a call", structured_by_call)
check("langchain responses", by_responses)
check("langchain no model", refused)
check("langchain embedding", embedded if embedder else not_embedded)
check("langchain embedding of tokens", embedded_as_tokens if embedder else not_embedded)
