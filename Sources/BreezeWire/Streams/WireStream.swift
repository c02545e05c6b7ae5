package import BreezeCore

/// Turns the chunks of an answer into the bytes of a stream. Plain state without I/O: each call returns what is to
/// be sent next, which may be nothing.
///
/// The order of the calls: `encode` for each chunk of each choice, then `finish` once; or `fail` once, after which
/// nothing more is sent.
package protocol WireStream: Sendable {
    /// For the header of that name.
    static var contentType: String { get }

    /// The bytes for one chunk; `choice` tells which of the call's requests it answers. Throws a ``BreezeError`` where
    /// the answer breaks what the caller asked for: hand it to `fail`.
    mutating func encode(_ chunk: InferenceChunk, choice: Int) throws -> [UInt8]

    /// What stands behind the last chunk of the last choice.
    mutating func finish() -> [UInt8]

    /// The answer broke off.
    mutating func fail(_ error: BreezeError) -> [UInt8]
}

/// Server-sent events. JSON holds no line break, so an event is one `data` line.
enum EventStream {
    static let contentType = "text/event-stream"
    static let done = Array("data: [DONE]\n\n".utf8)

    static func event(_ json: [UInt8], name: String? = nil) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(json.count + 64)
        if let name { bytes += "event: \(name)\n".utf8 }
        bytes += "data: ".utf8
        bytes += json
        bytes += "\n\n".utf8
        return bytes
    }

    /// A comment: clients pass over it, and know that the connection lives.
    static func comment(_ progress: InferenceChunk.Progress) -> [UInt8] {
        let stage = progress.stage.unicodeScalars.map { $0.value < 0x20 ? " " : Character($0) }
        return Array(": \(String(stage)) \(Int(progress.part * 100)) %\n\n".utf8)
    }
}

/// One JSON object a line.
enum LineStream {
    static let contentType = "application/x-ndjson"

    static func line(_ json: [UInt8]) -> [UInt8] { json + [UInt8(ascii: "\n")] }
}
