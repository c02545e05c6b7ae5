import BreezeCore

/// What the engine's parts tell ``Telemetry``.
enum Occurrence: Sendable {
    case routed
    /// The turn that will be the request's own, from 1, where it was worked out.
    case queued(position: Int?)
    case loading
    /// The part that is done, 0…1.
    case loadProgress(Double)
    case loaded(took: Duration, bytes: Int64?)
    case loadFailed(took: Duration, BreezeError.Code)
    /// Before its first chunk, so that another may be tried.
    case runnerFailed(BreezeError.Code)
    /// A guardian's verdict; a text that passed is counted and makes no event.
    case guarded(GuardianAction, EngineEvent.Guarded)
    case evicted(EvictionReason, bytes: Int64?)
    case unloaded(UnloadReason, bytes: Int64?)

    enum GuardianAction: String, Sendable {
        case passed, warned, filtered, blocked
    }

    enum EvictionReason: String, Sendable {
        /// Another runner needs the room.
        case budget
        /// The system is short of memory.
        case pressure
    }

    enum UnloadReason: String, Sendable {
        case evicted
        /// Nobody asked for it within its keep-alive time.
        case idle
        /// Somebody asked for it.
        case request
        /// The runner was taken out or replaced.
        case removed
    }

    /// Whether it belongs to the request in whose course it happens. An unload happens to a runner, at a time
    /// that may lie far behind the request that its timer came from.
    var concernsRequest: Bool {
        if case .unloaded = self { false } else { true }
    }

    /// Whether it happens to a runner, whatever becomes of the request that led to it.
    var outlivesRequest: Bool {
        switch self {
        case .loading, .loadProgress, .loaded, .loadFailed, .evicted, .unloaded: true
        case .routed, .queued, .runnerFailed, .guarded: false
        }
    }
}

// MARK: - As an event

extension Occurrence {
    /// `nil` for what makes no event.
    var kind: EngineEvent.Kind? {
        switch self {
        case .routed: .routed
        case .queued: .queued
        case .loading: .loading
        case .loadProgress: .loadProgress
        case .loaded: .loaded
        case .loadFailed: .loadFailed
        case .runnerFailed: .runnerFailed
        case .guarded(.passed, _): nil
        case .guarded(.warned, _): .warned
        case .guarded(.filtered, _): .filtered
        case .guarded(.blocked, _): .blocked
        case .evicted: .evicted
        case .unloaded: .unloaded
        }
    }

    func describe(_ event: inout EngineEvent, runner: String?) {
        event.runner = runner
        switch self {
        case .routed, .loading: break
        case .queued(let position): event.position = position
        case .loadProgress(let part): event.progress = part
        case .loaded(let took, let bytes):
            event.duration = took.seconds
            event.bytes = bytes
        case .loadFailed(let took, let code):
            event.duration = took.seconds
            event.reason = code.rawValue
        case .runnerFailed(let code): event.reason = code.rawValue
        case .guarded(_, let guarded): event.guardian = guarded
        case .evicted(let reason, let bytes):
            event.reason = reason.rawValue
            event.bytes = bytes
        case .unloaded(let reason, let bytes):
            event.reason = reason.rawValue
            event.bytes = bytes
        }
    }
}
