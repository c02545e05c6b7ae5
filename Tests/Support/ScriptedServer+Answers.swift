import Synchronization

extension ScriptedServer {
    /// What one request gets, in chunks.
    package struct Answer: Sendable {
        package enum Ending: Sendable {
            /// As the header promised.
            case whole
            /// The connection closes, and the body has no end.
            case cut
            /// The connection stays open until the client closes it.
            case open
        }

        package var status: Int
        package var headers: [String: String]
        /// Each is written with a call of its own, as one chunk.
        package var pieces: [[UInt8]]
        package var ending: Ending
        /// Not one byte comes back: the connection closes, or stays open.
        package var isSilent: Bool

        package init(
            status: Int = 200,
            headers: [String: String] = [:],
            pieces: [[UInt8]] = [],
            ending: Ending = .whole,
            isSilent: Bool = false
        ) {
            self.status = status
            self.headers = headers
            self.pieces = pieces
            self.ending = ending
            self.isSilent = isSilent
        }

        /// An event stream, in these pieces.
        package static func stream(_ pieces: [[UInt8]], ending: Ending = .whole) -> Answer {
            Answer(headers: ["Content-Type": "text/event-stream"], pieces: pieces, ending: ending)
        }

        package static func stream(_ text: String, ending: Ending = .whole) -> Answer {
            stream([Array(text.utf8)], ending: ending)
        }

        package static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Answer
        {
            let all = headers.merging(["Content-Type": "application/json"]) { first, _ in first }
            return Answer(status: status, headers: all, pieces: [Array(text.utf8)])
        }

        var steps: [Step] {
            let last: [Step] = ending == .open ? [.waitForClose] : []
            guard !isSilent else { return last }
            let end: [Step] = ending == .whole ? [.text("0\r\n\r\n")] : []
            return [.text(head)] + pieces.filter { !$0.isEmpty }.map(Self.chunk) + end + last
        }

        private var head: String {
            "HTTP/1.1 \(status) Answer\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
                + headers.map { "\($0): \($1)\r\n" }.joined() + "\r\n"
        }

        private static func chunk(_ piece: [UInt8]) -> Step {
            .bytes(Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + Array("\r\n".utf8))
        }
    }

    /// At a free port of loopback. The answers are given in turn, the last one for ever.
    package convenience init(_ answers: Answer...) throws {
        let rest = AnswerLine(answers)
        try self.init { _ in rest.next()?.steps ?? [] }
    }
}

private final class AnswerLine: Sendable {
    private let answers: Mutex<[ScriptedServer.Answer]>

    init(_ answers: [ScriptedServer.Answer]) {
        self.answers = Mutex(answers)
    }

    func next() -> ScriptedServer.Answer? {
        answers.withLock { $0.count > 1 ? $0.removeFirst() : $0.first }
    }
}
