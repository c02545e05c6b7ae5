"""Stands in for Hugging Face: answers /api/whoami-v2 on loopback as its documentation says, takes one token, and runs
a program against itself. Prints what the program said and what it asked."""

import http.server
import json
import subprocess
import sys
import threading


def main():
    request, asked = json.load(sys.stdin), []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append({"path": self.path, "authorization": self.headers.get("Authorization", "")})
            known = asked[-1]["authorization"] == f"Bearer {request['token']}"
            body = {"type": "user", "name": "ann", "orgs": []} if known else {"error": "Invalid username or password."}
            text = json.dumps(body).encode()
            self.send_response(200 if known else 401)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    endpoint = f"http://127.0.0.1:{server.server_port}"
    outcome = subprocess.run(
        [sys.argv[1], *request["arguments"]],
        env=request["environment"] | {"HF_ENDPOINT": endpoint},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
    )
    answer = {"code": outcome.returncode, "output": outcome.stdout, "errors": outcome.stderr, "asked": asked}
    print(json.dumps(answer))


main()
