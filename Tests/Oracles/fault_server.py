"""A download server that misbehaves as it is told: what the tests of the transport and of downloads ask.

The first line of standard output is JSON: {"https": PORT, "cdn": PORT, "http": PORT, "ca": PATH}. All three ports
listen on 127.0.0.1 and serve the same paths; "cdn" stands for the other host that a server redirects to. It ends
with SIGTERM, and when whoever started it is gone.

POST /script   {"path": "/a", "steps": [STEP, …]}: each request of the path takes the next step, the last repeats
GET  /digest?seed=S&size=N   SHA-256 of a body, as hashlib computes it
GET  /log      what was asked so far, and how many bytes of each body were sent
GET  /wait?path=/a&bytes=N   answers when so many bytes of the path's bodies have been sent in all
GET  /wait?path=/a&closed=N  answers when so many requests of the path are over
POST /open?gate=G            lets through what waits at a gate

A STEP holds any of:
  status, headers              of the answer; 200 and none
  seed, size                   the body: random.Random(seed).randbytes(size)
  text                         or the body as text
  ranges (true)                whether Range and If-Range are heeded
  etag, modified               validators of the body
  length                       what Content-Length says, whatever is sent; null for none
  content_range                what Content-Range says of a 206
  authorization                other requests than those with this value get 401
  end_after                    the connection is closed after so many bytes of this answer's body
  stall_after                  … and here it falls silent until the client goes away
  gate, gate_after             … and here it waits for POST /open
  piece, pause                 bytes written at once, and seconds between them
  chunked                      Transfer-Encoding: chunked
  raw                          sent instead of an answer, as Latin-1
  hold                         … and then nothing until the client goes away
"""

import asyncio
import contextlib
import hashlib
import json
import os
import random
import signal
import socket
import ssl
import subprocess
import tempfile
import urllib.parse


class Server:
    def __init__(self):
        self.scripts = {}
        self.log = []
        self.bodies = {}
        self.gates = {}
        self.changed = asyncio.Condition()

    def body(self, step):
        if "text" in step:
            return step["text"].encode()
        key = (step.get("seed", 0), step.get("size", 0))
        if key not in self.bodies:
            self.bodies[key] = random.Random(key[0]).randbytes(key[1])
        return self.bodies[key]

    def step(self, path):
        steps = self.scripts.get(path)
        if steps is None:
            return {"status": 404, "text": "no such path"}
        return steps.pop(0) if len(steps) > 1 else steps[0]

    async def tell(self):
        async with self.changed:
            self.changed.notify_all()

    async def serve(self, port_name, reader, writer):
        # What the kernel holds for a client that is killed was sent in vain: keep it small.
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 15)
        # Not 0, at which the TLS transport of Python 3.11 pauses for good.
        writer.transport.set_write_buffer_limits(high=1)
        try:
            while await self.exchange(port_name, reader, writer):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, ssl.SSLError, TimeoutError):
            pass
        finally:
            writer.transport.abort()

    async def exchange(self, port_name, reader, writer):
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {}
        for line in head[1:]:
            name, colon, value = line.partition(":")
            if colon:
                headers[name.lower()] = value.strip()
        content = await reader.readexactly(int(headers.get("content-length", 0)))
        path, _, query = target.partition("?")
        values = dict(urllib.parse.parse_qsl(query))
        if path in ("/script", "/digest", "/log", "/wait", "/open"):
            answer = json.dumps(await self.command(path, values, content)).encode()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(answer) + answer)
            await writer.drain()
            return True
        entry = {
            "path": path, "query": query, "method": method, "headers": headers, "port": port_name,
            "body": content.decode("latin-1"), "status": 0, "sent": 0, "over": False, "whole": False,
        }
        self.log.append(entry)
        try:
            return await self.answer(self.step(path), entry, reader, writer)
        finally:
            entry["over"] = True
            await self.tell()

    async def command(self, path, values, content):
        if path == "/script":
            order = json.loads(content)
            self.scripts[order["path"]] = order["steps"]
        elif path == "/digest":
            step = {"seed": int(values["seed"]), "size": int(values["size"])}
            return {"sha256": hashlib.sha256(self.body(step)).hexdigest()}
        elif path == "/open":
            self.gates.setdefault(values["gate"], asyncio.Event()).set()
        elif path == "/wait":

            def reached():
                mine = [entry for entry in self.log if entry["path"] == values["path"]]
                if "closed" in values:
                    return sum(entry["over"] for entry in mine) >= int(values["closed"])
                return sum(entry["sent"] for entry in mine) >= int(values["bytes"])

            async with self.changed:
                await self.changed.wait_for(reached)
        return self.log if path == "/log" else {}

    async def answer(self, step, entry, reader, writer):
        if "raw" in step:
            writer.write(step["raw"].encode("latin-1"))
            await writer.drain()
            if step.get("hold"):
                await reader.read(1)
            return False
        body = self.body(step)
        status = step.get("status", 200)
        fields = {}
        wanted = step.get("authorization")
        if wanted is not None and entry["headers"].get("authorization") != wanted:
            status, body = 401, b"who are you?"
        total, start = len(body), 0
        if "etag" in step:
            fields["ETag"] = step["etag"]
        if "modified" in step:
            fields["Last-Modified"] = step["modified"]
        fields.update(step.get("headers", {}))
        asked = entry["headers"].get("range", "")
        if status == 200 and asked.startswith("bytes=") and step.get("ranges", True):
            condition = entry["headers"].get("if-range")
            if condition is None or condition in (step.get("etag"), step.get("modified")):
                start = int(asked[len("bytes="):].split("-")[0])
                if start >= total:
                    status, body = 416, b""
                    fields["Content-Range"] = f"bytes */{total}"
                else:
                    status, body = 206, body[start:]
                    fields["Content-Range"] = step.get("content_range", f"bytes {start}-{total - 1}/{total}")
        entry["status"] = status
        length = step.get("length", len(body))
        if step.get("chunked"):
            fields["Transfer-Encoding"] = "chunked"
        elif length is not None:
            # A lie about the whole is one about the rest.
            fields["Content-Length"] = str(length - start if "length" in step else length)
        else:
            fields["Connection"] = "close"
        lines = [f"HTTP/1.1 {status} Something"] + [f"{name}: {value}" for name, value in fields.items()]
        writer.write("\r\n".join(lines + ["", ""]).encode("latin-1"))
        await writer.drain()
        if entry["method"] == "HEAD":
            return True
        whole = await self.send(step, body, entry, reader, writer)
        entry["whole"] = whole
        if step.get("chunked") and whole:
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        lied = "length" in step and step["length"] != total
        if lied or not whole or fields.get("Connection") == "close":
            # Orderly, so that the client gets what was sent.
            with contextlib.suppress(Exception):
                writer.close()
                await writer.wait_closed()
            return False
        return True

    async def gate(self, name, reader):
        opened = asyncio.ensure_future(self.gates.setdefault(name, asyncio.Event()).wait())
        gone = asyncio.ensure_future(reader.read(1))
        await asyncio.wait({opened, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not opened.done():
            opened.cancel()
            raise ConnectionError("the client has gone")
        gone.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await gone

    async def send(self, step, body, entry, reader, writer):
        stops = {name: step[name] for name in ("end_after", "stall_after", "gate_after") if name in step}
        piece = step.get("piece", 1 << 14)
        position = 0
        while position <= len(body):
            for name, place in stops.items():
                if place != position:
                    continue
                if name == "end_after":
                    return False
                if name == "stall_after":
                    # Until the client has gone.
                    await reader.read(1)
                    return False
                await self.gate(step["gate"], reader)
            if position == len(body):
                break
            end = min(len(body), position + piece)
            end = min([end] + [place for place in stops.values() if place > position])
            part = body[position:end]
            if step.get("chunked"):
                writer.write(b"%x\r\n" % len(part) + part + b"\r\n")
            else:
                writer.write(part)
            await writer.drain()
            if writer.transport.is_closing():
                # What is written from here on is dropped in silence.
                raise ConnectionError("the client has gone")
            entry["sent"] += len(part)
            position = end
            await self.tell()
            await asyncio.sleep(step.get("pause", 0))
        return True


def certificate(folder):
    key, ca = os.path.join(folder, "key.pem"), os.path.join(folder, "ca.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", ca]
    subprocess.run(command.split() + names, check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ca, key)
    return context, ca


async def main():
    with tempfile.TemporaryDirectory() as folder:
        context, ca = certificate(folder)
        server = Server()
        ports = {}
        for name, tls in (("https", context), ("cdn", context), ("http", None)):
            listener = await asyncio.start_server(
                lambda reader, writer, name=name: server.serve(name, reader, writer), "127.0.0.1", 0, ssl=tls
            )
            ports[name] = listener.sockets[0].getsockname()[1]
        print(json.dumps({**ports, "ca": ca}), flush=True)
        ended = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, ended.set)
        parent = os.getppid()
        while not ended.is_set() and os.getppid() == parent:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(ended.wait(), 1)
    # The connections that tests left behind are of no interest.
    os._exit(0)


if __name__ == "__main__":
    asyncio.run(main())
