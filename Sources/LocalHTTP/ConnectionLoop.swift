import Foundation

/// One request and its answer, on a thread of its own: nothing here may run on the concurrency pool.
struct ConnectionLoop {
    /// Before a listener whose queue is full is asked again.
    private static let pause = Duration.milliseconds(10)

    private struct Cancelled: Error {}

    let address: LocalAddress
    let request: [UInt8]
    let limits: LocalLimits
    let state: ConnectionState

    func run() {
        defer { state.wake.close() }
        let end: Result<Void, any Error>
        do {
            let socket = try Socket.make(address)
            defer { close(socket) }
            try connect(socket)
            try exchange(socket)
            end = .success(())
        } catch let failure as LocalHTTPFailure {
            end = .failure(failure)
        } catch {
            end = .failure(CancellationError())
        }
        state.finish(end)
    }

    private func connect(_ socket: Int32) throws {
        let deadline = ContinuousClock.now + limits.connect
        while true {
            switch try Socket.connect(socket, to: address) {
            case .done: return
            case .underWay:
                while try wait(for: POLLOUT, on: socket, until: deadline) == 0 {
                    guard ContinuousClock.now < deadline else { throw tookNone }
                }
                let fault = Socket.fault(socket)
                if fault == 0 { return }
                throw LocalHTTPFailure.notThere(Socket.words(fault))
            case .later:
                guard ContinuousClock.now < deadline else { throw tookNone }
                _ = try wait(for: 0, on: nil, until: min(deadline, ContinuousClock.now + Self.pause))
            }
        }
    }

    private var tookNone: LocalHTTPFailure {
        .notThere("it took no connection within \(limits.connect)")
    }

    private func exchange(_ socket: Int32) throws {
        var reader = ResponseReader(limits)
        var unsent = request[...]
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        var last = ContinuousClock.now
        while !reader.isDone {
            guard state.hasRoom else {
                _ = try wait(for: 0, on: nil, until: nil)
                last = .now
                continue
            }
            let patience = patience(hasHead: reader.hasHead)
            let events = unsent.isEmpty ? POLLIN : POLLIN | POLLOUT
            let ready = try wait(for: events, on: socket, until: last + patience)
            if ready == 0 {
                // What woke it may have changed how long is waited.
                guard ContinuousClock.now >= last + patience else { continue }
                throw LocalHTTPFailure.silent(patience)
            }
            if ready & Int16(POLLOUT) != 0, write(&unsent, to: socket) { last = .now }
            if ready & Int16(POLLIN | POLLHUP | POLLERR) != 0 {
                if try read(from: socket, &buffer, &reader) { last = .now }
            }
        }
    }

    private func patience(hasHead: Bool) -> Duration {
        if case .end = state.interest { return limits.end }
        return hasHead ? limits.idle : limits.answer
    }

    /// - Returns: Whether something was written.
    private func write(_ unsent: inout ArraySlice<UInt8>, to socket: Int32) -> Bool {
        let count = Socket.send(socket, unsent)
        if count > 0 { unsent = unsent.dropFirst(count) }
        // A server may answer, and close, before it has read all: what it said is still to be read.
        if count < 0, errno != EAGAIN, errno != EINTR { unsent = [] }
        return count > 0
    }

    /// - Returns: Whether something came.
    private func read(
        from socket: Int32,
        _ buffer: inout [UInt8],
        _ reader: inout ResponseReader
    ) throws -> Bool {
        let count = recv(socket, &buffer, buffer.count, 0)
        if count < 0 {
            if errno == EAGAIN || errno == EINTR { return false }
            throw LocalHTTPFailure.cut
        }
        if count == 0 {
            try reader.close()
        } else {
            for event in try reader.read(Array(buffer[..<count])) { state.put(event) }
        }
        return true
    }

    /// - Returns: What is ready; 0 when the time is over, and when the reader rang.
    /// - Throws: Where nobody wants the answer any more.
    private func wait(for events: Int32, on socket: Int32?, until deadline: ContinuousClock.Instant?) throws
        -> Int16
    {
        var polled = [pollfd(fd: state.wake.descriptor, events: Int16(POLLIN), revents: 0)]
        if let socket { polled.append(pollfd(fd: socket, events: Int16(events), revents: 0)) }
        let count = poll(&polled, nfds_t(polled.count), milliseconds(until: deadline))
        if count > 0, polled[0].revents != 0 { state.wake.clear() }
        if case .nothing = state.interest { throw Cancelled() }
        return count > 0 ? polled.dropFirst().first?.revents ?? 0 : 0
    }

    /// Rounded up, so that a wait is never over too early.
    private func milliseconds(until deadline: ContinuousClock.Instant?) -> Int32 {
        guard let deadline else { return -1 }
        let left = ContinuousClock.now.duration(to: deadline)
        guard left > .zero else { return 0 }
        let (seconds, attoseconds) = left.components
        return Int32(min(seconds * 1_000 + attoseconds / 1_000_000_000_000_000 + 1, 1 << 30))
    }
}
