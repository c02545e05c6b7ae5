import BreezeCore

/// The rules of admission, written down with arrays and searched from the front each time.
struct NaiveAdmissionQueue {
    struct Waiter {
        let number: Int
        let priority: RequestPriority
        let client: String?
    }

    let width: Int
    var running: [Int] = []
    var stuck: Set<Int> = []
    var waiting: [Waiter] = []
    private var turns: [RequestPriority: [String?]] = [:]
    private var age: [RequestPriority: Int] = [:]

    init(width: Int) { self.width = width }

    mutating func join(_ number: Int, _ priority: RequestPriority, _ client: String?) {
        if running.count < width { return running.append(number) }
        waiting.append(Waiter(number: number, priority: priority, client: client))
        if !turns[priority, default: []].contains(client) { turns[priority, default: []].append(client) }
    }

    mutating func leave(_ number: Int) -> [Int] {
        if running.contains(number) {
            running.removeAll { $0 == number }
            stuck.remove(number)
            var admitted: [Int] = []
            while running.count < width, let next = takeNext(ageing: true) {
                running.append(next)
                admitted.append(next)
            }
            return admitted
        }
        waiting.removeAll { $0.number == number }
        tidy()
        return []
    }

    mutating func becomeStuck(_ number: Int) -> [Int] {
        guard running.contains(number) else { return [] }
        stuck.insert(number)
        guard stuck.count == width else { return [] }
        defer { (waiting, turns, age) = ([], [:], [:]) }
        return waiting.map(\.number)
    }

    /// Played through to the ticket's turn, as if nobody was ever overdue.
    func turn(of number: Int) -> Int {
        var rest = self
        var turn = 1
        while let next = rest.takeNext(ageing: false), next != number { turn += 1 }
        return turn
    }

    private mutating func takeNext(ageing: Bool) -> Int? {
        let priorities = Set(waiting.map(\.priority)).sorted(by: >)
        guard let highest = priorities.first else { return nil }
        let overdue = ageing ? priorities.filter { age[$0, default: 0] >= 8 } : []
        let oldest = overdue.map { age[$0, default: 0] }.max()
        var chosen = overdue.first { age[$0, default: 0] == oldest } ?? highest
        if age[chosen, default: 0] <= age[highest, default: 0] { chosen = highest }
        for priority in priorities { age[priority] = priority == chosen ? 0 : age[priority, default: 0] + 1 }
        guard let client = turns[chosen]?.first,
            let next = waiting.first(where: { $0.priority == chosen && $0.client == client })
        else { return nil }
        turns[chosen] = (turns[chosen] ?? []).dropFirst() + [client]
        waiting.removeAll { $0.number == next.number }
        tidy()
        return next.number
    }

    private mutating func tidy() {
        for priority in RequestPriority.allCases {
            let clients = waiting.filter { $0.priority == priority }.map(\.client)
            turns[priority]?.removeAll { !clients.contains($0) }
            if clients.isEmpty { age[priority] = 0 }
        }
    }
}
