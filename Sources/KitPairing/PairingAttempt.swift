#if Hub || Pairing
import BreezeCore
import BreezeScheme
import Synchronization

/// One pairing while it goes on: hello, the hub's offer, reveal, and both people's yes.
final class PairingAttempt: Sendable {
    private enum Word: Sendable {
        case offered(reveal: [UInt8], code: String)
        case paired(AppPairing.Paired)
        case failed(BreezeError)
    }

    private static let offerWithin = Duration.seconds(60)
    private static let endWithin = Duration.seconds(240)

    private let hello: PairingHello
    private let pairing: Mutex<AppPairing>
    private let words = AsyncStream.makeStream(of: Word.self)
    private let clock: any Clock<Duration>

    init(_ pairing: AppPairing, clock: any Clock<Duration>) {
        hello = pairing.hello
        self.pairing = Mutex(pairing)
        self.clock = clock
    }

    /// To the end; `compare` shows a code to the app's own person, and returns whether Breeze shows the same.
    func run(
        now: @escaping @Sendable () -> Int64,
        opening open: @escaping @Sendable (SchemeURL) async throws -> Void,
        compare: @escaping @Sendable (String) async -> Bool
    ) async throws -> AppPairing.Paired {
        let (reveal, code) = try await within(Self.offerWithin, PairingFault.noOffer) { [self] in
            try await open(.hello(hello))
            for await word in words.stream {
                switch word {
                case .offered(let reveal, let code): return (reveal, code)
                case .failed(let error): throw error
                case .paired: continue
                }
            }
            throw CancellationError()
        }
        return try await within(Self.endWithin, PairingFault.noWord) { [self] in
            async let revealing: Void = open(.reveal(reveal))
            async let comparing: Void = self.compare(code, by: compare, now: now)
            let paired = try await lastWord()
            try await comparing
            try await revealing
            return paired
        }
    }

    private func compare(
        _ code: String,
        by compare: @escaping @Sendable (String) async -> Bool,
        now: @Sendable () -> Int64
    ) async throws {
        // A person may look for as long as he likes: he holds up nothing that is over.
        let isSame = try await DetachableWork { await compare(code) }.value
        guard isSame else {
            pairing.withLock { $0.refuse() }
            // It ends the wait for the hub's word, too.
            words.continuation.yield(.failed(PairingFault.otherCode))
            return
        }
        if let paired = pairing.withLock({ $0.confirm(at: now()) }) {
            words.continuation.yield(.paired(paired))
        }
    }

    private func lastWord() async throws -> AppPairing.Paired {
        for await word in words.stream {
            switch word {
            case .paired(let paired): return paired
            case .failed(let error): throw error
            case .offered: continue
            }
        }
        throw CancellationError()
    }

    private func within<Value: Sendable>(
        _ limit: Duration,
        _ late: BreezeError,
        _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask { [clock] in
                try await clock.sleep(for: limit)
                throw late
            }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    // MARK: - What comes back

    /// - Returns: Whether it was for this pairing.
    func take(_ answer: SchemeAnswer, at now: Int64) -> Bool {
        guard answer.requestID == hello.requestID else { return false }
        if let error = answer.error {
            words.continuation.yield(.failed(error))
            return true
        }
        do throws(BreezeError) {
            let (reveal, code) = try pairing.withLock { pairing throws(BreezeError) in
                (try pairing.take(answer, at: now), pairing.code ?? "")
            }
            words.continuation.yield(.offered(reveal: reveal, code: code))
        } catch {
            // A second offer ends the pairing, and so does one that is not as it should be.
            words.continuation.yield(.failed(error))
        }
        return true
    }

    /// - Returns: Whether it was the last word of this pairing.
    func take(sealed data: [UInt8], at now: Int64) -> Bool {
        do throws(BreezeError) {
            let paired = try pairing.withLock { pairing throws(BreezeError) in
                try pairing.take(paired: data, at: now)
            }
            if let paired { words.continuation.yield(.paired(paired)) }
            return true
        } catch { return false }
    }
}
#endif
