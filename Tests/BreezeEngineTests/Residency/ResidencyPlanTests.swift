import BreezeTestSupport
import Testing

@testable import BreezeEngine

@Suite struct ResidencyPlanTests {
    private func resident(
        _ id: Int,
        _ size: Int64,
        priority: Int = 0,
        used: Int? = nil,
        held: Bool = false,
        expired: Bool = false
    ) -> ResidencyPlan.Resident {
        ResidencyPlan.Resident(
            id: id,
            size: size,
            priority: priority,
            lastUse: used ?? id,
            isHeld: held,
            isExpired: expired
        )
    }

    @Test func `what fits is admitted, and so is what nobody knows the size of`() {
        let plan = ResidencyPlan(residents: [resident(1, 60)], budget: 100)
        #expect(plan.decide(newcomer: 40) == .admit)
        #expect(plan.decide(newcomer: 0) == .admit)
        #expect(ResidencyPlan(residents: [resident(1, 60)], budget: nil).decide(newcomer: 1_000) == .admit)
    }

    @Test func `the least recently used goes first, and no more than are needed`() {
        let residents = [resident(1, 30, used: 3), resident(2, 30, used: 1), resident(3, 30, used: 2)]
        let plan = ResidencyPlan(residents: residents, budget: 100)
        #expect(plan.decide(newcomer: 40) == .evict([2]))
        #expect(plan.decide(newcomer: 41) == .evict([2, 3]))
        #expect(plan.decide(newcomer: 70) == .evict([2, 3]))
    }

    @Test func `one that is too small to help stays where a larger one has to go anyway`() {
        // 10 are free, 50 are missing: without the second nothing helps, with it the first need not go.
        let plan = ResidencyPlan(residents: [resident(1, 30), resident(2, 60)], budget: 100)
        #expect(plan.decide(newcomer: 60) == .evict([2]))
    }

    @Test func `a higher priority outlives a later use, and an expired one goes before both`() {
        let residents = [
            resident(1, 30, priority: 2, used: 1), resident(2, 30, used: 9),
            resident(3, 30, priority: 1, used: 5, expired: true),
        ]
        let plan = ResidencyPlan(residents: residents, budget: 90)
        #expect(plan.decide(newcomer: 30) == .evict([3]))
        #expect(plan.decide(newcomer: 60) == .evict([3, 2]))
        #expect(plan.decide(newcomer: 90) == .evict([3, 2, 1]))
    }

    @Test func `a held one never goes, and the refusal says what could have`() {
        let residents = [resident(1, 50, held: true), resident(2, 30)]
        let plan = ResidencyPlan(residents: residents, budget: 100)
        #expect(plan.decide(newcomer: 50) == .evict([2]))
        #expect(plan.decide(newcomer: 51) == .refuse(free: 20, evictable: 30))
        #expect(plan.obtainable == 50)
    }

    @Test func `estimates that overflow are refused and do not trap`() {
        let residents = [resident(1, .max, held: true), resident(2, 5)]
        let plan = ResidencyPlan(residents: residents, budget: .max)
        #expect(plan.decide(newcomer: .max) == .refuse(free: 0, evictable: 5))
        #expect(plan.obtainable == 0)
    }

    /// Of all sets of evictable ones that free enough, the one whose most valuable member is worth least, then
    /// whose second is, and so on: with bit i standing for the i-th least valuable, the smallest number.
    private func best(_ residents: [ResidencyPlan.Resident], _ budget: Int64, _ size: Int64) -> [Int]? {
        let ranked = residents.filter { !$0.isHeld }.sorted {
            ($0.isExpired ? 0 : 1, $0.priority, $0.lastUse) < ($1.isExpired ? 0 : 1, $1.priority, $1.lastUse)
        }
        let used = residents.map(\.size).reduce(0, +)
        for set in 0..<(1 << ranked.count) {
            let members = ranked.indices.filter { set >> $0 & 1 == 1 }
            if used - members.map({ ranked[$0].size }).reduce(0, +) + size <= budget {
                return members.map { ranked[$0].id }
            }
        }
        return nil
    }

    @Test(arguments: 0..<40) func `it finds what trying every set finds`(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<50 {
            let count = Int.random(in: 0...8, using: &random)
            let uses = Array(0..<count).shuffled(using: &random)
            let residents = (0..<count).map { id in
                resident(
                    id,
                    Int64.random(in: 0...40, using: &random),
                    priority: Int.random(in: 0...2, using: &random),
                    used: uses[id],
                    held: Int.random(in: 0...3, using: &random) == 0,
                    expired: Int.random(in: 0...4, using: &random) == 0
                )
            }
            let budget = Int64.random(in: 0...200, using: &random)
            let size = Int64.random(in: 1...120, using: &random)
            let outcome = ResidencyPlan(residents: residents, budget: budget).decide(newcomer: size)
            switch best(residents, budget, size) {
            case nil:
                guard case .refuse = outcome else {
                    Issue.record("\(outcome) where nothing helps")
                    continue
                }
            case []: #expect(outcome == .admit)
            case let victims?: #expect(outcome == .evict(victims))
            }
        }
    }

    @Test(
        arguments: [
            ("4GiB", 4_294_967_296), ("4 gib", 4_294_967_296), ("1.5G", 1_610_612_736),
            ("512MB", 512_000_000),
            ("512M", 536_870_912), ("1KiB", 1_024), ("2TB", 2_000_000_000_000), ("0", 0),
            ("1073741824", 1 << 30),
            ("12b", 12), ("", nil), ("GiB", nil), ("-1GiB", nil), ("4GiBs", nil), ("1e3", nil),
            ("1.2.3G", nil),
            ("9999999TiB", nil), ("½GiB", nil),
        ] as [(String, Int64?)]
    )
    func `sizes as people write them`(text: String, bytes: Int64?) {
        #expect(ByteCount.parse(text) == bytes)
    }
}
