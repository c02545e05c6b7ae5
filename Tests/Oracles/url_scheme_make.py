"""Makes docs/url-scheme-vectors.json: every case is written here, every value computed from one seed."""
import hashlib

import url_scheme_pair as pair
import url_scheme_seal as sealing
from url_scheme_check import PRIMITIVES, accepted_callback, accepted_text, accepted_url, answer_step, outcome
from url_scheme_check import pairing_step, part_step, receive_step, reserved, spelled
from url_scheme_seal import ANSWER, ANSWER_PART, REQUEST, REQUEST_PART, AppSide, Header, Hub, Keys, Stored
from url_scheme_seal import answer_url, compact, seal, sealed_url
from url_scheme_text import encode, parse
from url_scheme_urls import BASE64, CALLBACKS, long, urls

SEED = "breezeapp vectors 1"
NOW = 1_800_000_000_000


def draw(label, count):
    return hashlib.shake_256(f"{SEED}/{label}".encode()).digest(count)


def app_id(label):
    return "".join("abcdefghijklmnopqrstuvwxyz234567"[byte % 32] for byte in draw(label, 12))


APP, OTHER = app_id("app"), app_id("other")
KEYS = Keys(draw("to hub", 32), draw("to app", 32))
OTHERS_KEYS = Keys(draw("other to hub", 32), draw("other to app", 32))
ASK = {"do": "run", "request": {"id": "q-1", "capability": "chat", "prompt": "Is this mail urgent?"}}
ANSWERED = {
    "v": 1, "requestID": "q-1", "state": "done", "final": True, "time": NOW + 900,
    "result": {
        "requestID": "q-1", "output": {"kind": "text", "text": "No. It can wait until Monday."}, "toolCalls": [],
        "finishReason": "stop", "usage": {"inputTokens": 9, "outputTokens": 8},
        "timings": {"queue": 0, "load": 0, "run": 0.9, "total": 0.9}, "runner": "llama:qwen3",
        "isMock": False, "guardianVerdicts": [], "notices": [],
    },
}


# --- sealed messages


def request_header(label, expiry=NOW + 120_000, kind=REQUEST, app=APP):
    return Header(kind, app, draw(f"nonce {label}", 12), expiry)


def sealed(label, message=ASK, key=KEYS.to_hub, **header):
    plaintext = message if isinstance(message, bytes) else compact(message)
    return seal(key, request_header(label, **header), plaintext)


def answered(label, answer=ANSWERED, key=KEYS.to_app, app=APP, to="a", expiry=NOW + 600_000, kind=ANSWER):
    plaintext = answer if isinstance(answer, bytes) else compact(answer)
    return seal(key, Header(kind, app, draw(f"nonce {label}", 12), expiry, draw(f"nonce {to}", 12)), plaintext)


def changed(envelope, place):
    return envelope[:place] + bytes([envelope[place] ^ 1]) + envelope[place + 1:]


def seal_case(name, key, header, message):
    plaintext = compact(message)
    envelope = seal(key, header, plaintext)
    is_answer = header.kind == ANSWER
    return {
        "name": name, "key": key.hex(), "kind": header.kind, "app": header.app, "nonce": header.nonce.hex(),
        "expiry": header.expiry, "reply_to": header.reply_to.hex(), "header": header.data().hex(),
        "plaintext": plaintext.decode(), "envelope": envelope.hex(),
        "url": answer_url("mycoolapp", envelope) if is_answer else sealed_url(envelope),
    }


def seal_cases():
    run = Header(REQUEST, APP, draw("nonce a", 12), NOW + 120_000)
    return [
        seal_case("a question", KEYS.to_hub, run, ASK),
        seal_case("its answer", KEYS.to_app,
                  Header(ANSWER, APP, draw("nonce b", 12), NOW + 600_900, run.nonce), ANSWERED),
        seal_case("a failure", KEYS.to_app, Header(ANSWER, APP, draw("nonce c", 12), NOW + 600_900, run.nonce),
                  {"v": 1, "requestID": "q-1", "state": "failed", "final": True, "time": NOW + 900,
                   "error": {"code": "no_runner", "message": "No runner may answer."}}),
        seal_case("a question about the hub", KEYS.to_hub, request_header("status"), {"do": "status"}),
        seal_case("the end of a request", KEYS.to_hub, request_header("cancel"), {"do": "cancel", "id": "q-1"}),
        seal_case("another script", KEYS.to_hub, request_header("script"),
                  {"do": "run", "request": {"capability": "chat", "prompt": "你好 🌬️"}, "reply": "file"}),
        seal_case("another app", OTHERS_KEYS.to_hub, request_header("other", app=OTHER), ASK),
        seal_case("the latest time that there is", KEYS.to_hub, request_header("late", expiry=2**64 - 1), ASK),
    ]


def step(data, wall=NOW, uptime=0, **more):
    return {"wall": wall, "uptime": uptime, "url": data if isinstance(data, str) else sealed_url(data)} | more


def receive_cases():
    envelope = sealed("a")
    picture = {"capability": "vlm", "prompt": "What is it?", "imageData": "AAEC"}
    handed = sealed("file", {"do": "run", "request": picture})
    others = seal(OTHERS_KEYS.to_hub, request_header("a", app=OTHER), compact(ASK))
    pointed = sealing.pointer(handed)
    place = pointed[5:].hex()
    files = {place: encode(handed)}
    minute = 60_000
    cases = {
        "a question": [step(envelope)],
        "the same URL twice": [step(envelope), step(envelope)],
        "the same URL, the hub started again between": [step(envelope), step(envelope, NOW + 5, restart=True)],
        "the same URL, the hub started again and the clock moved back": [
            step(envelope), step(envelope, NOW - 3_600_000, restart=True)],
        "the same URL after its time": [step(envelope), step(envelope, NOW + 2 * minute, uptime=2 * minute)],
        "the same URL after its time, forgotten, and the clock moved back": [
            step(envelope), step(sealed("b", expiry=NOW + 5 * minute), NOW + 3 * minute, uptime=3 * minute),
            step(envelope, NOW, restart=True), step(envelope, NOW, uptime=3 * minute)],
        "the clock stands while time passes": [
            step(envelope), step(sealed("b", expiry=NOW + 4 * minute), NOW, uptime=3 * minute),
            step(sealed("c"), NOW, uptime=3 * minute)],
        "the clock moved back, and a sender that heard the hub's time": [
            step(envelope), step(sealed("b", expiry=NOW - 58 * minute), NOW - 60 * minute, uptime=10),
            step(sealed("c", expiry=NOW + 120_010), NOW - 60 * minute, uptime=20)],
        "expired": [step(sealed("a", expiry=NOW - 1))],
        "expired in this millisecond": [step(sealed("a", expiry=NOW))],
        "a millisecond is left": [step(sealed("a", expiry=NOW + 1))],
        "the farthest time that is taken": [step(sealed("a", expiry=NOW + 300_000))],
        "too far away": [step(sealed("a", expiry=NOW + 300_001))],
        "for ever": [step(sealed("a", expiry=2**64 - 1))],
        "expired twice: the second is not told": [
            step(sealed("a", expiry=NOW - 1)), step(sealed("b", expiry=NOW - 1), NOW + 9_999, uptime=9_999),
            step(sealed("c", expiry=NOW - 1), NOW + 10_000, uptime=10_000)],
        "expired when the clock was ahead: what is expired now is told": [
            step(sealed("a", expiry=NOW - 1), NOW + 60 * minute), step(sealed("b", expiry=NOW - 1), uptime=1_000)],
        "an app that is not paired": [step(sealed("a", app="a" * 12))],
        "another app's key": [step(sealed("a", key=OTHERS_KEYS.to_hub))],
        "another app's name on it": [step(envelope[:5] + OTHER.encode() + envelope[17:])],
        "two apps with one nonce": [step(envelope), step(others)],
        "an answer sent back": [step(answered("a"))],
        "an answer's key": [step(sealed("a", key=KEYS.to_app))],
        "a changed magic": [step(changed(envelope, 0))],
        "a later version": [step(b"BRZ2" + envelope[4:])],
        "three bytes of a magic": [step(b"BRZ")],
        "a kind that there is not": [step(envelope[:4] + b"\x09" + envelope[5:])],
        "a changed kind": [step(envelope[:4] + bytes([REQUEST_PART]) + envelope[5:])],
        "a changed app": [step(changed(envelope, 5))],
        "an app's name that is none": [step(envelope[:5] + b"A" + envelope[6:])],
        "a changed nonce": [step(changed(envelope, 28))],
        "a changed time": [step(changed(envelope, 36))],
        "a changed message": [step(changed(envelope, 37))],
        "a changed tag": [step(changed(envelope, len(envelope) - 1))],
        "a byte less": [step(envelope[:-1])],
        "a byte more": [step(envelope + b"\0")],
        "a header alone": [step(envelope[:37])],
        "an empty message": [step(seal(KEYS.to_hub, request_header("a"), b""))],
        "a forgery burns no nonce": [step(changed(envelope, 40)), step(envelope)],
        "a message that is no object": [step(sealed("a", b"[]"))],
        "a message that does what there is not": [step(sealed("a", {"do": "erase"}))],
        "a message with a callback": [step(sealed("a", ASK | {"callback": "evil"}))],
        "a message with a field that nobody knows": [
            step(sealed("a", {"do": "run", "request": {"capability": "chat", "x": 1}}))],
        "a message without a capability": [step(sealed("a", {"do": "run", "request": {"prompt": "x"}}))],
        "a refused message used its nonce": [step(sealed("a", {"do": "erase"})), step(envelope)],
        "tools and the network are asked for": [step(sealed("a", {"do": "run", "request": {
            "capability": "chat", "prompt": "x", "privacy": "userSettings",
            "configuration": {"tools": [{"name": "a", "description": "b", "parameters": {}}]}}}))],
        "a cancellation": [step(sealed("a", {"do": "cancel", "id": "q-1"}))],
        "more of an answer": [step(sealed("a", {"do": "more", "digest": encode(bytes(32)), "next": 15}))],
        "more than there can be": [step(sealed("a", {"do": "more", "digest": encode(bytes(32)), "next": 16}))],
        "a file": [step(pointed, files=files)],
        "a file twice: it is gone": [step(pointed, files=files), step(pointed)],
        "a file put there again is a replay": [step(pointed, files=files), step(pointed, files=files)],
        "a file that is not there": [step(pointed)],
        "a file of other bytes": [step(pointed, files={place: encode(changed(handed, 50))})],
        "a pointer that is short": [step(pointed[:-1], files=files)],
        "a pointer to a pointer": [
            step(sealing.pointer(pointed), files={hashlib.sha256(pointed).hexdigest(): encode(pointed)})],
    }
    return [run_receive({"name": name, "steps": steps}) for name, steps in cases.items()]


def paired():
    return {
        APP: {"to_hub": KEYS.to_hub.hex(), "to_app": KEYS.to_app.hex(), "callback": "mycoolapp"},
        OTHER: {"to_hub": OTHERS_KEYS.to_hub.hex(), "to_app": OTHERS_KEYS.to_app.hex(), "callback": "otherapp"},
    }


def run_receive(case):
    """Fills in what each step comes to."""
    stored = Stored({APP: (KEYS, "mycoolapp"), OTHER: (OTHERS_KEYS, "otherapp")})
    hub, steps = Hub(stored), []
    for one in case["steps"]:
        if one.get("restart"):
            hub = Hub(stored, one["uptime"])
        steps.append(one | outcome(receive_step, hub, one))
    return case | {"steps": steps}


# --- parts


def part_message():
    head = '{"do":"run","request":{"capability":"chat","prompt":"'
    return long(head, 2 * sealing.PART + 100 - len(head) - 3, '"}}')


def part_cases():
    """Envelopes of parts are large: a step says what to make, and the digest of what comes out."""
    message = spelled(part_message()).encode()
    plain = sealing.cut(message)
    # The digest and the two numbers in front, where the content begins, its length, which byte is changed.
    first, second, third = ((part[:34], n * sealing.PART, len(part) - 34, None) for n, part in enumerate(plain))
    orders = {
        "in order": [first, second, third],
        "the second first": [second],
        "one left out": [first, third],
        "one twice ends it": [first, second, second, third],
        "begun anew": [first, first, second, third],
        "a changed part is noticed at the end": [first, second[:3] + (6,), third],
        "a first part that is not full": [(first[0], 0, sealing.PART - 1, None)],
        "a last part without content": [first, second, third[:2] + (0, None)],
        "an only part": [(third[0][:32] + b"\x00\x01",) + third[1:]],
        "seventeen parts": [(first[0][:33] + b"\x11",) + first[1:]],
        "another count in the middle": [first, (second[0][:33] + b"\x04",) + second[1:]],
        "five minutes too late": [first, second],
    }
    cases = []
    for name, parts in orders.items():
        hub, steps = Hub(Stored({APP: (KEYS, "mycoolapp")})), []
        for number, (head, offset, length, spoiled) in enumerate(parts):
            late = number * (300_000 if "late" in name else 1)
            step = {
                "wall": NOW + late, "uptime": late, "nonce": draw(f"part {name} {number}", 12).hex(),
                "expiry": NOW + late + 120_000, "head": head.hex(), "offset": offset, "length": length,
            } | ({} if spoiled is None else {"changed": spoiled})
            content = bytearray(message[offset:offset + length])
            if spoiled is not None:
                content[spoiled] ^= 1
            header = Header(REQUEST_PART, APP, bytes.fromhex(step["nonce"]), step["expiry"])
            envelope = seal(KEYS.to_hub, header, head + content)
            step["envelope_sha256"] = hashlib.sha256(envelope).hexdigest()
            steps.append(step | outcome(part_step, hub, step, head + content, APP, KEYS.to_hub))
        cases.append({"name": name, "message": part_message(), "digest": plain[0][:32].hex(), "steps": steps})
    return cases


# --- answers, at the app


def answer_cases():
    good = answered("answer")
    back = answer_url("mycoolapp", good)
    big = sealing.pointer(good)
    plain = compact({name: value for name, value in ANSWERED.items() if name != "time"})
    url = {"url": back, "wall": NOW}

    def one(data, wall=NOW, **more):
        return {"url": answer_url("mycoolapp", data), "wall": wall} | more

    cases = {
        "an answer": [url],
        "an answer twice": [url, url],
        "an answer nobody waits for": [one(answered("answer", to="z"))],
        "a plain answer to a paired app": [one(plain)],
        "another app's answer": [one(answered("answer", app=OTHER, key=OTHERS_KEYS.to_app))],
        "another app's key": [one(answered("answer", key=OTHERS_KEYS.to_app))],
        "a question sent back": [one(sealed("a"))],
        "a question's key": [one(answered("answer", key=KEYS.to_hub))],
        "an answer after its time": [one(good, NOW + 600_000)],
        "a changed kind": [one(good[:4] + bytes([ANSWER_PART]) + good[5:])],
        "a changed app": [one(changed(good, 16))],
        "a changed nonce": [one(changed(good, 17))],
        "a changed time": [one(changed(good, 29))],
        "a changed question": [one(changed(good, 37))],
        "another question of the same app": [one(good[:37] + draw("nonce b", 12) + good[49:])],
        "a changed message": [one(changed(good, 49))],
        "a changed tag": [one(changed(good, len(good) - 1))],
        "a later version": [one(b"BRZ2" + good[4:])],
        "a file": [one(big, files={big[5:].hex(): encode(good)})],
        "a file that is not there": [one(big)],
        "an answer of another version": [one(answered("answer", ANSWERED | {"v": 2})), url],
        "a member that is new": [one(answered("answer", ANSWERED | {"news": 1}))],
        "the hub's clock is ahead": [
            one(answered("answer", ANSWERED | {"time": NOW + 3_600_000}, expiry=NOW + 4_200_000))],
    }
    found = []
    for name, steps in cases.items():
        app = AppSide(APP, KEYS, [draw("nonce a", 12), draw("nonce b", 12)])
        found.append({"name": name, "steps": [each | outcome(answer_step, app, each) for each in steps]})
    return found


# --- pairing


def pairing(label, name, callback, asked):
    """A whole pairing with every value on the way."""
    mine, theirs = draw(f"{label} app key", 32), draw(f"{label} hub key", 32)
    app = pair.AppPairing(name, callback, asked, mine, draw(f"{label} app nonce", 32))
    hub = pair.HubPairing()
    url = f"breezeapp://pair?hello={encode(app.hello)}"
    offer = hub.take_hello(parse(url), NOW, app_id(f"{label} id"), theirs, draw(f"{label} hub nonce", 32))
    reveal, agreed = app.take_offer(offer)
    _, shown = hub.take_reveal(reveal, NOW + 400)
    assert shown == agreed
    back, envelope = hub.approve(NOW + 9_000, draw(f"{label} paired", 12))
    return {
        "name": label,
        "app": {
            "private": mine.hex(), "public": pair.public(mine).hex(), "nonce": app.nonce.hex(), "name": name,
            "callback": callback, "asked": asked},
        "hub": {
            "private": theirs.hex(), "public": pair.public(theirs).hex(), "nonce": offer[44:].hex(), "id": agreed.app},
        "commitment": pair.commitment(app.key, app.nonce).hex(), "hello": app.hello.decode(), "hello_url": url,
        "offer": offer.hex(), "offer_url": answer_url(callback, pair.offer_answer(app.hello, offer)),
        "reveal": reveal.hex(), "reveal_url": f"breezeapp://pair?reveal={encode(reveal)}",
        "shared": pair.agree(mine, offer[12:44]).hex(), "transcript": agreed.transcript.hex(), "code": agreed.code,
        "to_hub": agreed.keys.to_hub.hex(), "to_app": agreed.keys.to_app.hex(),
        "approved": NOW + 9_000, "paired_nonce": draw(f"{label} paired", 12).hex(),
        "paired_url": answer_url(back, envelope),
    }


def pairings():
    found = [
        pairing("plain", "Cool Notes", "mycoolapp", {"chat": "onDevice"}),
        pairing("another script", "風の手帳 🌬️", "com.example.notes",
                {"chat": "networkAllowed", "embedding": "onDevice"}),
    ]
    number = next(n for n in range(1000) if pairing(f"zeros {n}", "Z", "zzz", {"tts": "onDevice"})["code"][:2] == "00")
    return found + [pairing(f"zeros {number}", "Z", "zzz", {"tts": "onDevice"})]


def middle():
    """One who stands between: both sides end well, and show different codes."""
    app = pair.AppPairing("Cool Notes", "mycoolapp", {"chat": "onDevice"}, draw("m app", 32), draw("m app nonce", 32))
    his = pair.AppPairing("Cool Notes", "mycoolapp", {"chat": "onDevice"}, draw("m his", 32), draw("m his nonce", 32))
    hub = pair.HubPairing()
    offer = hub.take_hello(pair.parse_hello(his.hello), NOW, app_id("m id"), draw("m hub", 32), draw("m hub nonce", 32))
    his_offer = offer[:12] + pair.public(draw("m his other", 32)) + draw("m his other nonce", 32)
    reveal, at_app = app.take_offer(his_offer)
    his_reveal, _ = his.take_offer(offer)
    _, at_hub = hub.take_reveal(his_reveal, NOW)
    return {
        "app_hello": app.hello.decode(), "app_offer": his_offer.hex(), "app_reveal": reveal.hex(),
        "app_code": at_app.code,
        "hub_hello": his.hello.decode(), "hub_offer": offer.hex(), "hub_reveal": his_reveal.hex(),
        "hub_code": at_hub.code,
    }


def hub_pairing_cases():
    whole = pairing("plain", "Cool Notes", "mycoolapp", {"chat": "onDevice"})
    reveal = bytes.fromhex(whole["reveal"])
    ours = {"id": whole["hub"]["id"], "private": whole["hub"]["private"], "nonce": whole["hub"]["nonce"]}
    low = bytes(32)
    bad = pair.make_hello("Cool Notes", "mycoolapp", {"chat": "onDevice"}, low, draw("low", 32))

    def hello(now=NOW, url=whole["hello_url"]):
        return {"now": now, "url": url} | ours

    def show(data=reveal, now=NOW + 1_000):
        return {"now": now, "url": f"breezeapp://pair?reveal={encode(data)}"}

    approve = {"now": NOW + 9_000, "approve": whole["paired_nonce"]}
    cases = {
        "a pairing": [hello(), show(), approve],
        "a reveal without a hello": [show()],
        "a changed key": [hello(), show(changed(reveal, 12))],
        "a changed nonce": [hello(), show(changed(reveal, 75))],
        "a reveal for another app": [hello(), show(changed(reveal, 0))],
        "one reveal, no second try": [hello(), show(changed(reveal, 12)), show()],
        "a reveal twice": [hello(), show(), show()],
        "a reveal in the last moment": [hello(), show(now=NOW + 59_999)],
        "a reveal too late": [hello(), show(now=NOW + 60_000)],
        "a second hello within a minute": [hello(), hello(NOW + 59_999)],
        "a second hello after a minute": [hello(), hello(NOW + 60_000)],
        "a hello while the owner is asked": [hello(), show(), hello(NOW + 120_000)],
        "a hello after a failed one": [hello(), show(changed(reveal, 12)), hello(NOW + 2_000), hello(NOW + 60_000)],
        "an approval too late": [hello(), show(), approve | {"now": NOW + 181_000}],
        "an approval before the reveal": [hello(), approve],
        "an approval twice": [hello(), show(), approve, approve],
        "a key of low order": [hello(url=f"breezeapp://pair?hello={encode(bad)}"),
                               show(ours["id"].encode() + low + draw("low", 32))],
    }
    found = []
    for name, steps in cases.items():
        hub = pair.HubPairing()
        found.append({"name": name, "steps": [one | outcome(pairing_step, hub, one) for one in steps]})
    return found


def make():
    return {
        "version": 1, "seed": SEED, "about": "See docs/url-scheme.md: the last section says how this is read.",
        "primitives": PRIMITIVES, "reserved": reserved(),
        "base64url": [{"text": text} | outcome(accepted_text, text) for text in BASE64],
        "callbacks": [{"text": text} | outcome(accepted_callback, text) for text in CALLBACKS],
        "parse": [
            {"name": name, "url": url} | outcome(accepted_url, url)
            for name, url in urls(APP, draw("commit", 32)).items()],
        "seal": seal_cases(),
        "paired": paired(),
        "receive": receive_cases(),
        "parts": part_cases(),
        "answers": {
            "app": APP, "outstanding": [draw("nonce a", 12).hex(), draw("nonce b", 12).hex()],
            "cases": answer_cases()},
        "pairings": pairings(),
        "pairing_cases": hub_pairing_cases(),
        "middle": middle(),
    }
