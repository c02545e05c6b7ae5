"""Sealed messages of the scheme: envelopes, hand-off, parts, and what a receiver keeps. See docs/url-scheme.md."""
import hashlib
import hmac
import json
import struct
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from url_scheme_text import APP_ID, DECODED_LIMIT, REQUEST_ID, Refused, decode, encode, is_version, parse, read_json
from url_scheme_text import read_request

MAGIC = b"BRZ1"
REQUEST, ANSWER, REQUEST_PART, ANSWER_PART, POINTER = 1, 2, 3, 4, 5
ANSWERS = (ANSWER, ANSWER_PART)
HEADER, ANSWER_HEADER, TAG = 37, 49, 16
LIFETIME, SENDERS_LIFETIME, ANSWERS_LIFETIME = 300_000, 120_000, 600_000
NONCES = 4_096
PART, PARTS = 61_440, 16
HANDOFF_LIMIT = 67_108_864
EXPIRED_ANSWERS_APART = 10_000


def hkdf(key, salt, info, length=32):
    """RFC 5869 with SHA-256, for at most 32 bytes."""
    prk = hmac.digest(salt, key, "sha256")
    return hmac.digest(prk, info + b"\x01", "sha256")[:length]


@dataclass
class Keys:
    to_hub: bytes
    to_app: bytes

    @classmethod
    def agreed(cls, shared, transcript):
        return cls(
            hkdf(shared, transcript, b"breezeapp/1 app to hub"), hkdf(shared, transcript, b"breezeapp/1 hub to app"))


@dataclass
class Header:
    kind: int
    app: str
    nonce: bytes
    expiry: int
    reply_to: bytes = b""

    def data(self):
        head = MAGIC + bytes([self.kind]) + self.app.encode() + self.nonce
        return head + struct.pack(">Q", self.expiry) + self.reply_to


def seal(key, header, plaintext):
    """The whole envelope: the header is the associated data, and goes in front."""
    head = header.data()
    return head + ChaCha20Poly1305(key).encrypt(header.nonce, plaintext, head)


def split(envelope, kinds):
    """What can be known without a key."""
    if envelope[:3] == MAGIC[:3] and envelope[3:4] not in (b"", MAGIC[3:]):
        raise Refused("unsupported_version", "this is version 1")
    if envelope[:4] != MAGIC or len(envelope) < 5 or envelope[4] not in kinds:
        raise Refused("invalid_envelope", "not an envelope that is taken here")
    kind = envelope[4]
    length = ANSWER_HEADER if kind in ANSWERS else HEADER
    if len(envelope) <= length + TAG:
        raise Refused("invalid_envelope", "too short")
    app = envelope[5:17].decode("latin-1")
    if not APP_ID.match(app):
        raise Refused("invalid_envelope", "not an app's id")
    header = Header(kind, app, envelope[17:29], struct.unpack(">Q", envelope[29:37])[0], envelope[37:length])
    return header, envelope[length:]


def open_sealed(key, header, sealed):
    try:
        return ChaCha20Poly1305(key).decrypt(header.nonce, sealed, header.data())
    except InvalidTag as fault:
        raise Refused("invalid_envelope", "it was not made with this app's key, or was changed") from fault


# --- hand-off and parts


def pointer(envelope):
    return MAGIC + bytes([POINTER]) + hashlib.sha256(envelope).digest()


def fetch(data, files, kinds):
    """What a pointer points to. `files` stands in for the folder: name to bytes; what is read is gone."""
    if data[:5] != MAGIC + bytes([POINTER]):
        return data
    if len(data) != 37:
        raise Refused("invalid_envelope", "a pointer is of 37 bytes")
    content = files.pop(data[5:].hex(), None)
    if content is None or len(content) > HANDOFF_LIMIT or hashlib.sha256(content).digest() != data[5:]:
        raise Refused("invalid_handoff", "there is no such file, or it is not what the URL names")
    if content[4:5] not in [bytes([kind]) for kind in kinds]:
        raise Refused("invalid_envelope", "a file holds a whole message")
    return content


def cut(plaintext):
    """The plaintexts of the parts of a message that is too large for one URL."""
    count = -(-len(plaintext) // PART)
    if count > PARTS:
        raise Refused("payload_too_large", f"more than {PART * PARTS} bytes")
    digest = hashlib.sha256(plaintext).digest()
    return [digest + bytes([n, count]) + plaintext[n * PART:(n + 1) * PART] for n in range(count)]


@dataclass
class PartSet:
    digest: bytes
    count: int
    content: bytes
    next: int
    time: int


def join(parts, plaintext, time):
    """Adds a part to what is there: `(parts, None)` where more must come, else `(None, whole)`."""
    digest, rest = plaintext[:32], plaintext[32:]
    if len(rest) < 3:
        raise Refused("invalid_request", "a part has a head of 34 bytes, and content")
    index, count, content = rest[0], rest[1], rest[2:]
    is_last = index + 1 == count
    if not 2 <= count <= PARTS or index >= count or not (len(content) == PART or is_last and len(content) <= PART):
        raise Refused("invalid_request", "not a part")
    if index == 0:
        return PartSet(digest, count, content, 1, time), None
    is_over = parts is None or time - parts.time >= LIFETIME
    if is_over or (parts.digest, parts.count, parts.next) != (digest, count, index):
        raise Refused("invalid_request", "not the part that comes next")
    parts = PartSet(digest, count, parts.content + content, index + 1, time)
    if not is_last:
        return parts, None
    if hashlib.sha256(parts.content).digest() != digest:
        raise Refused("invalid_request", "the parts are not what the first one announced")
    return None, parts.content


# --- the hub


def read_message(plaintext):
    message = read_json(plaintext)
    members = {
        "run": ({"do", "request"}, {"reply"}), "cancel": ({"do", "id"}, set()), "status": ({"do"}, set()),
        "more": ({"do", "digest", "next"}, set()),
    }
    word = message.get("do")
    if not isinstance(word, str) or word not in members:
        raise Refused("invalid_request", "do is run, cancel, status or more")
    required, optional = members[word]
    if not required <= set(message) <= required | optional:
        raise Refused("invalid_request", "a member is missing, or nobody knows it")
    if word == "run":
        if message.get("reply", "url") not in ("url", "parts", "file", "socket"):
            raise Refused("invalid_request", "reply is url, parts, file or socket")
        if not isinstance(message["request"], dict):
            raise Refused("invalid_request", "request is not an object")
        return message | {"request": read_request(message["request"])}
    if word == "cancel" and not (isinstance(message["id"], str) and REQUEST_ID.match(message["id"])):
        raise Refused("invalid_request", "not a request's id")
    if word == "more":
        number = message["next"]
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number < PARTS:
            raise Refused("invalid_request", "next is 1 to 15")
        if not isinstance(message["digest"], str) or len(decode(message["digest"])) != 32:
            raise Refused("invalid_request", "digest is of 32 bytes")
    return message


@dataclass
class Stored:
    """What outlives the hub's process: `apps` is id to (keys, callback), `nonces` (app, nonce) to expiry."""

    apps: dict
    nonces: dict = field(default_factory=dict)
    time: int = 0
    parts: dict = field(default_factory=dict)
    expired_told: dict = field(default_factory=dict)


class Hub:
    """A receiver. Made anew, it is a hub that was started again."""

    def __init__(self, stored, uptime=0, files=None):
        self.stored, self.files = stored, {} if files is None else files
        self.uptime = uptime

    def now(self, wall, uptime):
        """The later of the clock and the time that was written down last, plus what passed since."""
        return max(wall, self.stored.time + uptime - self.uptime)

    def receive(self, data, wall, uptime=0):
        """`(header, message)`; the message of a part before the last is `{"do": "part", "next": …}`."""
        header, sealed = split(fetch(data, self.files, (REQUEST,)), (REQUEST, REQUEST_PART))
        known = self.stored.apps.get(header.app)
        if known is None:
            raise Refused("not_paired", "no app of this id is paired")
        keys, callback = known
        plaintext = open_sealed(keys.to_hub, header, sealed)
        now = self.now(wall, uptime)
        if not now < header.expiry <= now + LIFETIME:
            told = self.stored.expired_told.get(header.app)
            is_told = told is None or not 0 <= now - told < EXPIRED_ANSWERS_APART
            if is_told:
                self.stored.expired_told[header.app] = now
            raise Refused("message_expired", "its time is over, or too far away", callback if is_told else None)
        self.remember(header, now, uptime)
        try:
            if header.kind == REQUEST:
                return header, read_message(plaintext)
            parts = self.stored.parts.pop(header.app, None)
            parts, whole = join(parts, plaintext, now)
            if whole is not None:
                return header, read_message(whole)
            self.stored.parts[header.app] = parts
            return header, {"do": "part", "next": parts.next}
        except Refused as refusal:
            refusal.callback = callback
            raise

    def remember(self, header, now, uptime):
        """In the product one transaction, on the disk before anything runs."""
        key = (header.app, header.nonce)
        if key in self.stored.nonces:
            raise Refused("replayed", "this message was taken already")
        self.stored.nonces = {k: expiry for k, expiry in self.stored.nonces.items() if expiry > now}
        self.stored.time, self.uptime = now, uptime
        if sum(app == header.app for app, _ in self.stored.nonces) >= NONCES:
            raise Refused("rate_limited", f"{NONCES} messages are remembered already")
        self.stored.nonces[key] = header.expiry

    def receive_url(self, url, wall, uptime=0):
        parsed = parse(url)
        if parsed.form != "sealed":
            raise Refused("invalid_url", "not a sealed form")
        return self.receive(parsed.data, wall, uptime)


# --- the app


class AppSide:
    """What an app keeps: its keys, and the nonces of messages that were not answered yet."""

    def __init__(self, app, keys, outstanding=(), files=None):
        self.app, self.keys, self.outstanding = app, keys, set(outstanding)
        self.files = {} if files is None else files
        self.ahead = 0
        self.parts = None

    def open_answer(self, data, wall):
        """The answer's object, or `{"state": "part", …}` for a part before the last."""
        if data[:1] == b"{":
            raise Refused("unsealed_answer", "a paired app takes sealed answers alone")
        header, sealed = split(fetch(data, self.files, (ANSWER,)), ANSWERS)
        if header.app != self.app:
            raise Refused("invalid_envelope", "another app's answer")
        plaintext = open_sealed(self.keys.to_app, header, sealed)
        if header.expiry <= wall + self.ahead:
            raise Refused("message_expired", "the answer's time is over")
        if header.reply_to not in self.outstanding:
            raise Refused("replayed", "no question of this app waits for it")
        self.outstanding.discard(header.reply_to)
        if header.kind == ANSWER_PART:
            begun, self.parts = self.parts, None
            self.parts, whole = join(begun, plaintext, wall)
            if whole is None:
                return {"state": "part", "next": self.parts.next, "digest": encode(self.parts.digest)}
            plaintext = whole
        answer = read_json(plaintext)
        if not is_version(answer.get("v")):
            raise Refused("unsupported_version", "this is version 1")
        self.ahead = max(0, answer.get("time", wall) - wall)
        return answer


def answer_url(callback, data):
    if len(data) > DECODED_LIMIT:
        raise Refused("payload_too_large", "larger than a URL takes")
    return f"{callback}://breeze-response?result={encode(data)}"


def sealed_url(envelope):
    if len(envelope) > DECODED_LIMIT:
        raise Refused("payload_too_large", "larger than a URL takes")
    return f"breezeapp://sealed?envelope={encode(envelope)}"


def compact(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
