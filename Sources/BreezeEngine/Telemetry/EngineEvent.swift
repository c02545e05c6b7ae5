public import BreezeCore
public import Foundation

/// Something that happened in an engine: names, times and counts. It never holds a prompt, an answer, or the
/// message of a failure.
public struct EngineEvent: Codable, Hashable, Sendable {
    public var kind: Kind
    /// Counts the engine's events from 1. A subscriber that finds a gap was too slow for what is missing.
    public var number: Int
    /// Seconds since the engine was made, on a clock that never jumps.
    public var uptime: Double
    /// The wall clock, for people.
    public var time: Date
    /// `nil` where it concerns no one request. A load, and an eviction, name the request that led to it.
    public var requestID: String?
    /// `nil` also for a word that is no capability here.
    public var capability: AICapability?
    public var runner: String?
    /// In seconds; what is measured stands beside each ``Kind``, and `nil` where nothing is.
    public var duration: Double?
    /// The turn that will be the request's own, from 1, of a ``Kind/queued`` one whose chunks somebody reads.
    public var position: Int?
    /// The part of a load that is done, 0…1, of a ``Kind/loadProgress`` one.
    public var progress: Double?
    /// Of a ``Kind/loaded``, ``Kind/evicted`` or ``Kind/unloaded`` one: the memory that the runner takes, as far
    /// as known.
    public var bytes: Int64?
    /// A ``BreezeError/Code``, or why a runner was evicted or unloaded.
    public var reason: String?
    /// Of a guardian's verdict.
    public var guardian: Guarded?
    /// Of a ``Kind/finished``.
    public var timings: Timings?
    /// Of a ``Kind/finished``.
    public var usage: Usage?

    /// What a guardian said, and of what.
    public struct Guarded: Codable, Hashable, Sendable {
        public var stage: GuardianVerdict.Stage
        /// As the guardian calls it; `nil` where it found none, or failed.
        public var category: String?

        public init(stage: GuardianVerdict.Stage, category: String? = nil) {
            self.stage = stage
            self.category = category
        }
    }
}

extension EngineEvent {
    /// Open, so that adding one never breaks a caller's `switch`.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A runner was chosen; `duration` since the request arrived. Once more for each further runner that is
        /// tried.
        public static let routed = Kind(rawValue: "routed")
        /// The request waits for its runner, at `position` where that is known.
        public static let queued = Kind(rawValue: "queued")
        /// A runner begins to load; several requests may wait for the one load.
        public static let loading = Kind(rawValue: "loading")
        /// A runner that tells how far its load is has come to `progress`.
        public static let loadProgress = Kind(rawValue: "load_progress")
        /// `duration` of the load.
        public static let loaded = Kind(rawValue: "loaded")
        /// `duration` of the load that failed; `reason` is the code.
        public static let loadFailed = Kind(rawValue: "load_failed")
        /// The runner gets the request; `duration` that it waited for a place and for the load.
        public static let started = Kind(rawValue: "started")
        /// `duration` since it started.
        public static let firstChunk = Kind(rawValue: "first_chunk")
        /// A runner failed before its first chunk, and the next one, where there is one, is tried; `reason` is the
        /// code.
        public static let runnerFailed = Kind(rawValue: "runner_failed")
        /// A guardian let pass what it found something in.
        public static let warned = Kind(rawValue: "warned")
        /// A guardian took something out.
        public static let filtered = Kind(rawValue: "filtered")
        /// A guardian stopped a text, or failed, which stops it too.
        public static let blocked = Kind(rawValue: "blocked")
        /// The caller has its result; `duration` since the request arrived. The last of a request, like the two
        /// that follow.
        public static let finished = Kind(rawValue: "finished")
        /// The caller has its error; `reason` is the code.
        public static let failed = Kind(rawValue: "failed")
        public static let cancelled = Kind(rawValue: "cancelled")
        /// A runner is unloaded to make room; an ``unloaded`` follows.
        public static let evicted = Kind(rawValue: "evicted")
        /// A runner gave its memory back.
        public static let unloaded = Kind(rawValue: "unloaded")
    }
}

extension EngineEvent.Kind: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}
