"""The URLs of the vectors, sound and not: what each comes to is computed."""
from url_scheme_seal import compact
from url_scheme_text import encode


def long(head, count, tail="", repeat="a"):
    return {"head": head, "repeat": repeat, "count": count, "tail": tail}


BASE64 = [
    "", "AA", "AAA", "AAAA", "-_-_", "_w", "QlJaMQ", "A", "AAAAA", "AA==", "AB", "AAB", "+/+/", "AA\n", "A A", "ÄÄ",
]
CALLBACKS = [
    "mycoolapp", "mycoolapp://", "MyCoolApp", "com.example.notes", "x-app+1", "abc", "a" * 64,
    "", "ab", "a" * 65, "mycoolapp:", "mycoolapp:/", "mycoolapp:///", "mycoolapp://x", "1app", "-app", "my app",
    "my_app", "my%61pp", "mÿcoolapp", "http", "https", "HTTP://", "file", "javascript", "data", "blob", "vbscript",
    "mailto", "tel",
    "ssh", "intent", "web+cool", "ext+cool", "ms-settings", "x-apple.systempreferences", "itms-apps", "view-source",
    "breezeapp", "facetime",
]


def request_url(value, capability="chat", callback="mycoolapp"):
    data = value if isinstance(value, bytes) else compact(value)
    return f"breezeapp://api/{capability}?request={encode(data)}&callback={callback}"


def hello_url(commit, **changes):
    members = {
        "v": 1, "name": "Cool Notes", "callback": "mycoolapp", "commit": encode(commit),
        "asked": {"chat": "onDevice"},
    } | changes
    data = compact({name: value for name, value in members.items() if value is not None})
    return f"breezeapp://pair?hello={encode(data)}"


def nested(levels):
    """A request of so many levels: the request, its configuration and `additional` are the first three."""
    inner = "[" * (levels - 3) + "]" * (levels - 3)
    return f'{{"prompt":"x","configuration":{{"additional":{{"a":{inner}}}}}}}'.encode()


def urls(app, commit):
    ask = "breezeapp://api/chat?"
    return {
        "the short form": ask + "prompt=Hello&callback=mycoolapp",
        "the short form with an escaped callback": ask + "prompt=Hello&callback=mycoolapp%3A%2F%2F",
        "the short form with a bare callback URL": ask + "prompt=Hello&callback=mycoolapp://",
        "parameters in another order": ask + "callback=mycoolapp&prompt=Hello",
        "a scheme in capitals": "BreezeApp://api/chat?prompt=Hello&callback=mycoolapp",
        "a prompt of several scripts and lines":
            ask + "prompt=Gr%C3%BC%C3%9Fe%0A%E4%BD%A0%E5%A5%BD%20%F0%9F%8C%AC&callback=abc",
        "a plus is a plus": ask + "prompt=1+1%3D2&callback=mycoolapp",
        "an equals sign and a question mark in a value": ask + "prompt=a=b?c&callback=mycoolapp",
        "a prompt to be spoken": "breezeapp://api/tts?prompt=Hello&callback=mycoolapp",
        "vision is vlm": "breezeapp://api/vision?prompt=x&callback=mycoolapp",
        "a capability of an app's own": "breezeapp://api/my_own-2?prompt=x&callback=mycoolapp",
        "the long form": request_url({"id": "q-1", "capability": "chat", "prompt": "Hello"}),
        "the long form without a capability": request_url({"prompt": "Hello"}),
        "every field": request_url({
            "id": "a.b_c-1", "capability": "chat", "messages": [
                {"role": "system", "content": "Be short."},
                {"role": "user", "content": "What is it?", "images": ["iVBORw0KGgo="]}],
            "inputs": ["a"], "imageData": "AAECAw==", "audioData": "", "inputType": "query", "modelID": "m",
            "runnerID": "r",
            "categories": [{"name": "work", "examples": ["a"]}, {"name": "rest", "examples": ["b"]}],
            "configuration": {
                "temperature": 0.5, "topK": 40, "stop": ["."], "guidedOutput": {"type": "object"}, "tools": [],
                "toolChoice": "none", "additional": {"x": [1, None]}},
            "privacy": "onDevice", "allowsMocks": True, "priority": "utility"}),
        "null is absent": request_url({"prompt": "x", "messages": None, "configuration": None, "id": None}),
        "a plain request stays on the device": request_url({"prompt": "x", "privacy": "userSettings"}),
        "a client's name is passed over": request_url({"prompt": "x", "client": "somebody"}),
        "blanks after the document's beginning": request_url(b'{ "prompt" : "x" }\n'),
        "64 levels": request_url(nested(64)),
        "the longest prompt": long(ask + "callback=mycoolapp&prompt=", 65_536),
        "the longest URL": long(ask + "callback=mycoolapp&prompt=", 32_752, "a", repeat="%41"),
        "the longest request": long(
            ask + "request=" + encode(b'{"prompt" :"'), 21_840, encode(b'aa"}') + "&callback=mycoolapp", repeat="YWFh"),
        "settings": "breezeapp://settings",
        "settings as some programs write it": "breezeapp://settings/",
        "status": "breezeapp://status?callback=mycoolapp",
        "status of an app": f"breezeapp://status?callback=mycoolapp&app={app}",
        "a sealed form": f"breezeapp://sealed?envelope={encode(b'BRZ1' + bytes(60))}",
        "a hello": hello_url(commit),
        "a hello of another script": hello_url(
            commit, name="風の手帳 🌬️", asked={"chat": "networkAllowed", "embedding": "onDevice"}),
        "a reveal": f"breezeapp://pair?reveal={encode(bytes(76))}",
        # refused
        "another scheme": "breezeapps://api/chat?prompt=x&callback=mycoolapp",
        "no slashes": "breezeapp:api/chat?prompt=x&callback=mycoolapp",
        "nothing": "",
        "no host": "breezeapp://?prompt=x&callback=mycoolapp",
        "a host that there is not": "breezeapp://run?prompt=x&callback=mycoolapp",
        "a host in capitals": "breezeapp://API/chat?prompt=x&callback=mycoolapp",
        "a user": "breezeapp://me@api/chat?prompt=x&callback=mycoolapp",
        "a port": "breezeapp://api:80/chat?prompt=x&callback=mycoolapp",
        "no capability": "breezeapp://api/?prompt=x&callback=mycoolapp",
        "a capability in capitals": "breezeapp://api/Chat?prompt=x&callback=mycoolapp",
        "a capability that is escaped": "breezeapp://api/ch%61t?prompt=x&callback=mycoolapp",
        "a capability and a slash": "breezeapp://api/chat/?prompt=x&callback=mycoolapp",
        "a path upwards": "breezeapp://api/../settings?prompt=x&callback=mycoolapp",
        "a capability of 41 letters": f"breezeapp://api/{'a' * 41}?prompt=x&callback=mycoolapp",
        "a fragment": ask + "prompt=x&callback=mycoolapp#y",
        "a blank": ask + "prompt=a b&callback=mycoolapp",
        "a line's end behind": ask + "prompt=x&callback=mycoolapp\n",
        "a letter beyond ASCII": ask + "prompt=ü&callback=mycoolapp",
        "a quote": ask + 'prompt="x"&callback=mycoolapp',
        "a parameter that nobody knows": ask + "prompt=x&callback=mycoolapp&model=y",
        "a parameter twice": ask + "prompt=x&prompt=y&callback=mycoolapp",
        "a callback twice": ask + "prompt=x&callback=mycoolapp&callback=other",
        "prompt and request": ask + "prompt=x&request=e30&callback=mycoolapp",
        "no callback": ask + "prompt=x",
        "no question": ask + "callback=mycoolapp",
        "no query": "breezeapp://api/chat",
        "an empty prompt": ask + "prompt=&callback=mycoolapp",
        "an empty pair": ask + "prompt=x&&callback=mycoolapp",
        "an ampersand at the end": ask + "prompt=x&callback=mycoolapp&",
        "a name in capitals": ask + "Prompt=x&callback=mycoolapp",
        "a name that is escaped": ask + "prom%70t=x&callback=mycoolapp",
        "half an escape": ask + "prompt=%4&callback=mycoolapp",
        "an escape of no digits": ask + "prompt=%zz&callback=mycoolapp",
        "escapes that are not UTF-8": ask + "prompt=%C3%28&callback=mycoolapp",
        "an overlong form": ask + "prompt=%C0%AF&callback=mycoolapp",
        "a surrogate's bytes": ask + "prompt=%ED%A0%80&callback=mycoolapp",
        "a zero byte": ask + "prompt=a%00b&callback=mycoolapp",
        "an escape character": ask + "prompt=%1B%5B2J&callback=mycoolapp",
        "a callback to the web": ask + "prompt=x&callback=https",
        "a callback with a path": ask + "prompt=x&callback=mycoolapp%3A%2F%2Fx",
        "a callback to itself": ask + "prompt=x&callback=breezeapp",
        "padding": ask + "request=eyJwcm9tcHQiOiJ4eCJ9fQ==&callback=mycoolapp",
        "base64 that is not base64url": ask + "request=eyJ+&callback=mycoolapp",
        "base64url that is escaped": ask + "request=e30%3D&callback=mycoolapp",
        "base64url with bits left": ask + "request=e31&callback=mycoolapp",
        "a request that is no object": request_url(b'["x"]'),
        "a blank before the document": request_url(b' {"prompt":"x"}'),
        "a mark of byte order": request_url(b'\xef\xbb\xbf{"prompt":"x"}'),
        "two documents": request_url(b'{"prompt":"x"}{}'),
        "a name twice in one object": request_url(b'{"prompt":"x","prompt":"y"}'),
        "a name twice, once escaped": request_url(b'{"prompt":"x","pr\\u006fmpt":"y"}'),
        "half a surrogate pair": request_url(b'{"prompt":"\\ud83d"}'),
        "bytes that are not UTF-8": request_url(b'{"prompt":"\xff"}'),
        "a whole number beyond all": request_url(
            b'{"prompt":"x","configuration":{"temperature":1' + b"0" * 400 + b'}}'),
        "two names that look the same": request_url(
            '{"prompt":"x","configuration":{"additional":{"\u00e9":1,"e\u0301":2}}}'.encode()),
        "a name that looks like one that is known": request_url(
            '{"prompt":"x","configuration":{"top\u212a":1}}'.encode()),
        "a message without its content": request_url({"messages": [{"role": "user"}]}),
        "a tool without parameters": request_url(
            {"prompt": "x", "configuration": {"tools": [{"name": "a", "description": "b"}]}}),
        "a tool's choice that there is not": request_url({"prompt": "x", "configuration": {"toolChoice": "some"}}),
        "a category without examples": request_url({"inputs": ["x"], "categories": [{"name": "a"}]}),
        "a number beyond all": request_url(b'{"prompt":"x","configuration":{"temperature":1e999}}'),
        "65 levels": request_url(nested(65)),
        "30,000 brackets": long(
            ask + "request=" + encode(b'{"prompt":  '), 10_000, "&callback=mycoolapp", repeat="W1tb"),
        "a field that nobody knows": request_url({"prompt": "x", "model": "y"}),
        "a field within that nobody knows": request_url({"messages": [{"role": "user", "content": "x", "name": "y"}]}),
        "a setting that nobody knows": request_url({"prompt": "x", "configuration": {"top_p": 0.5}}),
        "a field of a wrong kind": request_url({"prompt": 1}),
        "true is no number": request_url({"prompt": "x", "configuration": {"topK": True}}),
        "a role that there is not": request_url({"messages": [{"role": "developer", "content": "x"}]}),
        "an image that is not base64": request_url({"prompt": "x", "imageData": "a"}),
        "a null in a list": request_url({"inputs": ["a", None]}),
        "another capability than the path's": request_url({"capability": "tts", "prompt": "x"}),
        "an id with a blank": request_url({"id": "a b", "prompt": "x"}),
        "an id of 65 letters": request_url({"id": "a" * 65, "prompt": "x"}),
        "tools in a plain request": request_url(
            {"prompt": "x", "configuration": {"tools": [{"name": "a", "description": "b", "parameters": {}}]}}),
        "a tool's choice in a plain request": request_url({"prompt": "x", "configuration": {"toolChoice": "required"}}),
        "a request of a byte too many": long(ask + "request=", 87_383, "&callback=mycoolapp"),
        "a prompt of a byte too many": long(ask + "callback=mycoolapp&prompt=", 65_537),
        "a URL of a byte too many": long(ask + "callback=mycoolapp&prompt=", 98_305 - 47),
        "a request that is a pointer": request_url(b"BRZ1\x05" + bytes(32)),
        "a sealed form with a callback": f"breezeapp://sealed?envelope={encode(b'BRZ1')}&callback=mycoolapp",
        "a sealed form with nothing": "breezeapp://sealed",
        "settings with a parameter": "breezeapp://settings?open=mail",
        "settings with a path": "breezeapp://settings/mail",
        "status without a callback": "breezeapp://status",
        "status of no app": "breezeapp://status?callback=mycoolapp&app=x",
        "a hello and a reveal": hello_url(commit) + f"&reveal={encode(bytes(76))}",
        "a pairing with nothing": "breezeapp://pair",
        "a reveal that is short": f"breezeapp://pair?reveal={encode(bytes(75))}",
        "a hello of another version": hello_url(commit, v=2),
        "a hello whose version is a fraction": hello_url(commit, v=1.0),
        "a hello whose version is true": hello_url(commit, v=True),
        "a hello without a name": hello_url(commit, name=None),
        "a hello with an icon": hello_url(commit, icon="data:,"),
        "a hello whose name turns the line": hello_url(commit, name="Cool\u202egnp"),
        "a hello whose name is not seen": hello_url(commit, name="\u200b"),
        "a hello whose name ends in a blank": hello_url(commit, name="Cool "),
        "a hello whose name breaks the line": hello_url(commit, name="Cool\nApproved"),
        "a hello whose name piles up accents": hello_url(commit, name="a" + "\u0301" * 5),
        "a hello of 65 characters": hello_url(commit, name="a" * 65),
        "a hello whose callback is not as it is kept": hello_url(commit, callback="MyCoolApp"),
        "a hello to the web": hello_url(commit, callback="https"),
        "a hello with a short commitment": hello_url(b"\0\0\0"),
        "a hello with a long commitment": hello_url(bytes(33)),
        "a hello that asks for nothing": hello_url(commit, asked={}),
        "a hello that asks for more than there is": hello_url(commit, asked={"chat": "everything"}),
        "a hello that is too large": long("breezeapp://pair?hello=", 5_463),
    }
