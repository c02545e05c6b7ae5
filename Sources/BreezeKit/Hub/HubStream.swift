import BreezeCore
import BreezeLocalHTTP
import Foundation

/// An answer that comes piece by piece: server-sent events, each with an `InferenceChunk`, the last with the
/// result.
struct HubStream: Sendable {
    /// A result with pictures or sound is one event.
    private static let eventLimit = 256 << 20

    let hub: HubHTTP
    let body: LocalBody

    func follow(into sink: ChunkSink) async throws -> InferenceResult {
        var parser = EventStreamParser(limit: Self.eventLimit)
        while let bytes = try await hub.mapping({ try await body.next() }) {
            for event in try Self.events(in: bytes, &parser) {
                guard let chunk = try Self.chunk(event) else { continue }
                if let result = chunk.result {
                    body.leave()
                    return result
                }
                try await sink.send(chunk)
            }
        }
        // An error that came without an empty line behind it is one all the same; a result is there as a
        // whole or not.
        if let last = parser.finish(), last.name == "error" { _ = try Self.chunk(last) }
        throw KitFault.cut
    }

    private static func events(
        in bytes: [UInt8],
        _ parser: inout EventStreamParser
    ) throws -> [ServerEvent] {
        do { return try parser.append(bytes) } catch {
            throw KitFault.malformed("a piece of it has more than \(error.limit) bytes")
        }
    }

    /// `nil` for an event that says nothing.
    private static func chunk(_ event: ServerEvent) throws -> InferenceChunk? {
        if event.name == "error" {
            throw HubHTTP.error(in: event.data) ?? KitFault.malformed("it ends with an error without words")
        }
        guard !event.data.isEmpty else { return nil }
        do { return try JSONDecoder().decode(InferenceChunk.self, from: Data(event.data)) } catch {
            throw KitFault.malformed("a piece of it is not as this app knows it", underlying: error)
        }
    }
}
