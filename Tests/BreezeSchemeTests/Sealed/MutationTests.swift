#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

/// Nothing but the bytes that were sealed is taken, and what is not taken leaves nothing behind.
@Suite struct MutationTests {
    private static let now: Int64 = 1_800_000_000_000
    private static let moment = SchemeMoment(wall: now, uptime: 0)

    private static func question(_ app: PairedApp) throws -> [UInt8] {
        var session = AppSession(app.id, keys: app.keys)
        let request = InferenceRequest(.chat, prompt: "Is this mail urgent?", id: "q-1")
        return try session.seal(.run(request, reply: .url), at: now).bytes
    }

    @Test func `an envelope with any one bit changed is refused, burns no nonce and opens nothing`() throws {
        var hub = try KnownHub()
        let envelope = try Self.question(hub.app("qk7lqbjjzrqh"))
        for place in envelope.indices {
            for bit in 0..<8 {
                var changed = envelope
                changed[place] ^= 1 << bit
                let refusal = #expect(throws: SealedRefusal.self) {
                    try hub.receiver.receive(changed, at: Self.moment)
                }
                #expect(refusal?.reply == nil, "byte \(place), bit \(bit)")
            }
        }
        #expect(hub.ledger.count == 0 && hub.ledger.last() == 0)
        let received = try hub.receiver.receive(envelope, at: Self.moment)
        #expect(received.reply.app.callback.name == "mycoolapp" && hub.ledger.count == 1)
    }

    @Test func `an answer with any one bit changed is refused, and the true one is still taken`() throws {
        let app = try KnownHub().app("qk7lqbjjzrqh")
        var session = AppSession(app.id, keys: app.keys)
        let question = try session.seal(.status, at: Self.now)
        var answer = SchemeAnswer(.done, to: question.header.nonce.hexadecimal)
        answer.status = SchemeStatus(paired: true, ready: true)
        let sealed = try ReplyAddress(app, question.header).seal(answer, at: Self.now).bytes
        for place in sealed.indices {
            for bit in 0..<8 {
                var changed = sealed
                changed[place] ^= 1 << bit
                #expect(throws: BreezeError.self, "byte \(place), bit \(bit)") {
                    try session.open(changed, at: Self.now)
                }
            }
        }
        guard case .answer(let found) = try session.open(sealed, at: Self.now) else {
            Issue.record("the true answer was not taken")
            return
        }
        #expect(found.status == answer.status && found.time == Self.now)
    }

    /// What fuzzing begins with: envelopes of both ways, pointers, and what looks like them.
    private static func seeds(_ hub: KnownHub) throws -> [[UInt8]] {
        let app = try hub.app("qk7lqbjjzrqh")
        let other = try hub.app("tgdqvv4ne7j5")
        let question = try question(app)
        let header = try EnvelopeHeader(parsing: question, kinds: [.request])
        let answer = try ReplyAddress(app, header).seal(.failed(SchemeFault.expired, to: "a"), at: now)
        let head = EnvelopeHeader.magic
        return [
            question, try Self.question(other), answer.bytes, head + [5] + [UInt8](repeating: 7, count: 32),
            head + [1] + app.id.bytes, Array(#"{"do":"status"}"#.utf8), head,
        ]
    }

    @Test func `no fuzzed envelope is taken without the seal of its app`() throws {
        var hub = try KnownHub()
        let seeds = try Self.seeds(hub)
        var generator = SeededGenerator(seed: 8)
        var session = AppSession(try hub.app("qk7lqbjjzrqh").id, keys: try hub.app("qk7lqbjjzrqh").keys)
        for round in 0..<Soak.count(100_000) {
            let data = Mutation.mutated(seeds, &generator)
            guard !seeds.contains(data) else { continue }
            if (try? session.open(data, at: Self.now)) != nil { Issue.record("round \(round): \(data)") }
            do {
                _ = try hub.receiver.receive(data, at: Self.moment)
                Issue.record("round \(round): \(data)")
            } catch {
                if error.reply != nil { Issue.record("round \(round): told, \(data)") }
            }
        }
        #expect(hub.ledger.count == 0)
    }

    /// Whoever has the key may still send nonsense.
    @Test func `no fuzzed message within a right seal brings the hub down`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        let messages = [
            #"{"do":"run","request":{"capability":"chat","prompt":"x","configuration":{"topK":1}}}"#,
            #"{"do":"more","digest":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","next":15}"#,
            #"{"do":"cancel","id":"q-1"}"#, #"{"do":"status"}"#,
        ].map { Array($0.utf8) }
        var generator = SeededGenerator(seed: 9)
        for round in 0..<Soak.count(20_000) {
            // A lifetime later each, so that the nonces of earlier rounds go.
            let now = Self.now + Int64(round) * 300_000
            let header = EnvelopeHeader(
                round % 2 == 0 ? .request : .requestPart,
                app: app.id,
                nonce: .random(),
                expiry: UInt64(now + 120_000)
            )
            let message = Mutation.mutated(messages, &generator)
            let envelope = try Envelope(sealing: message, header, key: app.keys.toHub)
            let moment = SchemeMoment(wall: now, uptime: 0)
            do {
                let received = try hub.receiver.receive(envelope.bytes, at: moment)
                #expect(received.reply.app.id == app.id)
            } catch {
                let codes = ["invalid_request", "invalid_encoding", "payload_too_large", "invalid_envelope"]
                #expect(codes.contains(error.error.code.rawValue), "\(error.error)")
            }
        }
    }
}
#endif
