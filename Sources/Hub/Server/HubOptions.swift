public import Foundation

/// Where a hub listens and what it lets in.
public struct HubOptions: Sendable {
    /// The port that clients of Breeze look at first.
    public static let standardPort = 11_535

    public var host: String
    /// 0 takes one that is free.
    public var port: Int
    /// Where the Unix socket lies; `nil` makes none.
    public var socket: URL?
    /// A PEM file of the certificate and those that vouch for it, and one of its key.
    public var certificate: URL?
    public var certificateKey: URL?
    public var limits: HubLimits

    public init(
        host: String = "127.0.0.1",
        port: Int = Self.standardPort,
        socket: URL? = nil,
        certificate: URL? = nil,
        certificateKey: URL? = nil,
        limits: HubLimits = HubLimits()
    ) {
        self.host = host
        self.port = port
        self.socket = socket
        self.certificate = certificate
        self.certificateKey = certificateKey
        self.limits = limits
    }

    /// Whether only programs of this device reach it.
    public var isLoopback: Bool { ["127.0.0.1", "::1", "localhost"].contains(host) }
}

/// What one client may take of the hub.
public struct HubLimits: Sendable {
    /// Bytes of a request's body: images and recordings are in it.
    public var body: Int
    /// Bytes of all header fields of a request.
    public var headers: Int
    /// Seconds in which a request must have come whole.
    public var reading: Duration
    /// Seconds in which a client must take a piece of its answer.
    public var writing: Duration
    /// Seconds after which a connection that asks nothing is closed.
    public var idle: Duration
    public var connections: Int

    /// For those who are nobody yet.
    static let strangers = HubLimits(body: 64 << 10, reading: .seconds(10))

    public init(
        body: Int = 64 << 20,
        headers: Int = 32 << 10,
        reading: Duration = .seconds(60),
        writing: Duration = .seconds(30),
        idle: Duration = .seconds(120),
        connections: Int = 16_384
    ) {
        self.body = body
        self.headers = headers
        self.reading = reading
        self.writing = writing
        self.idle = idle
        self.connections = connections
    }
}
