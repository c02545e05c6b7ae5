/// Message-IDs as numbers, joined to groups that belong together.
struct ThreadNodes: Sendable {
    private var numbers: [String: Int32] = [:]
    private(set) var names: [String] = []
    /// Towards the group's representative.
    private var above: [Int32] = []
    private var sizes: [Int32] = []
    /// The groups as rings.
    private(set) var next: [Int32] = []
    /// The oldest message that has the id; -1 where none is known.
    var owner: [Int32] = []
    /// Of each id the messages that wait for it, as a list in ``waiters``; -1 at the end.
    private var firstWaiter: [Int32] = []
    private var waiters: [(message: Int32, next: Int32)] = []

    mutating func reserve(_ count: Int) {
        numbers.reserveCapacity(numbers.count + count)
    }

    /// An empty name has a new number each time.
    mutating func number(of name: String) -> Int32 {
        let number = Int32(names.count)
        if !name.isEmpty {
            let known = numbers.number(of: name, orNew: number)
            if known != number { return known }
        }
        names.append(name)
        above.append(number)
        sizes.append(1)
        next.append(number)
        owner.append(-1)
        firstWaiter.append(-1)
        return number
    }

    mutating func join(_ left: Int32, _ right: Int32) {
        var (large, small) = (root(left), root(right))
        guard large != small else { return }
        if sizes[Int(large)] < sizes[Int(small)] { swap(&large, &small) }
        above[Int(small)] = large
        sizes[Int(large)] += sizes[Int(small)]
        next.swapAt(Int(large), Int(small))
    }

    private mutating func root(_ node: Int32) -> Int32 {
        var node = Int(node)
        while above[node] != node {
            above[node] = above[Int(above[node])]
            node = Int(above[node])
        }
        return Int32(node)
    }

    mutating func wait(_ message: Int32, for node: Int32) {
        waiters.append((message, firstWaiter[Int(node)]))
        firstWaiter[Int(node)] = Int32(waiters.count - 1)
    }

    /// Those that wait for the id wait no more.
    mutating func takeWaiters(for node: Int32) -> [Int32] {
        var found: [Int32] = []
        var at = firstWaiter[Int(node)]
        while at >= 0 {
            found.append(waiters[Int(at)].message)
            at = waiters[Int(at)].next
        }
        firstWaiter[Int(node)] = -1
        return found
    }
}

extension [String: Int32] {
    /// The number of a name, which is `new` where it had none. It hashes the name once.
    mutating func number(of name: String, orNew new: Int32) -> Int32 {
        func settle(_ number: inout Int32) -> Int32 {
            if number < 0 { number = new }
            return number
        }
        return settle(&self[name, default: -1])
    }
}
