"""Holds a file of vectors against the reference: nothing but what stands in the file is known here."""
import hashlib

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

import url_scheme_pair as pair
import url_scheme_seal as sealing
from url_scheme_seal import REQUEST_PART, AppSide, Header, Hub, Keys, Stored, answer_url, hkdf, open_sealed, seal
from url_scheme_seal import sealed_url, split
from url_scheme_text import RESERVED_CALLBACKS, RESERVED_PREFIXES, Refused, decode, encode, parse, read_callback

# Published values: RFC 7748 (5.2, 6.1), RFC 8439 (2.8.2), RFC 5869 (A.1, its first 32 bytes).
PRIMITIVES = {
    "x25519": [
        {"private": "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
         "public": "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
         "shared": "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552"},
        {"private": "77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
         "public": "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
         "shared": "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"},
        {"private": "5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
         "public": "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a",
         "shared": "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"},
    ],
    "chacha20_poly1305": [
        {"key": bytes(range(0x80, 0xA0)).hex(), "nonce": "070000004041424344454647",
         "header": "50515253c0c1c2c3c4c5c6c7",
         "plaintext": "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                      "sunscreen would be it.",
         "sealed": "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b"
                   "1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc"
                   "3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd0600691"},
    ],
    "hkdf_sha256": [
        {"key": "0b" * 22, "salt": "000102030405060708090a0b0c", "info": "f0f1f2f3f4f5f6f7f8f9",
         "output": "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf"},
    ],
}


def outcome(work, *arguments):
    """The members `accepted`, or `refused` and `told`, of a case."""
    try:
        return {"accepted": work(*arguments)}
    except Refused as refusal:
        return {"refused": refusal.code, "told": refusal.callback}


def spelled(text):
    """The text itself, of a long one that is written short."""
    return text if isinstance(text, str) else text["head"] + text["repeat"] * text["count"] + text["tail"]


# --- what a case comes to: each takes the members that a case has in the file


def accepted_text(text):
    return decode(text).hex()


def accepted_callback(text):
    return read_callback(text)


def accepted_url(url):
    url = spelled(url)
    parsed = parse(url)
    found = {"form": parsed.form, "callback": parsed.callback, "app": parsed.app}
    if parsed.data is not None:
        found["data"] = parsed.data.hex()
    if parsed.request is not None and len(url) > 10_000:
        found["prompt_length"] = len(parsed.request["prompt"])
    elif parsed.request is not None:
        found["request"] = parsed.request
    return {name: value for name, value in found.items() if value is not None}


def receive_step(hub, step):
    hub.files |= {name: decode(text) for name, text in step.get("files", {}).items()}
    header, message = hub.receive_url(step["url"], step["wall"], step["uptime"])
    return {"app": header.app, "message": message}


def part_step(hub, step, plaintext, app, key):
    header = Header(REQUEST_PART, app, bytes.fromhex(step["nonce"]), step["expiry"])
    envelope = seal(key, header, plaintext)
    if hashlib.sha256(envelope).hexdigest() != step["envelope_sha256"]:
        raise ValueError("another envelope")
    message = hub.receive(envelope, step["wall"], step["uptime"])[1]
    return message if message["do"] == "part" else {"do": message["do"], "whole": True}


def answer_step(app, step):
    app.files |= {name: decode(text) for name, text in step.get("files", {}).items()}
    start = "mycoolapp://breeze-response?result="
    if not step["url"].startswith(start):
        raise Refused("invalid_url", "not an answer")
    return app.open_answer(decode(step["url"].removeprefix(start)), step["wall"])


def pairing_step(hub, step):
    if "approve" in step:
        callback, envelope = hub.approve(step["now"], bytes.fromhex(step["approve"]))
        return {"url": answer_url(callback, envelope)}
    parsed = parse(step["url"])
    if parsed.form == "reveal":
        return {"code": hub.take_reveal(parsed.data, step["now"])[1].code}
    private, nonce = bytes.fromhex(step["private"]), bytes.fromhex(step["nonce"])
    return {"offer": hub.take_hello(parsed, step["now"], step["id"], private, nonce).hex()}


def reserved():
    return {"names": sorted(RESERVED_CALLBACKS), "prefixes": sorted(RESERVED_PREFIXES)}


# --- the check


class Check:
    def __init__(self):
        self.count, self.faults = 0, []

    def same(self, name, found, wanted):
        self.count += 1
        if found != wanted:
            self.faults.append(f"{name}: {found} instead of {wanted}")

    def case(self, name, case, work, *arguments):
        wanted = {key: case[key] for key in ("accepted", "refused", "told") if key in case}
        if not wanted:
            self.faults.append(f"{name}: says not what it comes to")
        self.same(name, outcome(work, *arguments), wanted)


def check(vectors):
    """How many values were compared, and what differs."""
    held = Check()
    primitives(held, vectors["primitives"])
    held.same("the reserved callbacks", vectors["reserved"], reserved())
    for case in vectors["base64url"]:
        held.case(f"base64url {case['text']!r}", case, accepted_text, case["text"])
    for case in vectors["callbacks"]:
        held.case(f"callback {case['text']!r}", case, accepted_callback, case["text"])
    for case in vectors["parse"]:
        held.case(f"parse: {case['name']}", case, accepted_url, case["url"])
    for case in vectors["seal"]:
        sealed(held, case)
    apps = {
        app: (Keys(bytes.fromhex(known["to_hub"]), bytes.fromhex(known["to_app"])), known["callback"])
        for app, known in vectors["paired"].items()
    }
    for case in vectors["receive"]:
        received(held, case, apps)
    for case in vectors["parts"]:
        parted(held, case, apps)
    app = vectors["answers"]["app"]
    for case in vectors["answers"]["cases"]:
        side = AppSide(app, apps[app][0], [bytes.fromhex(nonce) for nonce in vectors["answers"]["outstanding"]])
        for number, step in enumerate(case["steps"]):
            held.case(f"answer: {case['name']}, step {number}", step, answer_step, side, step)
    for case in vectors["pairings"]:
        paired(held, case)
    for case in vectors["pairing_cases"]:
        hub = pair.HubPairing()
        for number, step in enumerate(case["steps"]):
            held.case(f"pairing: {case['name']}, step {number}", step, pairing_step, hub, step)
    between(held, vectors["middle"])
    return held.count, held.faults


def primitives(held, given):
    held.same("the published values", given, PRIMITIVES)
    for case in PRIMITIVES["x25519"]:
        shared = pair.agree(bytes.fromhex(case["private"]), bytes.fromhex(case["public"]))
        held.same("X25519", shared.hex(), case["shared"])
    for case in PRIMITIVES["chacha20_poly1305"]:
        key, nonce, header = (bytes.fromhex(case[name]) for name in ("key", "nonce", "header"))
        found = ChaCha20Poly1305(key).encrypt(nonce, case["plaintext"].encode(), header)
        held.same("ChaCha20-Poly1305", found.hex(), case["sealed"])
    for case in PRIMITIVES["hkdf_sha256"]:
        found = hkdf(*(bytes.fromhex(case[name]) for name in ("key", "salt", "info")))
        held.same("HKDF-SHA256", found.hex(), case["output"])


def sealed(held, case):
    name, key = f"seal: {case['name']}", bytes.fromhex(case["key"])
    nonce, reply_to = bytes.fromhex(case["nonce"]), bytes.fromhex(case["reply_to"])
    header = Header(case["kind"], case["app"], nonce, case["expiry"], reply_to)
    held.same(f"{name}, header", header.data().hex(), case["header"])
    envelope = seal(key, header, case["plaintext"].encode())
    held.same(f"{name}, envelope", envelope.hex(), case["envelope"])
    is_answer = case["kind"] in sealing.ANSWERS
    held.same(f"{name}, URL", answer_url("mycoolapp", envelope) if is_answer else sealed_url(envelope), case["url"])
    read, rest = split(envelope, (case["kind"],))
    held.same(f"{name}, opened", open_sealed(key, read, rest).decode(), case["plaintext"])
    seen = bytes.fromhex(case["envelope"])
    held.same(f"{name}, readable", any(word in seen for word in (b"urgent", b"Monday", b'{"')), False)


def received(held, case, apps):
    stored = Stored(apps)
    hub = Hub(stored)
    for number, step in enumerate(case["steps"]):
        if step.get("restart"):
            hub = Hub(stored, step["uptime"])
        held.case(f"receive: {case['name']}, step {number}", step, receive_step, hub, step)


def parted(held, case, apps):
    message = spelled(case["message"]).encode()
    held.same(f"parts: {case['name']}, digest", hashlib.sha256(message).hexdigest(), case["digest"])
    app = next(iter(apps))
    hub = Hub(Stored(apps))
    for number, step in enumerate(case["steps"]):
        content = bytearray(message[step["offset"]:step["offset"] + step["length"]])
        if "changed" in step:
            content[step["changed"]] ^= 1
        plaintext = bytes.fromhex(step["head"]) + content
        key = apps[app][0].to_hub
        held.case(f"parts: {case['name']}, step {number}", step, part_step, hub, step, plaintext, app, key)


def paired(held, case):
    name, mine, theirs = f"pairing: {case['name']}", case["app"], case["hub"]
    key, nonce = bytes.fromhex(mine["private"]), bytes.fromhex(mine["nonce"])
    hub_key = bytes.fromhex(theirs["private"])
    app = pair.AppPairing(mine["name"], mine["callback"], mine["asked"], key, nonce)
    hub = pair.HubPairing()
    # What was sent counts as it stands there, byte for byte.
    held.same(f"{name}, hello", app.hello.decode(), case["hello"])
    held.same(f"{name}, public keys", [app.key.hex(), pair.public(hub_key).hex()], [mine["public"], theirs["public"]])
    held.same(f"{name}, commitment", pair.commitment(app.key, nonce).hex(), case["commitment"])
    held.same(f"{name}, hello's URL", f"breezeapp://pair?hello={encode(app.hello)}", case["hello_url"])
    parsed = parse(case["hello_url"])
    offer = hub.take_hello(parsed, 0, theirs["id"], hub_key, bytes.fromhex(theirs["nonce"]))
    held.same(f"{name}, offer", offer.hex(), case["offer"])
    url = answer_url(mine["callback"], pair.offer_answer(app.hello, offer))
    held.same(f"{name}, offer's URL", url, case["offer_url"])
    reveal, agreed = app.take_offer(offer)
    held.same(f"{name}, reveal", reveal.hex(), case["reveal"])
    held.same(f"{name}, reveal's URL", f"breezeapp://pair?reveal={encode(reveal)}", case["reveal_url"])
    held.same(f"{name}, both sides", hub.take_reveal(reveal, 0)[1], agreed)
    held.same(f"{name}, shared", pair.agree(hub_key, app.key).hex(), case["shared"])
    held.same(f"{name}, transcript", agreed.transcript.hex(), case["transcript"])
    held.same(f"{name}, code", agreed.code, case["code"])
    held.same(f"{name}, keys", [agreed.keys.to_hub.hex(), agreed.keys.to_app.hex()], [case["to_hub"], case["to_app"]])
    envelope = pair.paired_envelope(parsed, agreed, case["approved"], bytes.fromhex(case["paired_nonce"]))
    held.same(f"{name}, the end", answer_url(mine["callback"], envelope), case["paired_url"])
    side = AppSide(agreed.app, agreed.keys, [agreed.transcript[:12]])
    held.same(f"{name}, opened", side.open_answer(envelope, case["approved"])["state"], "paired")


def between(held, case):
    for side in ("app", "hub"):
        offer, reveal = (bytes.fromhex(case[f"{side}_{part}"]) for part in ("offer", "reveal"))
        digest = pair.transcript(case[f"{side}_hello"].encode(), offer, reveal)
        held.same(f"middle, the {side}'s code", pair.code(digest), case[f"{side}_code"])
    held.same("middle, one code", case["app_code"] == case["hub_code"], False)
