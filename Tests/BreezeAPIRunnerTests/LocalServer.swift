import Foundation
import Synchronization

/// An HTTP server on loopback over POSIX sockets that answers as a test tells it, byte by byte where it matters. Its
/// threads are its own: none of them is the concurrency pool's.
final class LocalServer: Sendable {
    /// What one request gets.
    struct Answer: Sendable {
        enum Ending: Sendable {
            /// As the header promised.
            case whole
            /// The connection closes, and a chunked body has no end.
            case cut
            /// The connection stays open until the client closes it.
            case open
        }

        var status = 200
        var headers: [String: String] = [:]
        /// Each is written with a call of its own, as one chunk of a chunked body.
        var pieces: [[UInt8]] = []
        var ending = Ending.whole
        /// Not one byte comes back: the connection closes, or stays open.
        var isSilent = false

        /// An event stream, in these pieces.
        static func stream(_ pieces: [[UInt8]], ending: Ending = .whole) -> Answer {
            Answer(headers: ["Content-Type": "text/event-stream"], pieces: pieces, ending: ending)
        }

        static func stream(_ text: String, ending: Ending = .whole) -> Answer {
            stream([Array(text.utf8)], ending: ending)
        }

        static func json(_ text: String, status: Int = 200, headers: [String: String] = [:]) -> Answer {
            let all = headers.merging(["Content-Type": "application/json"]) { first, _ in first }
            return Answer(status: status, headers: all, pieces: [Array(text.utf8)])
        }
    }

    struct Request: Sendable {
        let method: String
        let path: String
        /// Names in lower case.
        let headers: [String: String]
        let body: [UInt8]
    }

    private struct State {
        var answers: [Answer]
        var requests: [Request] = []
        var hangUps = 0
        var sent = 0
        var watchers: [(isMet: @Sendable (Progress) -> Bool, resume: CheckedContinuation<Void, Never>)] = []
    }

    /// What a test may wait for.
    struct Progress: Sendable {
        /// Requests that were read.
        let requests: Int
        /// Clients that closed a connection which was left open for them.
        let hangUps: Int
        /// Bytes of bodies that the connections took.
        let sent: Int
    }

    let port: UInt16
    private let listener: Int32
    private let isListening = Atomic(true)
    private let state: Mutex<State>

    /// The answers are given in turn, the last one for ever.
    init(_ answers: [Answer]) throws {
        state = Mutex(State(answers: answers))
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && listen(listener, 16) == 0
                    && getsockname(listener, raw, &size) == 0
            }
        }
        guard bound else { throw CocoaError(.fileWriteUnknown) }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else {
                    // Here alone: elsewhere the number might be another server's by the next time round.
                    close(listener)
                    return
                }
                guard let server = self else {
                    close(connection)
                    return
                }
                Thread.detachNewThread { server.serve(connection) }
            }
        }
    }

    convenience init(_ answers: Answer...) throws { try self.init(answers) }

    /// Nobody listens any more, and the port stays free.
    func stop() {
        // Once: by the second time the number may be somebody else's.
        guard isListening.exchange(false, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    deinit { stop() }

    var requests: [Request] { state.withLock { $0.requests } }
    var sent: Int { state.withLock { $0.sent } }

    /// Bytes that the connections took until they took no more: the sending thread stands still.
    func stalls() async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var (last, still) = (-1, 0)
                // A tenth of a second without one byte; loopback needs microseconds for one.
                while still < 10 {
                    Thread.sleep(forTimeInterval: 0.01)
                    let now = sent
                    still = now == last ? still + 1 : 0
                    last = now
                }
                continuation.resume(returning: last)
            }
        }
    }

    /// Returns once the server has come that far.
    func reaches(_ isMet: @escaping @Sendable (Progress) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.watchers.append((isMet, continuation)) }
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let woken = state.withLock { state in
            change(&state)
            let progress = Progress(
                requests: state.requests.count,
                hangUps: state.hangUps,
                sent: state.sent
            )
            let woken = state.watchers.filter { $0.isMet(progress) }
            state.watchers.removeAll { $0.isMet(progress) }
            return woken
        }
        for watcher in woken { watcher.resume.resume() }
    }

    private func serve(_ connection: Int32) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        let answer = state.withLock { state in
            state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        change { $0.requests.append(request) }
        if !answer.isSilent {
            var head =
                "HTTP/1.1 \(answer.status) Answer\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n"
            for (name, value) in answer.headers { head += "\(name): \(value)\r\n" }
            guard write(connection, Array((head + "\r\n").utf8)) else { return }
            for piece in answer.pieces where !piece.isEmpty {
                let size = Array("\(String(piece.count, radix: 16))\r\n".utf8)
                guard write(connection, size + piece + Array("\r\n".utf8)) else { return hungUp() }
                change { $0.sent += piece.count }
            }
            if case .whole = answer.ending { _ = write(connection, Array("0\r\n\r\n".utf8)) }
        }
        if case .open = answer.ending {
            var byte: UInt8 = 0
            while recv(connection, &byte, 1, 0) > 0 {}
            hungUp()
        }
    }

    private func hungUp() { change { $0.hangUps += 1 } }

    private func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    private func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var head: Request?
        while true {
            if head == nil, let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) {
                head = parse(bytes[..<end.lowerBound])
                bytes.removeFirst(end.upperBound)
            }
            if let head, bytes.count >= Int(head.headers["content-length"] ?? "0") ?? 0 {
                return Request(method: head.method, path: head.path, headers: head.headers, body: bytes)
            }
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer[..<count]
        }
    }

    private func parse(_ head: ArraySlice<UInt8>) -> Request {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return Request(method: String(words[0]), path: String(words[1]), headers: headers, body: [])
    }
}
