import BreezeCore
import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct AdmissionPropertyTests {
    private typealias Ticket = AdmissionQueue.Ticket

    @Test(arguments: [(1, 1), (2, 2), (3, 5), (4, 3)] as [(UInt64, Int)])
    func `ten thousand random steps agree with the rules written down naively`(seed: UInt64, width: Int) {
        var dice = SeededGenerator(seed: seed)
        var queue = AdmissionQueue(width: width)
        var naive = NaiveAdmissionQueue(width: width)
        var told: [Int: Int] = [:]
        var seen = (admitted: 0, refused: 0, moved: 0, stuck: 0)
        for step in 1...10_000 {
            var changes = AdmissionQueue.Changes()
            var expected = (admitted: [Int](), refused: [Int]())
            switch Int.random(in: 0..<100, using: &dice) {
            case 0..<50:
                let refused = join(&queue, &naive, &told, &dice)
                seen.refused += refused ? 1 : 0
            case 50..<80:
                guard let number = naive.running.randomElement(using: &dice) else { continue }
                changes = queue.leave(Ticket(number: number))
                expected.admitted = naive.leave(number)
            case 80..<99:
                guard let number = naive.waiting.randomElement(using: &dice)?.number else { continue }
                changes = queue.leave(Ticket(number: number))
                expected.admitted = naive.leave(number)
            default:
                guard let number = naive.running.randomElement(using: &dice) else { continue }
                changes = queue.becomeStuck(Ticket(number: number))
                expected.refused = naive.becomeStuck(number)
                seen.stuck += 1
            }
            #expect(changes.admitted.map(\.number) == expected.admitted, "step \(step) of seed \(seed)")
            #expect(changes.refused.map(\.number) == expected.refused, "step \(step) of seed \(seed)")
            #expect(queue.counts.running == naive.running.count)
            #expect(queue.counts.waiting == naive.waiting.count)
            #expect(queue.counts.stuck == naive.stuck.count)
            for (ticket, position) in changes.moved {
                #expect(position == naive.turn(of: ticket.number), "step \(step) of seed \(seed)")
                #expect(position <= (told[ticket.number] ?? 0) / 2)
                told[ticket.number] = position
            }
            if step.isMultiple(of: 5), let waiter = naive.waiting.randomElement(using: &dice) {
                let position = queue.position(of: Ticket(number: waiter.number))
                #expect(position == naive.turn(of: waiter.number), "step \(step) of seed \(seed)")
            }
            seen.admitted += changes.admitted.count
            seen.moved += changes.moved.count
        }
        // That nothing was passed by.
        #expect(seen.admitted > 500 && seen.refused > 50 && seen.moved > 50 && seen.stuck > 50, "\(seen)")
        for number in naive.running + naive.waiting.map(\.number) { _ = queue.leave(Ticket(number: number)) }
        while let number = naive.running.first {
            _ = naive.leave(number)
            _ = queue.leave(Ticket(number: number))
        }
        #expect(queue.counts == .init())
        #expect(queue.lines.values.allSatisfy { $0.isEmpty })
    }

    /// - Returns: Whether it was refused, and rightly so.
    private func join(
        _ queue: inout AdmissionQueue,
        _ naive: inout NaiveAdmissionQueue,
        _ told: inout [Int: Int],
        _ dice: inout SeededGenerator
    ) -> Bool {
        let limits = AdmissionQueue.Limits(queue: 40, client: 9)
        let priority = RequestPriority.allCases.randomElement(using: &dice) ?? .normal
        let client = [nil, "a", "b", "c", "d", "e"].randomElement(using: &dice) ?? nil
        let isWatched = Bool.random(using: &dice)
        let isStuck = naive.stuck.count == naive.width
        let isFree = naive.running.count < naive.width
        let ofClient = naive.waiting.count { $0.client == client }
        switch queue.join(priority: priority, client: client, limits: limits, isWatched: isWatched) {
        case .admitted(let ticket):
            #expect(isFree && !isStuck)
            naive.join(ticket.number, priority, client)
        case .waits(let ticket, let position):
            #expect(!isFree && naive.waiting.count < 40 && (client == nil || ofClient < 9))
            naive.join(ticket.number, priority, client)
            #expect(position == (isWatched ? naive.turn(of: ticket.number) : 0))
            if isWatched { told[ticket.number] = position }
        case .refused(let refusal):
            switch refusal.reason {
            case .stuck: #expect(isStuck)
            case .queueFull: #expect(!isFree && naive.waiting.count == 40)
            case .clientFull: #expect(!isFree && client != nil && ofClient == 9)
            }
            naive.join(-1, priority, client)
            #expect(isStuck || refusal.ahead + 1 == naive.turn(of: -1))
            _ = naive.leave(-1)
            return true
        }
        return false
    }
}
