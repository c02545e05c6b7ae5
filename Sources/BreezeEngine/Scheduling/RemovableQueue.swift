/// Elements in the order they came, each at most once; any of them can be taken out, in constant time.
struct RemovableQueue<Element: Hashable & Sendable>: Sendable {
    private struct Neighbours {
        var previous: Element?
        var next: Element?
    }

    private var links: [Element: Neighbours] = [:]
    private(set) var first: Element?
    private var last: Element?

    var count: Int { links.count }
    var isEmpty: Bool { links.isEmpty }

    func contains(_ element: Element) -> Bool { links[element] != nil }

    mutating func append(_ element: Element) {
        guard links[element] == nil else { return }
        links[element] = Neighbours(previous: last, next: nil)
        if let last { links[last]?.next = element } else { first = element }
        last = element
    }

    mutating func remove(_ element: Element) {
        guard let found = links.removeValue(forKey: element) else { return }
        if let previous = found.previous { links[previous]?.next = found.next } else { first = found.next }
        if let next = found.next { links[next]?.previous = found.previous } else { last = found.previous }
    }

    mutating func popFirst() -> Element? {
        guard let first else { return nil }
        remove(first)
        return first
    }
}

extension RemovableQueue: Sequence {
    func makeIterator() -> AnyIterator<Element> {
        var upcoming = first
        return AnyIterator {
            defer { upcoming = upcoming.flatMap { links[$0]?.next } }
            return upcoming
        }
    }
}
