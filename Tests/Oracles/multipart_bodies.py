"""Forms as PyPI's clients write them: httpx by itself, and openai's audio transcription.

Reads a list of {"client", "fields": [[name, value]], "files": [[name, filename, type, base64]]} and answers, for
each, {"contentType", "body"} with the body in base64.
"""

import base64
import json
import sys

import httpx
import openai


def with_httpx(fields, files):
    data = {}
    for name, value in fields:
        data.setdefault(name, []).append(value)
    sent = [(name, (filename, content, kind)) for name, filename, kind, content in files]
    return httpx.Request("POST", "http://localhost/", data=data, files=sent)


def with_openai(fields, files):
    seen = []

    def answer(request):
        request.read()
        seen.append(request)
        return httpx.Response(200, json={"text": ""})

    client = openai.OpenAI(
        api_key="k",
        base_url="http://localhost/v1",
        http_client=httpx.Client(transport=httpx.MockTransport(answer)),
    )
    ((_, filename, kind, content),) = files
    values = {}
    for name, value in fields:
        if name.endswith("[]"):
            values.setdefault(name[:-2], []).append(value)
        else:
            values[name] = value
    client.audio.transcriptions.create(file=(filename, content, kind), **values)
    return seen[0]


def main():
    answers = []
    for form in json.load(sys.stdin):
        files = [(*head, base64.b64decode(content)) for *head, content in form["files"]]
        request = {"httpx": with_httpx, "openai": with_openai}[form["client"]](form["fields"], files)
        body = base64.b64encode(request.read()).decode()
        answers.append({"contentType": request.headers["content-type"], "body": body})
    print(json.dumps(answers))


main()
