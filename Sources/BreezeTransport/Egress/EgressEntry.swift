import BreezeCore
public import Foundation

/// What an outgoing connection was for. Open, so that a feature can name its own.
public struct EgressPurpose: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    public static let modelSearch = Self(rawValue: "model_search")
    public static let modelDownload = Self(rawValue: "model_download")
    /// A prompt sent to a network runner that the user allowed.
    public static let inference = Self(rawValue: "inference")
    public static let credentialCheck = Self(rawValue: "credential_check")
}

/// One request that left the device; a redirect makes another one. Neither path nor content is kept.
public struct EgressEntry: Codable, Hashable, Sendable {
    public enum Outcome: String, Codable, Sendable {
        /// Not over yet, or the process ended before it was.
        case open
        case finished
        /// The reader wanted no more.
        case cancelled
        case failed
        /// The switch forbids it: nothing was sent, nor its host looked up.
        case refused
        /// It was under way when the switch forbade it; the bytes are those of before.
        case stopped
    }

    public let id: UUID
    public let time: Date
    public let host: String
    public let port: Int
    public let purpose: EgressPurpose
    /// `nil` where nobody said, and in ledgers of before.
    public let client: EgressClient?
    /// `host:port` of the proxy that it went through.
    public var proxy: String?
    /// Of headers and bodies, without what encryption adds.
    public var bytesUp: Int64
    public var bytesDown: Int64
    /// `nil` where no answer came.
    public var status: Int?
    public var outcome: Outcome

    init(
        host: String,
        port: Int,
        purpose: EgressPurpose,
        client: EgressClient? = nil,
        proxy: String? = nil,
        bytesUp: Int64,
        time: Date,
        id: UUID = UUID()
    ) {
        self.id = id
        self.time = time
        self.host = host
        self.port = port
        self.purpose = purpose
        self.client = client
        self.proxy = proxy
        self.bytesUp = bytesUp
        bytesDown = 0
        outcome = .open
    }
}

extension EgressEntry.Outcome {
    /// What becomes of a connection that was begun; `nil` is no fault.
    package init(of fault: (any Error)?) {
        self =
            switch fault {
            case nil: .finished
            case is CancellationError: .cancelled
            case let error as BreezeError where error.code == .egressForbidden: .stopped
            default: .failed
            }
    }
}
