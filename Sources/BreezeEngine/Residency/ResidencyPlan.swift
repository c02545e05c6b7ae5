/// Decides whether a newcomer fits beside what is loaded, and what would have to go. A plain value: it reads
/// nothing and changes nothing.
struct ResidencyPlan: Sendable {
    struct Resident: Hashable, Sendable {
        let id: Int
        /// Bytes; 0 where nobody knows.
        let size: Int64
        /// Higher ones go later.
        let priority: Int
        /// Counts uses of all residents: the smaller, the longer ago.
        let lastUse: Int
        /// Pinned, in use, or not loaded yet: never evicted.
        let isHeld: Bool
        /// Its keep-alive is over, so that it goes before all others.
        var isExpired = false
    }

    enum Outcome: Hashable, Sendable {
        case admit
        /// The ids of those that have to go first, the least valuable first.
        case evict([Int])
        case refuse(free: Int64, evictable: Int64)
    }

    let residents: [Resident]
    /// Bytes that all residents together may take; `nil` where nothing limits them.
    let budget: Int64?

    /// A newcomer of unknown size (0) is always admitted: only loading it tells what it takes.
    func decide(newcomer size: Int64) -> Outcome {
        guard let budget, size > 0 else { return .admit }
        let free = budget.minus(residents.reduce(0) { $0.plus($1.size) })
        let missing = size.minus(free)
        guard missing > 0 else { return .admit }
        let candidates = evictable
        var freed = candidates.reduce(Int64(0)) { $0.plus($1.size) }
        guard freed >= missing else { return .refuse(free: max(0, free), evictable: freed) }
        // From the most valuable down, each one stays that the others can do without.
        var victims: [Int] = []
        for candidate in candidates.reversed() {
            if freed.minus(candidate.size) >= missing {
                freed = freed.minus(candidate.size)
            } else {
                victims.append(candidate.id)
            }
        }
        return .evict(victims.reversed())
    }

    /// Those that may go, the least valuable first.
    var evictable: [Resident] {
        residents.filter { !$0.isHeld }.sorted { left, right in
            if left.isExpired != right.isExpired { return left.isExpired }
            return (left.priority, left.lastUse, left.id) < (right.priority, right.lastUse, right.id)
        }
    }

    /// What would be free if everything went that may.
    var obtainable: Int64? {
        budget.map { budget in
            max(0, budget.minus(residents.reduce(0) { $1.isHeld ? $0.plus($1.size) : $0 }))
        }
    }
}

/// Sums of estimates, which may be anything.
extension Int64 {
    func plus(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    func minus(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }
}
