package import Dispatch
import Foundation
import Synchronization

/// A server over POSIX sockets that sends the very bytes that a test tells it, and notes what it got. Its
/// threads are its own: none of them is the concurrency pool's.
package final class ScriptedServer: Sendable {
    package enum Step: Sendable {
        case bytes([UInt8])
        /// Until the client closes the connection, which is noted.
        case waitForClose
        /// Notes that the client keeps the connection, after a tenth of a second in which it might have
        /// closed it.
        case markIfOpen
        /// Whatever the client still sends is refused.
        case stopReading
        /// Until a test signals it.
        case pause(DispatchSemaphore)
        /// The whole server dies, with every connection.
        case die

        package static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
    }

    package struct Request: Sendable {
        package let method: String
        package let path: String
        /// Names in lower case.
        package let headers: [String: String]
        package let body: [UInt8]
    }

    package struct Progress: Sendable {
        package let requests: Int
        /// Clients that closed a connection which was kept open for them.
        package let hangUps: Int
        package let marks: Int
    }

    private struct State {
        var requests: [Request] = []
        var hangUps = 0
        var marks = 0
        var sent = 0
        var open: Set<Int32> = []
        var watchers: [(isMet: @Sendable (Progress) -> Bool, resume: CheckedContinuation<Void, Never>)] = []
    }

    /// 0 for a Unix socket.
    package let port: UInt16
    private let listener: Int32
    private let isListening = Atomic(true)
    private let state = Mutex(State())
    private let readsRequest: Bool
    private let script: @Sendable (Request) -> [Step]

    /// At `socket`, or at a free port of loopback. After the last step the connection is closed. A server
    /// that does not read the request takes its head alone.
    package init(
        socket path: String? = nil,
        readsRequest: Bool = true,
        _ script: @escaping @Sendable (Request) -> [Step]
    ) throws {
        self.script = script
        self.readsRequest = readsRequest
        (listener, port) = try path.map { (try Self.listen(at: $0), 0) } ?? Self.listenOnLoopback()
        let listener = listener
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

    deinit { stop() }

    package var address: String { "http://127.0.0.1:\(port)" }
    package var requests: [Request] { state.withLock { $0.requests } }
    package func requests(_ path: String) -> [Request] { requests.filter { $0.path == path } }

    /// Nobody listens any more.
    package func stop() {
        // Once: by the second time the number may be somebody else's.
        guard isListening.exchange(false, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func die() {
        stop()
        for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    /// Returns once the server has come that far.
    package func reaches(_ isMet: @escaping @Sendable (Progress) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.watchers.append((isMet, continuation)) }
        }
    }

    /// Bytes that the connections took until they took no more.
    package func stalls() async -> Int {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [self] in
                var (last, still) = (-1, 0)
                // A tenth of a second without one byte; loopback needs microseconds for one.
                while still < 10 || last <= 0 {
                    Thread.sleep(forTimeInterval: 0.01)
                    let now = state.withLock { $0.sent }
                    still = now == last ? still + 1 : 0
                    last = now
                }
                continuation.resume(returning: last)
            }
        }
    }

    private func change(_ change: (inout State) -> Void) {
        let woken = state.withLock { state in
            change(&state)
            let progress = Progress(
                requests: state.requests.count,
                hangUps: state.hangUps,
                marks: state.marks
            )
            let woken = state.watchers.filter { $0.isMet(progress) }
            state.watchers.removeAll { $0.isMet(progress) }
            return woken
        }
        for watcher in woken { watcher.resume.resume() }
    }

    private func serve(_ connection: Int32) {
        state.withLock { _ = $0.open.insert(connection) }
        defer {
            state.withLock { _ = $0.open.remove(connection) }
            close(connection)
        }
        guard let request = read(connection) else { return }
        change { $0.requests.append(request) }
        for step in script(request) {
            switch step {
            case .bytes(let bytes): guard write(connection, bytes) else { return hungUp() }
            case .waitForClose:
                var byte: UInt8 = 0
                while recv(connection, &byte, 1, 0) > 0 {}
                hungUp()
            case .stopReading: shutdown(connection, Int32(SHUT_RD))
            case .pause(let gate): gate.wait()
            case .markIfOpen:
                var polled = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                if poll(&polled, 1, 100) == 0 { change { $0.marks += 1 } }
            case .die: die()
            }
        }
    }

    private func hungUp() { change { $0.hangUps += 1 } }

    private func write(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.prefix(4_096).withUnsafeBytes {
                send(connection, $0.baseAddress, $0.count, Self.quietly)
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
            state.withLock { $0.sent += count }
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
            if let head {
                let length = readsRequest ? Int(head.headers["content-length"] ?? "0") ?? 0 : 0
                if bytes.count >= length {
                    return Request(
                        method: head.method,
                        path: head.path,
                        headers: head.headers,
                        body: bytes
                    )
                }
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
