import Foundation

/// Asks a program of this device over HTTP/1.1: one connection and one thread a request, so that nothing
/// waits on the concurrency pool, and so that closing the connection cancels the one request alone. Sends
/// everything once.
package struct LocalHTTPClient: Sendable {
    package let address: LocalAddress
    package let limits: LocalLimits

    package init(_ address: LocalAddress, limits: LocalLimits = LocalLimits()) {
        self.address = address
        self.limits = limits
    }

    /// Returns with the answer's head. Cancelling the task closes the connection.
    /// - Throws: ``LocalHTTPFailure``, `CancellationError`.
    package func send(_ request: LocalRequest) async throws -> LocalResponse {
        let state = try ConnectionState(waitingBytes: limits.waitingBytes)
        let loop = ConnectionLoop(
            address: address,
            request: request.bytes(to: address),
            limits: limits,
            state: state
        )
        let body = LocalBody(state, limit: limits.bodyBytes)
        let thread = Thread { loop.run() }
        thread.name = "breeze-hub"
        thread.stackSize = 1 << 19
        thread.start()
        guard case .head(let head) = try await state.next() else { throw LocalHTTPFailure.cut }
        return LocalResponse(head: head, body: body)
    }
}

package struct LocalResponse: Sendable {
    package let head: ResponseHead
    package let body: LocalBody
}

/// The bytes of an answer as they come. A slow reader holds the server back; dropping the body closes the
/// connection.
package final class LocalBody: Sendable {
    private let state: ConnectionState
    private let limit: Int

    init(_ state: ConnectionState, limit: Int) {
        self.state = state
        self.limit = limit
    }

    /// The connection keeps its state alive, not this.
    deinit { state.abandon() }

    /// The next part, never empty; `nil` after the last. One reader at a time.
    /// - Throws: ``LocalHTTPFailure``, `CancellationError`.
    package func next() async throws -> [UInt8]? {
        switch try await state.next() {
        case .body(let bytes): bytes
        case .head: throw LocalHTTPFailure.malformed("it has two heads")
        case nil: nil
        }
    }

    /// - Throws: ``LocalHTTPFailure`` `.tooLarge`, and what ``next()`` throws.
    package func collect() async throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let part = try await next() {
            guard bytes.count + part.count <= limit else { throw LocalHTTPFailure.tooLarge(limit: limit) }
            bytes += part
        }
        return bytes
    }

    /// To be called when the answer is there as a whole: what the server still sends to end it is taken and
    /// dropped, so that it does not see its answer refused.
    package func leave() {
        state.leave()
    }
}
