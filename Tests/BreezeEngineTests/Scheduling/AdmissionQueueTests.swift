import BreezeCore
import Testing

@testable import BreezeEngine

@Suite struct AdmissionQueueTests {
    /// A queue of one place that is taken, and the names of those that join it.
    private struct Line {
        var queue = AdmissionQueue(width: 1)
        var names: [AdmissionQueue.Ticket: String] = [:]
        private var holder: AdmissionQueue.Ticket?

        init() { join("holder", nil) }

        mutating func join(_ name: String, _ client: String?, _ priority: RequestPriority = .normal) {
            switch queue.join(priority: priority, client: client, limits: .init(queue: 5_000, client: 5_000))
            {
            case .admitted(let ticket): holder = ticket
            case .waits(let ticket, _): names[ticket] = name
            case .refused(let refusal): Issue.record("\(name) was refused: \(refusal)")
            }
        }

        /// Who gets the place when its holder leaves.
        mutating func next() -> String? {
            guard let left = holder else { return nil }
            let admitted = queue.leave(left).admitted
            #expect(admitted.count <= 1)
            holder = admitted.first
            return holder.flatMap { names[$0] }
        }

        mutating func rest() -> [String] {
            var order: [String] = []
            while let name = next() { order.append(name) }
            return order
        }
    }

    @Test(arguments: [(2, 3), (5, 4), (50, 20)])
    func `clients take turns, in the order they came`(clients: Int, requests: Int) {
        var line = Line()
        for client in 1...clients {
            for request in 1...requests { line.join("\(client).\(request)", "client \(client)") }
        }
        let order = line.rest()
        let rounds = (1...requests).map { request in (1...clients).map { "\($0).\(request)" } }
        #expect(order == rounds.flatMap(\.self))
        if clients <= 5 {
            print("order of service, \(clients) clients of \(requests) requests, joined client by client:")
            for start in stride(from: 0, to: order.count, by: clients) {
                print("  from turn \(start + 1):", order[start..<(start + clients)].joined(separator: " "))
            }
        }
    }

    @Test func `who asks little is not behind who asks much`() {
        var line = Line()
        for request in 1...5 { line.join("a\(request)", "a") }
        for request in 1...2 { line.join("b\(request)", "b") }
        line.join("own", nil)
        #expect(line.rest() == ["a1", "b1", "own", "a2", "b2", "a3", "a4", "a5"])
    }

    @Test(arguments: [1, 2, 4])
    func `a thousand of one client delay another's by one turn a place at most`(width: Int) {
        var queue = AdmissionQueue(width: width)
        let limits = AdmissionQueue.Limits(queue: 2_000, client: 2_000)
        var running: [AdmissionQueue.Ticket] = []
        for _ in 0..<(1_000 + width) {
            let admission = queue.join(priority: .normal, client: "much", limits: limits)
            if case .admitted(let ticket) = admission { running.append(ticket) }
        }
        guard case .waits(let single, _) = queue.join(priority: .normal, client: "little", limits: limits)
        else {
            Issue.record("it should wait")
            return
        }
        let firstEnds = running.flatMap { queue.leave($0).admitted }
        #expect(firstEnds.prefix(2).contains(single) || width == 1)
        let secondEnds = firstEnds.flatMap { queue.leave($0).admitted }
        #expect((firstEnds + secondEnds).prefix(2).contains(single))
    }

    @Test func `a higher priority goes first, and takes nothing from who runs`() {
        var line = Line()
        line.join("background", "a", .background)
        line.join("normal", "a", .normal)
        line.join("utility", "b", .utility)
        line.join("person", "c", .userInitiated)
        #expect(line.queue.counts == .init(running: 1, waiting: 4, stuck: 0))
        #expect(line.rest() == ["person", "normal", "utility", "background"])
    }

    @Test func `what was passed over eight times has the ninth turn`() {
        var line = Line()
        line.join("background 1", "indexer", .background)
        line.join("background 2", "indexer", .background)
        var order: [String] = []
        for turn in 1...18 {
            line.join("person \(turn)", "chat", .userInitiated)
            line.next().map { order.append($0) }
        }
        #expect(order.firstIndex(of: "background 1") == 8)
        #expect(order.firstIndex(of: "background 2") == 17)
        #expect(order.count == 18)
    }

    @Test func `several that are overdue have their turns one after the other, and then wait again`() {
        var line = Line()
        for index in 1...2 {
            line.join("background \(index)", "a", .background)
            line.join("utility \(index)", "a", .utility)
            line.join("normal \(index)", "a", .normal)
        }
        var order: [String] = []
        for _ in 1...30 {
            line.join("person", "chat", .userInitiated)
            line.next().map { order.append($0) }
        }
        // Eight turns for the person, then the three that are overdue; each is so again after eight turns of
        // others.
        let lower = order.enumerated().filter { $0.element != "person" }
            .map { "\($0.offset + 1) \($0.element)" }
        #expect(
            lower == [
                "9 normal 1", "10 utility 1", "11 background 1",
                "18 normal 2", "19 utility 2", "20 background 2",
            ]
        )
    }

    @Test func `a priority that nobody waits in does not grow old`() {
        var line = Line()
        line.join("early", "a", .background)
        for ticket in line.names.keys { _ = line.queue.leave(ticket) }
        for _ in 1...20 {
            line.join("person", "chat", .userInitiated)
            _ = line.next()
        }
        line.join("late", "a", .background)
        line.join("person", "chat", .userInitiated)
        #expect(line.rest() == ["person", "late"])
    }

    @Test func `the limits are exact, for all and for one client`() {
        var queue = AdmissionQueue(width: 1)
        let limits = AdmissionQueue.Limits(queue: 5, client: 2)
        func refusal(_ client: String?, _ priority: RequestPriority = .normal) -> AdmissionQueue.Refusal? {
            if case .refused(let refusal) = queue.join(priority: priority, client: client, limits: limits) {
                refusal
            } else {
                nil
            }
        }
        #expect(refusal("a") == nil)  // runs
        #expect(refusal("a") == nil)
        #expect(refusal("a", .background) == nil)
        // Its own first goes before it; what it has in the background does not.
        #expect(refusal("a") == .init(reason: .clientFull, ahead: 1))
        #expect(refusal("b") == nil)
        #expect(refusal(nil) == nil)
        #expect(refusal(nil) == nil)
        // a, b, own, own: round one is before a newcomer.
        #expect(refusal("c") == .init(reason: .queueFull, ahead: 3))
        #expect(refusal("c", .userInitiated) == .init(reason: .queueFull, ahead: 0))
        #expect(refusal("c", .background) == .init(reason: .queueFull, ahead: 5))
        #expect(queue.counts == .init(running: 1, waiting: 5, stuck: 0))
    }

    @Test func `a position is told when it is half of what it was, and not at each turn`() {
        var queue = AdmissionQueue(width: 1)
        guard case .admitted(var holder) = queue.join(priority: .normal, client: "a") else { return }
        for _ in 1...9 { _ = queue.join(priority: .normal, client: "a") }
        guard
            case .waits(let watched, let first) = queue.join(priority: .normal, client: "a", isWatched: true)
        else { return }
        var told = [first]
        for _ in 1...10 {
            let changes = queue.leave(holder)
            if let next = changes.admitted.first { holder = next }
            if let position = changes.moved[watched] { told.append(position) }
        }
        #expect(told == [10, 5, 2, 1])
        #expect(holder == watched)
    }

    @Test func `places that are held for nobody refuse who waits, until one is given back`() {
        var queue = AdmissionQueue(width: 2)
        var places: [AdmissionQueue.Ticket] = []
        var waiting: [AdmissionQueue.Ticket] = []
        for client in ["a", "b", "c", "d"] {
            switch queue.join(priority: .normal, client: client) {
            case .admitted(let ticket): places.append(ticket)
            case .waits(let ticket, _): waiting.append(ticket)
            case .refused: break
            }
        }
        #expect(queue.becomeStuck(places[0]) == .init())
        #expect(queue.becomeStuck(waiting[0]) == .init())
        #expect(queue.becomeStuck(places[1]) == .init(refused: waiting))
        #expect(queue.counts == .init(running: 2, waiting: 0, stuck: 2))
        let admission = queue.join(priority: .userInitiated, client: "e")
        #expect(admission == .refused(.init(reason: .stuck, ahead: 0)))
        #expect(queue.leave(places[0]) == .init())
        guard case .admitted = queue.join(priority: .normal, client: "e") else {
            Issue.record("a place was free")
            return
        }
        #expect(queue.counts == .init(running: 2, waiting: 0, stuck: 1))
    }
}
