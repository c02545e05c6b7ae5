"""What llama-server answers to ten conversations, as token ids: a random model's text is no UTF-8.

usage: llama_server.py LLAMA_SERVER MODEL.gguf (`make oracle` does it)
"""
import json
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

SYSTEM = {"role": "system", "content": "You are terse."}
CONVERSATIONS = [
    [{"role": "user", "content": "Hello"}],
    [SYSTEM, {"role": "user", "content": "Hello"}],
    [{"role": "user", "content": "What is 2 + 2?"}, {"role": "assistant", "content": "4"},
     {"role": "user", "content": "And 3 + 3?"}],
    [SYSTEM, {"role": "user", "content": "Name a colour."}, {"role": "assistant", "content": "Blue."},
     {"role": "user", "content": "Another."}, {"role": "assistant", "content": "Red."},
     {"role": "user", "content": "One more."}],
    [{"role": "user", "content": "Ünïcödé, 猫 and 😀"}],
    [{"role": "user", "content": "line one\nline two\r\n\tindented"}],
    [{"role": "user", "content": ""}],
    [{"role": "user", "content": "x" * 300}],
    [SYSTEM, {"role": "user", "content": "{\"json\": [1, 2, 3]}"}],
    [{"role": "user", "content": "  spaces   around  "}],
]
TOKENS = 24


def ask(port, path, question):
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", json.dumps(question).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def wait_for(port, server):
    for _ in range(300):
        if server.poll() is not None:
            sys.exit(f"llama-server ended with {server.returncode}")
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=5) as answer:
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.1)
    sys.exit("llama-server does not start")


def main(program, model):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [program, "-m", model, "--host", "127.0.0.1", "--port", str(port), "-t", "1", "-c", "2048",
               "--jinja", "--parallel", "1", "--no-webui"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(port, server)
        cases = []
        for messages in CONVERSATIONS:
            prompt = ask(port, "/apply-template", {"messages": messages})["prompt"]
            tokens = ask(port, "/tokenize", {"content": prompt, "add_special": True, "parse_special": True})["tokens"]
            answer = ask(port, "/completion", {
                "prompt": prompt, "n_predict": TOKENS, "temperature": 0, "cache_prompt": False, "return_tokens": True,
            })
            cases.append({"messages": messages, "prompt": prompt, "promptTokens": tokens, "answer": answer["tokens"]})
        lines = ",\n".join(json.dumps(case, ensure_ascii=False) for case in cases)
        print(f'{{"tokens": {TOKENS}, "cases": [\n{lines}\n]}}')
    finally:
        server.terminate()
        server.wait(10)


main(sys.argv[1], sys.argv[2])
