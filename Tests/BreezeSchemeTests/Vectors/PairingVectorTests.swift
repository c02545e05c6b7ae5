#if Hub || Pairing
import BreezeCore
import Foundation
import Testing

@testable import BreezeScheme

/// The sections about pairing.
@Suite struct PairingVectorTests {
    private struct Side: Decodable {
        let `private`, `public`, nonce: String
        let name, callback, id: String?
        let asked: [String: String]?
    }

    private struct Pairing: Decodable {
        let name: String
        let app, hub: Side
        let commitment, hello, hello_url, offer, offer_url, reveal, reveal_url: String
        let shared, transcript, code, to_hub, to_app: String
        let approved: Int64
        let paired_nonce, paired_url: String
    }

    private static func hex(_ bytes: [UInt8]) -> String { SchemeText.hexadecimal(bytes) }

    private static func hello(_ url: String) throws -> PairingHello {
        guard case .hello(let hello) = try SchemeURL(parsing: url) else { throw HexFault() }
        return hello
    }

    @Test func `whole pairings come to the same values on both sides`() throws {
        let cases: [Pairing] = try VectorFile.section("pairings")
        for item in cases {
            let hello = try Self.hello(item.hello_url)
            try Self.checkHello(hello, item)
            let key = try #require(PairingKey(bytes(item.app.private)))
            let start = item.approved - 9_000
            var app = AppPairing(hello, key: key, nonce: try bytes(item.app.nonce), at: start)
            var hub = HubPairing()
            let theirs = try #require(PairingKey(bytes(item.hub.private)))
            let id = try #require(item.hub.id.flatMap { AppID($0) })
            let offer = try hub.take(hello, at: start, app: id, key: theirs, nonce: bytes(item.hub.nonce))
            #expect([key, theirs].map { Self.hex($0.publicBytes) } == [item.app.public, item.hub.public])
            #expect(offer.offer.map(Self.hex) == item.offer)
            let told = try SchemeAnswer(parsing: hello.callback.answer(in: item.offer_url))
            #expect(told.offer == offer.offer && told.requestID == offer.requestID && !told.isFinal)
            let reveal = try app.take(told, at: start)
            #expect(
                try Self.hex(reveal) == item.reveal && SchemeURL.reveal(reveal).written() == item.reveal_url
            )
            let question = try hub.take(reveal: reveal, at: start)
            #expect(question.code == item.code && app.code == item.code)
            #expect(try Self.hex(key.agree(with: theirs.publicBytes)) == item.shared)
            let nonce = try #require(MessageNonce(bytes(item.paired_nonce)))
            let paired = try hub.approve(at: item.approved, nonce: nonce)
            let keys = paired.app.keys
            #expect([keys.toHub, keys.toApp].map { Self.hex($0.bytes) } == [item.to_hub, item.to_app])
            #expect(paired.envelope.header.question?.bytes == Array(try bytes(item.transcript).prefix(12)))
            #expect(app.confirm(at: item.approved) == nil)
            let last = try hello.callback.answer(in: item.paired_url)
            let kept = try #require(try app.take(paired: last, at: item.approved))
            #expect(kept.app == id && kept.granted == hello.asked)
            #expect(kept.keys.toHub.bytes == keys.toHub.bytes && kept.keys.toApp.bytes == keys.toApp.bytes)
        }
        #expect(cases.count == VectorFile.counts["pairings"])
    }

    private static func checkHello(_ hello: PairingHello, _ item: Pairing) throws {
        #expect(hello.bytes == Array(item.hello.utf8) && hex(hello.commitment) == item.commitment)
        #expect(hello.name == item.app.name && hello.callback.name == item.app.callback)
        #expect(hello.asked.mapValues(\.rawValue) == item.app.asked)
        #expect(try SchemeURL.hello(hello).written() == item.hello_url)
        let key = try #require(PairingKey(bytes(item.app.private)))
        let commitment = PairingAgreement.commitment(key: key.publicBytes, nonce: try bytes(item.app.nonce))
        #expect(commitment == hello.commitment)
    }

    private struct Scenario: Decodable {
        let name: String
        let steps: [Case<Step, Accepted>]
    }

    private struct Step: Decodable {
        let now: Int64
        let url, id, `private`, nonce, approve: String?
    }

    private struct Accepted: Decodable {
        let offer, code, url: String?
    }

    @Test func `the hub's side of pairing goes on and ends as the page says`() throws {
        let cases: [Scenario] = try VectorFile.section("pairing_cases")
        for item in cases {
            var hub = HubPairing()
            var keys: SealingKeys?
            for (number, step) in item.steps.enumerated() {
                try step.check("pairing: \(item.name), step \(number)") {
                    try Self.run(step.given, &hub, &keys)
                } isSame: { found, wanted in
                    try found == wanted.offer ?? wanted.code
                        ?? wanted.url.map { try Self.opened($0, try #require(keys)) }
                }
            }
        }
        #expect(cases.count == VectorFile.counts["pairing_cases"])
    }

    /// The offer, the code, or the last answer with its header.
    private static func run(_ step: Step, _ hub: inout HubPairing, _ keys: inout SealingKeys?) throws
        -> String
    {
        if let approve = step.approve {
            let paired = try hub.approve(at: step.now, nonce: #require(MessageNonce(bytes(approve))))
            keys = paired.app.keys
            return try opened(paired.app.callback.answer(paired.envelope.bytes), paired.app.keys)
        }
        switch try SchemeURL(parsing: #require(step.url)) {
        case .hello(let hello):
            let app = try #require(step.id.flatMap { AppID($0) })
            let key = try #require(PairingKey(bytes(step.private ?? "")))
            let answer = try hub.take(hello, at: step.now, app: app, key: key, nonce: bytes(step.nonce ?? ""))
            return hex(try #require(answer.offer))
        case .reveal(let reveal): return try hub.take(reveal: reveal, at: step.now).code
        default: throw HexFault()
        }
    }

    /// What an envelope's URL says, whatever order its members are in.
    private static func opened(_ url: String, _ keys: SealingKeys) throws -> String {
        let data = try CallbackScheme("mycoolapp").answer(in: url)
        let envelope = try Envelope(parsing: data, kinds: [.answer])
        let content = try JSONValue(parsing: envelope.open(keys.toApp))
        return try "\(hex(envelope.header.bytes)) \(content.compactText())"
    }

    private struct Middle: Decodable {
        let app_hello, app_offer, app_reveal, app_code: String
        let hub_hello, hub_offer, hub_reveal, hub_code: String
    }

    @Test func `one who stands between gets two codes`() throws {
        let middle: Middle = try VectorFile.section("middle")
        func code(_ hello: String, _ offer: String, _ reveal: String) throws -> String {
            PairingAgreement(
                hello: Array(hello.utf8),
                offer: try bytes(offer),
                reveal: try bytes(reveal),
                app: try #require(AppID(bytes(offer).prefix(12))),
                shared: []
            ).code
        }
        #expect(try code(middle.app_hello, middle.app_offer, middle.app_reveal) == middle.app_code)
        #expect(try code(middle.hub_hello, middle.hub_offer, middle.hub_reveal) == middle.hub_code)
        #expect(middle.app_code != middle.hub_code)
    }
}
#endif
