import BreezeCore

/// Whose turn it is at one runner, as a plain value: it takes what happened and returns what follows, and
/// resumes nobody.
///
/// - At most ``width`` run; the others wait, within their ``Limits``.
/// - A higher priority goes first. A priority that has waiters and was passed over ``patience`` times in a row
///   has the next turn, so that the lowest is served once in ``patience`` + 1 turns, or where several are
///   overdue, as soon as those before it were.
/// - Within a priority the clients take turns, however much each asks; within a client, the first comes first.
struct AdmissionQueue: Sendable {
    /// One request, from joining to leaving; the numbers go up in the order of joining.
    struct Ticket: Hashable, Sendable {
        let number: Int
    }

    struct Limits: Hashable, Sendable {
        /// Tickets that may wait.
        var queue = 512
        /// Tickets of one named client that may wait.
        var client = 64
    }

    enum Admission: Equatable {
        case admitted(Ticket)
        /// `position` is the turn that will be its own, from 1; 0 for one that is not watched.
        case waits(Ticket, position: Int)
        case refused(Refusal)
    }

    struct Refusal: Hashable, Sendable {
        enum Reason: Hashable, Sendable { case queueFull, clientFull, stuck }

        let reason: Reason
        /// How many would have gone before it.
        let ahead: Int
    }

    /// What follows for other tickets.
    struct Changes: Equatable {
        var admitted: [Ticket] = []
        var refused: [Ticket] = []
        var moved: [Ticket: Int] = [:]
    }

    struct Counts: Hashable, Sendable {
        var running = 0
        var waiting = 0
        /// Of those that run, the ones that do not end though nobody waits for them.
        var stuck = 0
    }

    static let patience = 8

    let width: Int
    /// By priority.
    var lines: [RequestPriority: AdmissionLine] = [:]
    var waiting: [Ticket: Waiter] = [:]
    var watch = PositionWatch()
    private var running: Set<Ticket> = []
    private var stuck: Set<Ticket> = []
    private var lastNumber = 0

    init(width: Int) {
        self.width = Swift.max(1, width)
    }

    struct Waiter: Sendable {
        let priority: RequestPriority
        let client: String?
    }

    var counts: Counts { Counts(running: running.count, waiting: waiting.count, stuck: stuck.count) }

    func isWaiting(_ ticket: Ticket) -> Bool { waiting[ticket] != nil }
    func isRunning(_ ticket: Ticket) -> Bool { running.contains(ticket) }
    func isStuck(_ ticket: Ticket) -> Bool { stuck.contains(ticket) }
}

// MARK: - What happens

extension AdmissionQueue {
    /// A client of `nil` is the program's own, which ``Limits/queue`` alone bounds. One that is watched hears
    /// of its position.
    mutating func join(
        priority: RequestPriority,
        client: String?,
        limits: Limits = Limits(),
        isWatched: Bool = false
    ) -> Admission {
        if let reason = reasonToRefuse(client, limits) {
            return .refused(Refusal(reason: reason, ahead: ahead(ofNewcomer: client, priority)))
        }
        lastNumber += 1
        let ticket = Ticket(number: lastNumber)
        if running.count < width {
            running.insert(ticket)
            return .admitted(ticket)
        }
        waiting[ticket] = Waiter(priority: priority, client: client)
        lines[priority, default: AdmissionLine()].append(ticket, of: client)
        guard isWatched else { return .waits(ticket, position: 0) }
        let position = lines[priority, default: AdmissionLine()].count(of: client) - 1
        return .waits(ticket, position: startWatching(ticket, index: position))
    }

    private func reasonToRefuse(_ client: String?, _ limits: Limits) -> Refusal.Reason? {
        if stuck.count >= width { return .stuck }
        if running.count < width { return nil }
        if waiting.count >= limits.queue { return .queueFull }
        guard let client else { return nil }
        let ofClient = lines.values.reduce(0) { $0 + $1.count(of: client) }
        return ofClient >= limits.client ? .clientFull : nil
    }

    /// It has ended, or wants no place any more; one that left before changes nothing.
    mutating func leave(_ ticket: Ticket) -> Changes {
        var changes = Changes()
        if running.remove(ticket) != nil {
            stuck.remove(ticket)
            while running.count < width, let next = takeNext() {
                running.insert(next)
                changes.admitted.append(next)
                noteDeparture(of: next, in: &changes)
            }
        } else if let waiter = waiting.removeValue(forKey: ticket) {
            lines[waiter.priority]?.remove(ticket, of: waiter.client)
            noteDeparture(of: ticket, in: &changes)
        }
        return changes
    }

    /// It does not end though nobody waits for it. Where all places are held so, those that wait are refused:
    /// their turn might never come.
    mutating func becomeStuck(_ ticket: Ticket) -> Changes {
        var changes = Changes()
        guard running.contains(ticket) else { return changes }
        stuck.insert(ticket)
        guard stuck.count >= width else { return changes }
        changes.refused = waiting.keys.sorted { $0.number < $1.number }
        waiting = [:]
        lines = [:]
        watch = PositionWatch()
        return changes
    }

    /// Takes out whose turn it is.
    private mutating func takeNext() -> Ticket? {
        let order = RequestPriority.allCases.reversed().filter { lines[$0]?.isEmpty == false }
        guard let highest = order.first else { return nil }
        var chosen = highest
        for priority in order {
            let age = lines[priority]?.passedOver ?? 0
            if age >= Self.patience, age > (lines[chosen]?.passedOver ?? 0) { chosen = priority }
        }
        for priority in order where priority != chosen { lines[priority]?.passedOver += 1 }
        let ticket = lines[chosen]?.takeNext()
        if let ticket { waiting[ticket] = nil }
        return ticket
    }
}
