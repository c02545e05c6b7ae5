#if Hub
import AsyncHTTPClient
import BreezeCore
import Foundation
import NIOCore
import Synchronization

/// Takes a body from the connection and hands it on, two pieces ahead of its reader at most; ends it when the
/// server is silent for too long, and when nothing may leave the device any more. Time in which the reader takes
/// nothing does not count as silence.
final class BodyRelay: Sendable {
    /// What ends a body from outside.
    struct Watch: Sendable {
        let timeout: Duration
        let clock: any Clock<Duration>
        let egress: EgressSwitch
    }

    private let channel = BoundedChannel<[UInt8]>(capacity: 2)
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// `ended` is called once, before the reader learns of the end, with the bytes that came.
    func start(
        _ body: HTTPClientResponse.Body,
        from url: URL,
        under watch: Watch,
        ended: @escaping @Sendable (Int64, EgressEntry.Outcome) async -> Void
    ) {
        // Not held by the task, so that dropping the body ends it.
        let channel = channel
        let relay = Task {
            let pump = Pump(body: body, channel: channel, url: url)
            var fault: (any Error)?
            do { try await pump.run(watch.clock, watch.timeout, watch.egress) } catch { fault = error }
            await ended(pump.bytes, EgressEntry.Outcome(of: fault))
            channel.finish(throwing: fault)
        }
        task.withLock { $0 = relay }
    }

    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await channel.receive()
        } onCancel: {
            cancel()
        }
    }

    func cancel() {
        task.withLock { $0 }?.cancel()
        channel.finish(throwing: CancellationError())
        channel.abandon()
    }

    deinit { cancel() }
}

/// One body's way from the connection to the channel, and the watch over it.
private final class Pump: Sendable {
    private let body: HTTPClientResponse.Body
    private let channel: BoundedChannel<[UInt8]>
    private let url: URL
    private let count = Mutex<Int64>(0)

    init(body: HTTPClientResponse.Body, channel: BoundedChannel<[UInt8]>, url: URL) {
        self.body = body
        self.channel = channel
        self.url = url
    }

    var bytes: Int64 { count.withLock { $0 } }

    func run<C: Clock>(_ clock: C, _ timeout: Duration, _ egress: EgressSwitch) async throws
    where C.Duration == Duration {
        let silence = Silence(since: clock.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.pump(clock, silence) }
            group.addTask { try await egress.untilForbidden() }
            group.addTask {
                while true {
                    let begun = silence.since ?? clock.now
                    try await clock.sleep(until: begun.advanced(by: timeout), tolerance: nil)
                    if let begun = silence.since, begun.advanced(by: timeout) <= clock.now {
                        throw TransportFault.silent(self.url, timeout)
                    }
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func pump<C: Clock>(_ clock: C, _ silence: Silence<C.Instant>) async throws {
        do {
            for try await buffer in body {
                silence.since = nil
                count.withLock { $0 += Int64(buffer.readableBytes) }
                if buffer.readableBytes > 0 { try await channel.send(Array(buffer.readableBytesView)) }
                silence.since = clock.now
            }
            // A cancelled body ends as a whole one does.
            try Task.checkCancellation()
        } catch {
            throw ClientFault.translated(error, url)
        }
    }
}

/// Since when the server owes something; `nil` while it does not.
private final class Silence<Instant: Sendable>: Sendable {
    private let state: Mutex<Instant?>

    init(since: Instant) {
        state = Mutex(since)
    }

    var since: Instant? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
#endif
