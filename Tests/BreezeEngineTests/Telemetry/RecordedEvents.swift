import BreezeCore
import BreezeEngine

/// What a test has seen of an engine's events.
struct RecordedEvents {
    private var iterator: AsyncStream<EngineEvent>.Iterator

    /// Listens from now on.
    init(_ engine: Engine, buffering capacity: Int = 4_096) {
        iterator = engine.events(buffering: capacity).makeAsyncIterator()
    }

    /// Up to and with the first that `isLast`.
    mutating func until(_ isLast: (EngineEvent) -> Bool) async -> [EngineEvent] {
        var events: [EngineEvent] = []
        while let event = await iterator.next() {
            events.append(event)
            if isLast(event) { break }
        }
        return events
    }

    /// Up to and with the first of that kind.
    mutating func until(_ kind: EngineEvent.Kind) async -> [EngineEvent] {
        await until { $0.kind == kind }
    }
}

extension [EngineEvent] {
    /// `kind runner`, for a comparison at one glance.
    var words: [String] {
        map { event in event.runner.map { "\(event.kind.rawValue) \($0)" } ?? event.kind.rawValue }
    }

    func of(_ request: String) -> [EngineEvent] { filter { $0.requestID == request } }
}
