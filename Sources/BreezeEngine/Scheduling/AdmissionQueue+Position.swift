import BreezeCore

/// Which of the watched tickets may have moved by a notable amount: to half of what was told last. Looked at
/// when so many have left that it is possible, and not at each turn.
struct PositionWatch: Sendable {
    typealias Ticket = AdmissionQueue.Ticket

    /// The position that each watched ticket was told last.
    fileprivate(set) var told: [Ticket: Int] = [:]
    /// By the number of departures at which to look at them again.
    fileprivate var due: [Int: [Ticket]] = [:]
    fileprivate var departures = 0
}

extension AdmissionQueue {
    /// The turn that will be the ticket's own, from 1, as far as can be foreseen: it counts all of a higher
    /// priority that wait, and nobody who is yet to come, be it one that is overdue. `nil` for one that does
    /// not wait.
    func position(of ticket: Ticket) -> Int? {
        guard let waiter = waiting[ticket], let line = lines[waiter.priority] else { return nil }
        let index = line.index(of: ticket, of: waiter.client)
        return 1 + ahead(of: waiter, index: index)
    }

    func ahead(ofNewcomer client: String?, _ priority: RequestPriority) -> Int {
        let waiter = Waiter(priority: priority, client: client)
        return ahead(of: waiter, index: lines[priority]?.count(of: client) ?? 0)
    }

    private func ahead(of waiter: Waiter, index: Int) -> Int {
        let higher = lines.reduce(0) { $0 + ($1.key > waiter.priority ? $1.value.count : 0) }
        return higher + (lines[waiter.priority]?.ahead(of: waiter.client, index: index) ?? 0)
    }

    /// `index` is its place among its client's own.
    mutating func startWatching(_ ticket: Ticket, index: Int) -> Int {
        guard let waiter = waiting[ticket] else { return 0 }
        let position = 1 + ahead(of: waiter, index: index)
        watch.told[ticket] = position
        lookAgain(at: ticket, position: position, told: position)
        return position
    }

    /// Somebody waits no more, so that others may have moved.
    mutating func noteDeparture(of ticket: Ticket, in changes: inout Changes) {
        watch.told[ticket] = nil
        changes.moved[ticket] = nil
        watch.departures += 1
        for ticket in watch.due.removeValue(forKey: watch.departures) ?? [] {
            guard let told = watch.told[ticket], let position = position(of: ticket) else { continue }
            if position <= told / 2 {
                watch.told[ticket] = position
                changes.moved[ticket] = position
            }
            lookAgain(at: ticket, position: position, told: watch.told[ticket] ?? told)
        }
    }

    private mutating func lookAgain(at ticket: Ticket, position: Int, told: Int) {
        guard told > 1 else { return }
        watch.due[watch.departures + max(1, position - told / 2), default: []].append(ticket)
    }
}
