/// Those of one priority that wait.
struct AdmissionLine: Sendable {
    typealias Ticket = AdmissionQueue.Ticket

    /// Turns that others had since its own last one, or since somebody waits.
    var passedOver = 0
    private(set) var count = 0
    /// The clients that wait, the one whose turn is next in front.
    private var turns = RemovableQueue<String?>()
    private var tickets: [String?: RemovableQueue<Ticket>] = [:]

    var isEmpty: Bool { count == 0 }

    func count(of client: String?) -> Int { tickets[client]?.count ?? 0 }

    mutating func append(_ ticket: Ticket, of client: String?) {
        count += 1
        turns.append(client)
        tickets[client, default: RemovableQueue()].append(ticket)
    }

    mutating func remove(_ ticket: Ticket, of client: String?) {
        guard tickets[client]?.contains(ticket) == true else { return }
        count -= 1
        tickets[client]?.remove(ticket)
        if tickets[client]?.isEmpty == true {
            tickets[client] = nil
            turns.remove(client)
        }
        if isEmpty { passedOver = 0 }
    }

    /// The first ticket of the client whose turn it is, which then goes to the back.
    mutating func takeNext() -> Ticket? {
        guard let client = turns.first, let ticket = tickets[client]?.first else { return nil }
        turns.remove(client)
        turns.append(client)
        remove(ticket, of: client)
        passedOver = 0
        return ticket
    }

    /// How many of this line go before the ticket at `index` of the client's own, if nobody else comes. A client
    /// that does not wait yet would stand at the back.
    func ahead(of client: String?, index: Int) -> Int {
        var ahead = index
        var isBefore = true
        for other in turns {
            if other == client {
                isBefore = false
            } else {
                ahead += min(count(of: other), isBefore ? index + 1 : index)
            }
        }
        return ahead
    }

    func index(of ticket: Ticket, of client: String?) -> Int {
        var index = 0
        for other in tickets[client] ?? RemovableQueue() {
            if other == ticket { break }
            index += 1
        }
        return index
    }
}
