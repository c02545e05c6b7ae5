import Synchronization

/// What a child did instead of what it was started for.
package struct ChildFailure: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) {
        self.description = description
    }
}

/// A child that has been started and has perhaps not ended yet.
package struct RunningChild: Sendable {
    let command: String
    let output = Transcript()
    let errors = Transcript()
    private var signal: @Sendable (Int32) throws -> Void = { _ in }

    init(command: String) {
        self.command = command
    }

    func sending(_ signal: @escaping @Sendable (Int32) throws -> Void) -> RunningChild {
        var child = self
        child.signal = signal
        return child
    }

    /// Waits until the child has written `text` to standard output. One task at a time may wait.
    /// - Throws: ``ChildFailure`` where the child ends without having done so.
    package func waits(for text: String) async throws {
        guard await output.contains(text) else {
            try Task.checkCancellation()
            throw failure("ended without having written \"\(text)\"")
        }
    }

    /// What it has written to standard output so far.
    package var text: String { output.text }

    package func send(_ number: Int32) throws {
        try signal(number)
    }

    func failure(_ fault: String) -> ChildFailure {
        ChildFailure(
            description: """
                \(command): \(fault)
                standard output: \(output.text.suffix(4_000))
                standard error: \(errors.text.suffix(4_000))
                """
        )
    }
}

/// What has come out of a stream so far.
final class Transcript: Sendable {
    private let bytes = Mutex<[UInt8]>([])
    /// A mark for each change; one that nobody has seen stands for all of them.
    private let changes = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

    func fill<Pieces: AsyncSequence>(from pieces: Pieces) async throws where Pieces.Element == [UInt8] {
        defer { changes.continuation.finish() }
        for try await piece in pieces {
            bytes.withLock { $0 += piece }
            changes.continuation.yield()
        }
    }

    /// Waits for a text; `false` where the stream ends without it.
    func contains(_ wanted: String) async -> Bool {
        if text.contains(wanted) { return true }
        for await _ in changes.stream where text.contains(wanted) { return true }
        return text.contains(wanted)
    }
}
