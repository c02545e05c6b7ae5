#if Hub || Pairing
import BreezeCore
import Foundation
import Testing

@testable import BreezeScheme

/// A message counts once: over restarts, beside other processes, and wherever the clock goes.
@Suite struct ReplayTests {
    private let now: Int64 = 1_800_000_000_000
    private let minute: Int64 = 60_000

    private func status(_ app: PairedApp, expiry: Int64) throws -> [UInt8] {
        let header = EnvelopeHeader(.request, app: app.id, nonce: .random(), expiry: UInt64(expiry))
        return try Envelope(sealing: HubMessage.status.bytes(), header, key: app.keys.toHub).bytes
    }

    private func code(_ work: () throws -> Void) -> String? {
        #expect(throws: SealedRefusal.self) { try work() }?.error.code.rawValue
    }

    @Test func `a URL that was taken is refused after a restart, whatever the clock says`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        let message = try status(app, expiry: now + 2 * minute)
        _ = try hub.receiver.receive(message, at: SchemeMoment(wall: now, uptime: 500))
        for wall in [now, now + minute, now - 3_600_000] {
            try hub.restart(uptime: 900)
            #expect(
                code { _ = try hub.receiver.receive(message, at: SchemeMoment(wall: wall, uptime: 900)) }
                    == "replayed"
            )
        }
        #expect(hub.ledger.count == 1)
    }

    @Test func `what was forgotten stays expired, over a restart and with the clock set back`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        let message = try status(app, expiry: now + 2 * minute)
        _ = try hub.receiver.receive(message, at: SchemeMoment(wall: now, uptime: 0))
        let later = try status(app, expiry: now + 4 * minute)
        _ = try hub.receiver.receive(later, at: SchemeMoment(wall: now + 3 * minute, uptime: 3 * minute))
        #expect(hub.ledger.count == 1)
        try hub.restart(uptime: 0)
        #expect(
            code { _ = try hub.receiver.receive(message, at: SchemeMoment(wall: now, uptime: 1)) }
                == "message_expired"
        )
    }

    @Test func `two processes on one ledger take a message once, and go by the later time`() throws {
        let hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        func receiver() throws -> SealedReceiver {
            try SealedReceiver(
                ledger: hub.ledger,
                parts: hub.ledger,
                handoff: nil,
                start: SchemeMoment(wall: now, uptime: 0)
            ) { $0 == app.id ? app : nil }
        }
        var first = try receiver()
        var second = try receiver()
        let message = try status(app, expiry: now + minute)
        _ = try first.receive(message, at: SchemeMoment(wall: now, uptime: 0))
        #expect(
            code { _ = try second.receive(message, at: SchemeMoment(wall: now, uptime: 0)) } == "replayed"
        )
        // The second forgets it, by a later time; the first still has the earlier one.
        let later = try status(app, expiry: now + 3 * minute)
        _ = try second.receive(later, at: SchemeMoment(wall: now + 2 * minute, uptime: 0))
        #expect(hub.ledger.count == 1)
        #expect(
            code { _ = try first.receive(message, at: SchemeMoment(wall: now, uptime: 0)) }
                == "message_expired"
        )
        // What the other wrote down a minute ago was not a minute ahead: time is counted from when it is seen.
        let next = try status(app, expiry: now + 4 * minute)
        _ = try first.receive(next, at: SchemeMoment(wall: now, uptime: minute))
        #expect(first.now(SchemeMoment(wall: now, uptime: minute)) == now + 2 * minute)
        #expect(first.now(SchemeMoment(wall: now, uptime: 2 * minute)) == now + 3 * minute)
    }

    @Test func `one app's messages beyond the limit are refused, and another's are not`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        let moment = SchemeMoment(wall: now, uptime: 0)
        for _ in 0..<NonceRules.limit {
            let decision = hub.ledger.take(.random(), of: app.id, until: UInt64(now + minute), at: now)
            #expect(decision == .taken(at: now))
        }
        let message = try status(app, expiry: now + 2 * minute)
        #expect(code { _ = try hub.receiver.receive(message, at: moment) } == "rate_limited")
        let other = try hub.app("tgdqvv4ne7j5")
        _ = try hub.receiver.receive(status(other, expiry: now + minute), at: moment)
        // When the others are over there is room again: the refused message used nothing up.
        _ = try hub.receiver.receive(message, at: SchemeMoment(wall: now + minute, uptime: minute))
    }

    private struct FullDisk: Error {}

    private struct BrokenLedger: NonceLedger {
        func last() -> Int64 { 0 }

        func take(_: MessageNonce, of _: AppID, until _: UInt64, at _: Int64) throws -> NonceDecision {
            throw FullDisk()
        }
    }

    @Test func `nothing runs whose nonce is not on the disk, and the app hears of it`() throws {
        let hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        var receiver = try SealedReceiver(
            ledger: BrokenLedger(),
            parts: hub.ledger,
            handoff: nil,
            start: SchemeMoment(wall: now, uptime: 0)
        ) { $0 == app.id ? app : nil }
        let message = try status(app, expiry: now + minute)
        let refusal = #expect(throws: SealedRefusal.self) {
            try receiver.receive(message, at: SchemeMoment(wall: now, uptime: 0))
        }
        #expect(refusal?.error.code == .internalError && refusal?.reply?.app.id == app.id)
    }

    @Test func `an app whose clock is behind asks again by the hub's time`() throws {
        var hub = try KnownHub()
        let app = try hub.app("qk7lqbjjzrqh")
        var session = AppSession(app.id, keys: app.keys)
        // The hub wrote its time down an hour ahead; then the device's clock was put right.
        let ahead = now + 60 * minute
        _ = try hub.receiver.receive(
            status(app, expiry: ahead + minute),
            at: SchemeMoment(wall: ahead, uptime: 0)
        )
        let late = try session.seal(.status, at: now)
        let refusal = try #require(
            #expect(throws: SealedRefusal.self) {
                try hub.receiver.receive(late.bytes, at: SchemeMoment(wall: now, uptime: 0))
            }
        )
        let reply = try #require(refusal.reply)
        let told = try reply.seal(.failed(refusal.error, to: reply.requestID), at: refusal.time)
        guard case .answer(let answer) = try session.open(told.bytes, at: now) else {
            Issue.record("no answer")
            return
        }
        #expect(answer.error?.code == .messageExpired && answer.requestID == late.header.nonce.hexadecimal)
        #expect(session.ahead == 60 * minute)
        let again = try session.seal(.status, at: now)
        _ = try hub.receiver.receive(again.bytes, at: SchemeMoment(wall: now, uptime: 0))
    }
}
#endif
