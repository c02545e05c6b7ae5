"""Pairing: commit, offer, reveal, a code that two people's eyes compare. See docs/url-scheme.md."""
import hashlib
import struct
from dataclasses import dataclass

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from url_scheme_seal import ANSWER, ANSWERS_LIFETIME, Header, Keys, compact, seal
from url_scheme_text import HELLO_LIMIT, Refused, decode, encode, parse_hello

DIGITS = 6
HELLOS_APART, REVEAL_WITHIN, DECISION_WITHIN = 60_000, 60_000, 180_000
RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def public(private):
    return X25519PrivateKey.from_private_bytes(private).public_key().public_bytes(*RAW)


def agree(private, others):
    """The secret that two keys have in common; a key of low order has none."""
    try:
        return X25519PrivateKey.from_private_bytes(private).exchange(X25519PublicKey.from_public_bytes(others))
    except ValueError as fault:
        raise Refused("pairing_failed", "a key of low order") from fault


def commitment(key, nonce):
    return hashlib.sha256(b"breezeapp/1 commit\0" + key + nonce).digest()


def transcript(hello, offer, reveal):
    return hashlib.sha256(b"breezeapp/1 pair\0" + struct.pack(">I", len(hello)) + hello + offer + reveal).digest()


def code_number(transcript_hash, digits=DIGITS):
    digest = hashlib.sha256(b"breezeapp/1 code\0" + transcript_hash).digest()
    return int.from_bytes(digest[:8], "big") % 10**digits


def code(transcript_hash):
    """As a person reads it: `012 345`."""
    text = f"{code_number(transcript_hash):06d}"
    return f"{text[:3]} {text[3:]}"


def make_hello(name, callback, asked, key, nonce):
    members = {"v": 1, "name": name, "callback": callback, "commit": encode(commitment(key, nonce)), "asked": asked}
    data = compact(members)
    if len(data) > HELLO_LIMIT:
        raise Refused("payload_too_large", "a hello is too large")
    return data


def offer_answer(hello, offer):
    """The result that carries an offer to the app's callback."""
    wanted = parse_hello(hello).extra["commit"]
    return compact({"v": 1, "requestID": wanted, "state": "pairing", "final": False, "offer": encode(offer)})


@dataclass
class Agreement:
    """What both sides have after the three messages, if nobody stood between them."""

    app: str
    transcript: bytes
    keys: Keys

    @property
    def code(self):
        return code(self.transcript)


class AppPairing:
    """The side that asks. One at a time, one a minute."""

    def __init__(self, name, callback, asked, private, nonce):
        self.private, self.key, self.nonce = private, public(private), nonce
        self.hello = make_hello(name, callback, asked, self.key, nonce)
        self.is_open = True

    def take_offer(self, offer):
        """`(reveal, agreement)`; a second offer ends what was begun."""
        if not self.is_open or len(offer) != 76:
            raise Refused("pairing_failed", "not the one offer that was awaited")
        self.is_open = False
        reveal = offer[:12] + self.key + self.nonce
        digest = transcript(self.hello, offer, reveal)
        agreement = Agreement(offer[:12].decode(), digest, Keys.agreed(agree(self.private, offer[12:44]), digest))
        return reveal, agreement


class HubPairing:
    """The hub's side, one for the whole device. Times are the hub's own; they outlive its process."""

    def __init__(self):
        self.last_hello = None
        self.pending = None
        self.ends = 0

    def take_hello(self, parsed, now, app, private, nonce):
        """The offer. `app` is a new id, `private` and `nonce` are made for this pairing alone."""
        if self.pending is not None and now >= self.ends:
            self.pending = None
        # A clock that went back ends the wait.
        is_soon = self.last_hello is not None and 0 <= now - self.last_hello < HELLOS_APART
        if self.pending is not None or is_soon:
            raise Refused("rate_limited", "one attempt a minute", parsed.callback)
        offer = app.encode() + public(private) + nonce
        self.last_hello, self.pending, self.ends = now, (parsed, app, private, offer), now + REVEAL_WITHIN
        return offer

    def take_reveal(self, reveal, now):
        """What the owner is shown: `(parsed hello, agreement)`. Whatever is wrong ends the pairing."""
        if self.pending is None or now >= self.ends or len(self.pending) != 4:
            raise Refused("pairing_failed", "no pairing waits for this")
        parsed, app, private, offer = self.pending
        self.pending = None
        if reveal[:12].decode("latin-1") != app:
            raise Refused("pairing_failed", "a reveal for another pairing", parsed.callback)
        if commitment(reveal[12:44], reveal[44:]) != commit_of(parsed):
            raise Refused("pairing_failed", "not what was committed to", parsed.callback)
        try:
            shared = agree(private, reveal[12:44])
        except Refused as refusal:
            refusal.callback = parsed.callback
            raise
        digest = transcript(parsed.data, offer, reveal)
        agreement = Agreement(app, digest, Keys.agreed(shared, digest))
        self.pending, self.ends = (parsed, agreement), now + DECISION_WITHIN
        return parsed, agreement

    def approve(self, now, nonce):
        """The owner said that the codes are the same: `(callback, envelope)` for the app."""
        if self.pending is None or now >= self.ends or len(self.pending) != 2:
            raise Refused("pairing_failed", "no pairing waits for this")
        (parsed, agreement), self.pending = self.pending, None
        return parsed.callback, paired_envelope(parsed, agreement, now, nonce)


def commit_of(parsed):
    return decode(parsed.extra["commit"])


def paired_envelope(parsed, agreement, now, nonce):
    answer = {
        "v": 1, "requestID": parsed.extra["commit"], "state": "paired", "final": True, "time": now,
        "app": agreement.app, "granted": parsed.extra["asked"],
    }
    header = Header(ANSWER, agreement.app, nonce, now + ANSWERS_LIFETIME, agreement.transcript[:12])
    return seal(agreement.keys.to_app, header, compact(answer))


# --- a man in the middle


def whole_attack(random, digits):
    """Two whole pairings with a man between them; whether the codes agree.

    He keeps each side waiting while he asks the other. What he sends to the app he must send before it reveals its
    nonce, and to the hub he commits before he sees the hub's: nothing is left to choose when he knows a code."""
    app = AppPairing("Cool", "mycoolapp", {"chat": "onDevice"}, random(32), random(32))
    his = AppPairing("Cool", "mycoolapp", {"chat": "onDevice"}, random(32), random(32))
    hub = HubPairing()
    offered = hub.take_hello(parse_hello(his.hello), 0, "a" * 12, random(32), random(32))
    _, at_the_app = app.take_offer(b"a" * 12 + public(random(32)) + random(32))
    reveal, _ = his.take_offer(offered)
    _, at_the_hub = hub.take_reveal(reveal, 0)
    return code_number(at_the_app.transcript, digits) == code_number(at_the_hub.transcript, digits)


def middle(tries, digits, random):
    """The same, of which only the codes are computed: what enters them is drawn at its true length."""
    heads = [hashlib.sha256(b"breezeapp/1 pair\0" + struct.pack(">I", 150) + random(150)) for _ in range(2)]
    code_head = hashlib.sha256(b"breezeapp/1 code\0")
    limits = [10**count for count in digits]

    def drawn(head, fresh):
        whole, last = head.copy(), code_head.copy()
        whole.update(fresh)
        last.update(whole.digest())
        return int.from_bytes(last.digest()[:8], "big")

    met = [0] * len(limits)
    for _ in range(tries):
        fresh = random(304)
        at_the_app, at_the_hub = drawn(heads[0], fresh[:152]), drawn(heads[1], fresh[152:])
        for place, limit in enumerate(limits):
            if at_the_app % limit != at_the_hub % limit:
                break
            met[place] += 1
    return met


def without_commitment(digits, random, most):
    """The man where the app shows its nonce first: how many nonces he tries until the codes agree, or `None`."""
    wanted = code_number(transcript(random(150), random(76), random(76)), digits)
    hello, offer, head = random(150), random(76), random(44)
    for tries in range(1, most + 1):
        if code_number(transcript(hello, offer, head + random(32)), digits) == wanted:
            return tries
    return None
