/// How long is waited, and how much is taken.
package struct LocalLimits: Hashable, Sendable {
    package var connect: Duration
    /// From the request's last byte to the answer's first: what the server needs to make it.
    package var answer: Duration
    /// Between two pieces of an answer that has begun.
    package var idle: Duration
    /// For the end of an answer that nobody reads any more.
    package var end = Duration.seconds(1)
    /// Bytes of the status line and the header fields; also of a chunk's size line.
    package var headBytes = 64 << 10
    package var fields = 128
    /// Bytes of a body that is collected.
    package var bodyBytes = 256 << 20
    /// Bytes that may wait for a slow reader before nothing more is read from the socket.
    package var waitingBytes = 1 << 20

    package init(
        connect: Duration = .seconds(2),
        answer: Duration = .seconds(600),
        idle: Duration = .seconds(120)
    ) {
        self.connect = connect
        self.answer = answer
        self.idle = idle
    }
}
