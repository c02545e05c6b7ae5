#if Hub
import BreezeCore
import BreezeWire
import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// One client's connection: who it is, and what is to stop when it goes away.
final class Connection: Sendable {
    private struct State {
        var isGone = false
        var next = 0
        var work: [Int: @Sendable () -> Void] = [:]
        var peer: PeerCredentials?
        var writing: ContinuousClock.Instant?
        /// When a body must have come, and the time that it was given.
        var reading: (until: ContinuousClock.Instant, limit: Duration)?
    }

    private let state = Mutex(State())

    /// Around each piece of an answer.
    func beginWriting() { state.withLock { $0.writing = .now } }
    func endWriting() { state.withLock { $0.writing = nil } }

    /// Whether its client has taken nothing of an answer since then.
    func isStalled(since time: ContinuousClock.Instant) -> Bool {
        state.withLock { $0.writing.map { $0 < time } ?? false }
    }

    /// Around the body of a request.
    func beginReading(within limit: Duration) { state.withLock { $0.reading = (.now + limit, limit) } }
    func endReading() { state.withLock { $0.reading = nil } }

    /// What its client is told who has not sent in time what it began to send.
    func lateness(at time: ContinuousClock.Instant) -> BreezeError? {
        guard let (until, limit) = state.withLock({ $0.reading }), until < time else { return nil }
        return BreezeError(.requestTimeout, "The request did not come whole in \(limit).")
    }

    /// Who is at the other end of a Unix socket, as the kernel says; `nil` for every other connection.
    var peer: PeerCredentials? {
        get { state.withLock { $0.peer } }
        set { state.withLock { $0.peer = newValue } }
    }

    /// Called at once where the client has gone already.
    func onGone(_ action: @escaping @Sendable () -> Void) -> Int? {
        let place = state.withLock { state -> Int? in
            guard !state.isGone else { return nil }
            state.next += 1
            state.work[state.next] = action
            return state.next
        }
        if place == nil { action() }
        return place
    }

    func forget(_ place: Int?) {
        guard let place else { return }
        state.withLock { _ = $0.work.removeValue(forKey: place) }
    }

    var isGone: Bool { state.withLock { $0.isGone } }

    func leave() {
        let work = state.withLock { state in
            state.isGone = true
            defer { state.work = [:] }
            return state.work.values
        }
        for action in work { action() }
    }
}

/// Every connection of a server by its channel.
final class Connections: Sendable {
    private let all: Mutex<[ObjectIdentifier: (channel: any Channel, connection: Connection)]> = Mutex([:])

    var count: Int { all.withLock { $0.count } }

    subscript(channel: any Channel) -> Connection {
        all.withLock { $0[ObjectIdentifier(channel)]?.connection } ?? Connection()
    }

    func enter(_ channel: any Channel, _ connection: Connection) {
        all.withLock { $0[ObjectIdentifier(channel)] = (channel, connection) }
    }

    func leave(_ channel: any Channel) {
        all.withLock { $0.removeValue(forKey: ObjectIdentifier(channel)) }?.connection.leave()
    }

    /// Closes those whose client asked for an answer and has taken nothing of it since then: it would keep a model from
    /// everybody else.
    func closeStalled(since time: ContinuousClock.Instant) {
        let stalled = all.withLock { $0.values.filter { $0.connection.isStalled(since: time) } }
        for (channel, connection) in stalled {
            connection.leave()
            channel.close(promise: nil)
        }
    }

    /// Ends the reading of bodies that do not come.
    func endLateReading(at time: ContinuousClock.Instant) {
        let late = all.withLock { all in
            all.values.compactMap { entry in entry.connection.lateness(at: time).map { (entry.channel, $0) } }
        }
        for (channel, error) in late { channel.pipeline.fireErrorCaught(error) }
    }
}

/// Turns a closed connection into the end of what runs for it.
///
/// A server that only writes learns of it by a failed write, which during a long prefill never comes. One half of the
/// connection closed counts as gone: a client that asks so, and still waits, is not told apart from one that left.
final class ConnectionWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let connections: Connections

    init(_ connections: Connections) {
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Some clients wait for it before they send a body, and for ever.
        if case .head(let head) = unwrapInboundIn(data),
            head.headerFields[.expect]?.lowercased() == "100-continue"
        {
            let goOn = HTTPResponsePart.head(HTTPResponse(status: .continue))
            context.writeAndFlush(wrapOutboundOut(goOn), promise: nil)
        }
        context.fireChannelRead(data)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        // A channel keeps as many buffers as it may read at once, each of the size of the largest request, for as long
        // as it lives; and one read takes most requests whole.
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        let connection = Connection()
        connections.enter(context.channel, connection)
        PeerCredentials.ask(context.channel) { connection.peer = $0 }
    }

    func channelInactive(context: ChannelHandlerContext) {
        connections.leave(context.channel)
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        connections.leave(context.channel)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .some(ChannelEvent.inputClosed) = event as? ChannelEvent {
            connections[context.channel].leave()
        }
        context.fireUserInboundEventTriggered(event)
    }
}
#endif
