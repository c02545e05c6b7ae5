"""What stands in a URL of the scheme: its grammar, base64url, callbacks, strict JSON. See docs/url-scheme.md."""
import base64
import binascii
import json
import re
import unicodedata
from dataclasses import dataclass, field

URL_LIMIT = 98_304
DECODED_LIMIT = 65_536
HELLO_LIMIT = 4_096
DEPTH_LIMIT = 64

URL_BYTES = re.compile(r"[A-Za-z0-9\-._~:/?@!$&'()*+,;=%]*\Z")
CAPABILITY = re.compile(r"[a-z0-9_-]{1,40}\Z")
CALLBACK = re.compile(r"[a-z][a-z0-9+.-]{2,63}\Z")
REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
APP_ID = re.compile(r"[a-z2-7]{12}\Z")
BASE64URL = re.compile(r"[A-Za-z0-9_-]*\Z")

# Schemes that a browser, a system or a page may answer to: an answer must never reach them.
RESERVED_CALLBACKS = frozenset(
    """about acap acct adb admin afp aim app-prefs app-settings apt at attachment bitcoin blob bolo breezeapp calshow
    cap chrome cid coap coaps command content cvs data dav dict dns doi facetime facetime-audio feed file filesystem
    finger fish ftp ftps geo gg git gopher gtalk h323 hcp help http https iax icap icon im imap imaps info intent
    ipp ipps irc irc6 ircs iris itms jabber jar javascript jms ldap ldaps livescript localhost magnet mailto maps
    market matrix message mid mms mocha msrp msrps mtqp mupdate mvn news nfs nntp onion opaquelocktoken openpgp4fpr
    pkcs11 pop pop3 prefs pres proxy psyc query res resource rlogin rmi rsync rtmp rtsp rtsps rtspu secondlife
    service session settings sftp sgn shell shortcuts sieve sip sips skype smb smp sms smsto snews snmp soap ssh
    steam stun stuns svn tag teamspeak tel telnet tftp tip trojan turn turns tv udp unreal urn vbscript vemmi
    view-source vnc wais webcal wpid ws wss wtai wyciwyg xcon xmlrpc xmpp xri ymsgr z39.50 z39.50r z39.50s""".split()
)
RESERVED_PREFIXES = (
    "android-", "apple-", "chrome-", "com.apple.", "com.microsoft.", "ext+", "itms-", "microsoft-", "moz-",
    "ms-", "web+", "x-apple", "x-web-", "x-webkit-", "xdg-",
)


class Refused(Exception):
    """`callback` is where the refusal may be told; `None` where nothing is opened."""

    def __init__(self, code, why, callback=None):
        super().__init__(f"{code}: {why}")
        self.code, self.why, self.callback = code, why, callback


def encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decode(text, limit=DECODED_LIMIT):
    """One text for one byte string: no padding, no blanks, unused bits are zero."""
    if len(text) > (limit * 8 + 5) // 6:
        raise Refused("payload_too_large", f"more than {limit} bytes")
    if not BASE64URL.match(text) or len(text) % 4 == 1:
        raise Refused("invalid_encoding", "not base64url without padding")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if encode(data) != text:
        raise Refused("invalid_encoding", "unused bits are set")
    return data


def read_callback(text):
    """`mycoolapp` and `mycoolapp://` are one."""
    scheme = "".join(chr(ord(c) + 32) if "A" <= c <= "Z" else c for c in text.removesuffix("://"))
    if not CALLBACK.match(scheme):
        raise Refused("invalid_callback", "not a scheme of 3 to 64 characters")
    if scheme in RESERVED_CALLBACKS or scheme.startswith(RESERVED_PREFIXES):
        raise Refused("invalid_callback", "a scheme that belongs to others")
    return scheme


# --- JSON


def read_json(data):
    """An object as RFC 8259 has it, of 64 levels at most, no name twice in one object."""
    if data[:1] != b"{":
        raise Refused("invalid_request", "the document does not begin with {")
    try:
        text = data.decode("utf-8")
        value = json.loads(text, object_pairs_hook=members, parse_constant=no_constant, parse_float=finite,
                           parse_int=whole)
        json.dumps(value, ensure_ascii=False).encode("utf-8")  # a lone surrogate is no character
        if levels(value) > DEPTH_LIMIT:
            raise Refused("invalid_request", f"nested more than {DEPTH_LIMIT} levels deep")
    except Refused:
        raise
    except (ValueError, RecursionError) as fault:
        raise Refused("invalid_request", f"not JSON: {fault}") from fault
    return value


def members(pairs):
    if len({unicodedata.normalize("NFC", name) for name, _ in pairs}) != len(pairs):
        raise Refused("invalid_request", "a name stands twice in one object")
    return dict(pairs)


def no_constant(word):
    raise Refused("invalid_request", f"{word} is not JSON")


def finite(text):
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise Refused("invalid_request", "a number is too large")
    return number


def whole(text):
    finite(text)
    return int(text)


def levels(value):
    """The document is the first level, and every value within an object or a list is one below it."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(levels, parts), default=0)


# --- the fields of a request

TEXT, NUMBER, WHOLE, FLAG, BYTES, ANYTHING, OBJECT, CHOICE = (
    "text", "number", "whole", "flag", "bytes", "anything", "object", "choice",
)


class Members(dict):
    """Name to kind; the first ones must be there."""

    def __init__(self, required, **kinds):
        super().__init__(kinds)
        self.required = list(kinds)[:required]


TOOL = Members(3, name=TEXT, description=TEXT, parameters=ANYTHING)
CALL = Members(3, id=TEXT, name=TEXT, arguments=ANYTHING)
CATEGORY = Members(2, name=TEXT, examples=[TEXT])
MESSAGE = Members(
    2, role=("system", "user", "assistant", "tool"), content=TEXT, images=[BYTES], toolCalls=[CALL], toolCallID=TEXT)
CONFIGURATION = {
    **dict.fromkeys(("temperature", "topP", "minP", "repetitionPenalty", "frequencyPenalty", "presencePenalty",
                     "keepAlive", "timeout"), NUMBER),
    **dict.fromkeys(("topK", "seed", "maxTokens", "contextSize", "logprobs"), WHOLE),
    "stop": [TEXT], "guidedOutput": ANYTHING, "tools": [TOOL], "toolChoice": CHOICE, "additional": OBJECT,
}
REQUEST = {
    "id": TEXT, "capability": TEXT, "prompt": TEXT, "messages": [MESSAGE], "inputs": [TEXT], "imageData": BYTES,
    "audioData": BYTES, "categories": [CATEGORY], "inputType": ("query", "passage"),
    "configuration": CONFIGURATION, "modelID": TEXT, "runnerID": TEXT, "privacy": ("userSettings", "onDevice"),
    "allowsMocks": FLAG, "priority": ("background", "utility", "normal", "userInitiated"), "client": TEXT,
}


def hold(value, kind, path="request"):
    """Refuses what the table does not know; `null` is the same as absent."""
    if value is None or kind == ANYTHING:
        return
    sound = {
        TEXT: isinstance(value, str),
        NUMBER: isinstance(value, (int, float)) and not isinstance(value, bool),
        WHOLE: isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63,
        FLAG: isinstance(value, bool),
        OBJECT: isinstance(value, dict),
        BYTES: isinstance(value, str) and is_base64(value),
        CHOICE: value in ("auto", "none", "required")
        or isinstance(value, dict) and set(value) == {"name"} and isinstance(value["name"], str),
    }
    if isinstance(kind, dict):
        if not isinstance(value, dict):
            raise Refused("invalid_request", f"{path} is not an object")
        for name, part in value.items():
            if name not in kind:
                raise Refused("invalid_request", f"{path} has a member that nobody knows")
            hold(part, kind[name], f"{path}.{name}")
        if any(value.get(name) is None for name in getattr(kind, "required", ())):
            raise Refused("invalid_request", f"{path} lacks a member")
    elif isinstance(kind, list):
        if not isinstance(value, list) or None in value:
            raise Refused("invalid_request", f"{path} is not a list")
        for index, part in enumerate(value):
            hold(part, kind[0], f"{path}[{index}]")
    elif not (value in kind if isinstance(kind, tuple) else sound[kind]):
        raise Refused("invalid_request", f"{path} is of a wrong kind")


def is_base64(text):
    try:
        return base64.b64encode(base64.b64decode(text, validate=True)).decode() == text
    except (binascii.Error, ValueError):
        return False


def read_request(value, capability=None, plain=False):
    """`capability` is the one of the path."""
    hold(value, REQUEST)
    request = {name: part for name, part in value.items() if part is not None and name != "client"}
    named = request.get("capability", capability)
    if named is None or not CAPABILITY.match(named):
        raise Refused("invalid_request", "no capability is named")
    named = "vlm" if named == "vision" else named
    if capability is not None and named != capability:
        raise Refused("invalid_request", "the capability is not the one of the path")
    request["capability"] = named
    if not REQUEST_ID.match(request.get("id", "-")):
        raise Refused("invalid_request", "the id is not of 1 to 64 letters, digits, '.', '_' and '-'")
    configuration = request.get("configuration", {})
    if plain:
        if configuration.get("tools") or configuration.get("toolChoice") not in (None, "none"):
            raise Refused("scope_denied", "a plain request has no tools")
        request["privacy"] = "onDevice"
    return request


# --- what a person will read

# Not seen though their categories are those of letters and marks.
UNSEEN = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0} | set(range(0x180B, 0x1810)) | set(
    range(0xFE00, 0xFE0E)) | set(range(0xE0100, 0xE01F0))


def read_name(name):
    if not isinstance(name, str) or not 1 <= len(name) <= 64:
        raise Refused("invalid_request", "the name is not of 1 to 64 characters")
    if name[0] == " " or name[-1] == " ":
        raise Refused("invalid_request", "a blank at an end of the name")
    marks = 0
    for character in name:
        category = unicodedata.category(character)
        blank = category in ("Zs", "Zl", "Zp") and character != " "
        if category in ("Cc", "Cf", "Cs", "Co", "Cn") or blank or ord(character) in UNSEEN:
            raise Refused("invalid_request", "the name holds a character that is not seen")
        marks = marks + 1 if category in ("Mn", "Me") and ord(character) not in (0xFE0E, 0xFE0F) else 0
        if marks > 4:
            raise Refused("invalid_request", "the name piles up accents")
    return name


# --- URLs


@dataclass
class Parsed:
    """`form` is run, sealed, hello, reveal, status or settings."""

    form: str
    callback: str | None = None
    request: dict | None = None
    data: bytes | None = None
    app: str | None = None
    extra: dict = field(default_factory=dict)


def read_query(text):
    found = {}
    for pair in text.split("&"):
        name, equals, value = pair.partition("=")
        if not equals or not value or not re.match(r"[a-z]+\Z", name):
            raise Refused("invalid_url", "a parameter is not name=value")
        if name in found:
            raise Refused("invalid_url", f"{name} stands twice")
        found[name] = value
    return found


def percent_decoded(value):
    if re.search(r"%(?![0-9A-Fa-f]{2})", value):
        raise Refused("invalid_url", "% without two hexadecimal digits")
    data = re.sub(rb"%(..)", lambda match: bytes([int(match[1], 16)]), value.encode())
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise Refused("invalid_url", "not UTF-8") from fault
    if any(unicodedata.category(c) == "Cc" and c not in "\t\n\r" for c in text):
        raise Refused("invalid_url", "a control character")
    return text


def only(found, required, optional=(), callback=None):
    for name in found:
        if name not in required and name not in optional:
            raise Refused("invalid_url", f"there is no parameter {name} here", callback)
    for name in required:
        if name not in found:
            raise Refused("invalid_url", f"{name} is missing", callback)


def parse(url):
    """What a URL asks for; `Refused` for everything that docs/url-scheme.md does not describe."""
    if len(url.encode()) > URL_LIMIT:
        raise Refused("payload_too_large", f"a URL of more than {URL_LIMIT} bytes")
    if not URL_BYTES.match(url):
        raise Refused("invalid_url", "a character that stands in no URL, or a fragment")
    scheme, colon, rest = url.partition("://")
    if not colon or scheme.lower() != "breezeapp":
        raise Refused("invalid_url", "not a URL of this scheme")
    place, question, query = rest.partition("?")
    host, slash, path = place.partition("/")
    found = read_query(query) if question else {}
    if host == "api" and slash:
        return parse_plain(path, found)
    if path:
        raise Refused("invalid_url", "a path")
    if host == "status":
        only(found, ("callback",), ("app",))
        callback = read_callback(percent_decoded(found["callback"]))
        app = found.get("app")
        if app is not None and not APP_ID.match(app):
            raise Refused("invalid_url", "app is not an app's id", callback)
        return Parsed("status", callback, app=app)
    if host == "settings":
        only(found, ())
        return Parsed("settings")
    if host == "sealed":
        only(found, ("envelope",))
        return Parsed("sealed", data=decode(found["envelope"]))
    if host == "pair" and "reveal" in found:
        only(found, ("reveal",))
        data = decode(found["reveal"])
        if len(data) != 76:
            raise Refused("invalid_request", "a reveal is of 76 bytes")
        return Parsed("reveal", data=data)
    if host == "pair":
        only(found, ("hello",))
        return parse_hello(decode(found["hello"], HELLO_LIMIT))
    raise Refused("invalid_url", "there is no such place")


def parse_plain(path, found):
    if not CAPABILITY.match(path):
        raise Refused("invalid_url", "not a capability's name")
    if "callback" not in found:
        raise Refused("invalid_url", "callback is missing")
    callback = read_callback(percent_decoded(found["callback"]))
    capability = "vlm" if path == "vision" else path
    try:
        if "prompt" in found:
            only(found, ("prompt", "callback"))
            request = {"prompt": percent_decoded(found["prompt"])}
            if len(request["prompt"].encode()) > DECODED_LIMIT:
                raise Refused("payload_too_large", f"a prompt of more than {DECODED_LIMIT} bytes")
        else:
            only(found, ("request", "callback"))
            request = read_json(decode(found["request"]))
        return Parsed("run", callback, request=read_request(request, capability, plain=True))
    except Refused as refusal:
        refusal.callback = callback
        raise


def is_version(value):
    return type(value) is int and value == 1


def parse_hello(data):
    hello = read_json(data)
    callback = hello.get("callback")
    if not isinstance(callback, str) or read_callback(callback) != callback:
        raise Refused("invalid_callback", "the callback is not written as it is kept")
    try:
        if not is_version(hello.get("v")):
            raise Refused("unsupported_version", "this is version 1")
        if set(hello) != {"v", "name", "callback", "commit", "asked"}:
            raise Refused("invalid_request", "the members of a hello are v, name, callback, commit and asked")
        read_name(hello["name"])
        if not isinstance(hello["commit"], str) or len(decode(hello["commit"])) != 32:
            raise Refused("invalid_request", "a commitment is of 32 bytes")
        asked = hello["asked"]
        if not isinstance(asked, dict) or not 1 <= len(asked) <= 32:
            raise Refused("invalid_request", "1 to 32 capabilities are asked for")
        for name, reach in asked.items():
            if not CAPABILITY.match(name) or reach not in ("onDevice", "networkAllowed"):
                raise Refused("invalid_request", "a capability is not asked for as it should be")
    except Refused as refusal:
        refusal.callback = callback
        raise
    return Parsed("hello", callback, data=data, extra=hello)
