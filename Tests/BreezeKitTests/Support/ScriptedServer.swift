import Foundation
import Synchronization

/// A server over POSIX sockets that sends the very bytes that a test tells it, and notes what it got. Its
/// threads are its own: none of them is the concurrency pool's.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
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

        static func text(_ text: String) -> Step { .bytes(Array(text.utf8)) }
    }

    struct Request: Sendable {
        let method: String
        let path: String
        /// Names in lower case.
        let headers: [String: String]
        let body: [UInt8]
    }

    struct Progress: Sendable {
        let requests: Int
        /// Clients that closed a connection which was kept open for them.
        let hangUps: Int
        let marks: Int
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
    let port: UInt16
    private let listener: Int32
    private let isListening = Atomic(true)
    private let state = Mutex(State())
    private let readsRequest: Bool
    private let script: @Sendable (Request) -> [Step]

    /// At `socket`, or at a free port of loopback. After the last step the connection is closed. A server
    /// that does not read the request takes its head alone.
    init(
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

    var address: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { state.withLock { $0.requests } }
    func requests(_ path: String) -> [Request] { requests.filter { $0.path == path } }

    /// Nobody listens any more.
    func stop() {
        // Once: by the second time the number may be somebody else's.
        guard isListening.exchange(false, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func die() {
        stop()
        for connection in state.withLock({ $0.open }) { shutdown(connection, Int32(SHUT_RDWR)) }
    }

    /// Returns once the server has come that far.
    func reaches(_ isMet: @escaping @Sendable (Progress) -> Bool) async {
        await withCheckedContinuation { continuation in
            change { $0.watchers.append((isMet, continuation)) }
        }
    }

    /// Bytes that the connections took until they took no more.
    func stalls() async -> Int {
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
                send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
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

    private static func listen(at path: String) throws -> Int32 {
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
                    && Foundation.listen(listener, 16) == 0
            }
        }
        guard bound else { throw CocoaError(.fileWriteUnknown) }
        return listener
    }

    private static func listenOnLoopback() throws -> (Int32, UInt16) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, size) == 0 && Foundation.listen(listener, 16) == 0
                    && getsockname(listener, raw, &size) == 0
            }
        }
        guard bound else { throw CocoaError(.fileWriteUnknown) }
        return (listener, UInt16(bigEndian: address.sin_port))
    }
}
