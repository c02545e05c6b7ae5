/// The members of one thread after another.
struct ThreadWalk {
    /// Of the thread that was gathered last, in order of their dates.
    fileprivate(set) var members: [Int32] = []
    /// Of each member, whether all that share its references are members too.
    private var isWhole: [Bool] = []
    /// Where a message stands among its thread's members; -1 where it was not seen.
    private var places: [Int32]
    /// Instead of ``places`` where few messages are seen.
    private var fewPlaces: [Int32: Int32] = [:]

    /// For a few threads.
    init() {
        places = []
    }

    /// For most threads of so many messages.
    init(count: Int) {
        places = Array(repeating: -1, count: count)
    }

    func isSeen(_ index: Int32) -> Bool { place(index) >= 0 }

    fileprivate func place(_ index: Int32) -> Int {
        Int(places.isEmpty ? fewPlaces[index] ?? -1 : places[Int(index)])
    }

    private mutating func setPlace(_ index: Int32, _ place: Int) {
        if places.isEmpty { fewPlaces[index] = Int32(place) } else { places[Int(index)] = Int32(place) }
    }

    fileprivate mutating func begin() {
        members.removeAll(keepingCapacity: true)
        isWhole.removeAll(keepingCapacity: true)
    }

    fileprivate mutating func add(_ index: Int32, isWhole whole: Bool) {
        let place = place(index)
        if place >= 0 {
            if whole { isWhole[place] = true }
            return
        }
        setPlace(index, members.count)
        members.append(index)
        isWhole.append(whole)
    }

    fileprivate func needsRing(at place: Int) -> Bool { !isWhole[place] }

    fileprivate mutating func sort(by precedes: (Int32, Int32) -> Bool) {
        guard members.count > 1 else { return }
        members.sort(by: precedes)
        for (place, member) in members.enumerated() { setPlace(member, place) }
    }
}

extension ThreadIndex {
    /// Finds the members of a message's thread: those that its references lead to, and from each of them
    /// those that the subject leads to.
    func gather(_ index: Int32, _ walk: inout ThreadWalk) {
        walk.begin()
        walk.add(index, isWhole: false)
        var done = 0
        while done < walk.members.count {
            let member = walk.members[done]
            if walk.needsRing(at: done) { addRing(of: member, &walk) }
            if let parent = subjectParent(of: member) { walk.add(parent, isWhole: false) }
            if let child = subjectChild(of: member) { walk.add(child, isWhole: false) }
            done += 1
        }
        walk.sort(by: precedes)
    }

    private func addRing(of member: Int32, _ walk: inout ThreadWalk) {
        let start = messages[Int(member)].node
        var node = start
        repeat {
            var copy = ids.owner[Int(node)]
            while copy >= 0 {
                walk.add(copy, isWhole: true)
                copy = messages[Int(copy)].nextCopy
            }
            node = ids.next[Int(node)]
        } while node != start
    }

    /// The thread whose members were gathered.
    func thread(_ walk: ThreadWalk) -> MailThread {
        let members = walk.members
        if members.count == 1 {
            let row = MailThread.Row(key: messages[Int(members[0])].key, parent: nil, depth: 0)
            return MailThread(id: name(of: members[0]), rows: [row])
        }
        var parents = members.map { parent(of: $0, walk) }
        addSubjectParents(&parents, walk)
        Self.breakCircles(&parents)
        let root = parents.firstIndex(of: -1) ?? 0
        return MailThread(id: name(of: members[root]), rows: rows(members, parents))
    }

    /// The name of the thread whose oldest message this is.
    private func name(of index: Int32) -> ThreadID {
        let entry = messages[Int(index)]
        if entry.ancestorCount > 0 {
            let first = ancestors[Int(entry.firstAncestor)]
            if ids.owner[Int(first)] < 0 { return ThreadID(messageID: ids.names[Int(first)]) }
        }
        let own = ids.names[Int(entry.node)]
        return own.isEmpty ? ThreadID(key: entry.key) : ThreadID(messageID: own)
    }

    /// The place of the nearest known ancestor; -1 where there is none.
    private func parent(of index: Int32, _ walk: ThreadWalk) -> Int {
        let entry = messages[Int(index)]
        let first = Int(entry.firstAncestor)
        for ancestor in ancestors[first..<first + Int(entry.ancestorCount)].reversed() {
            let owner = ids.owner[Int(ancestor)]
            if owner >= 0 { return walk.place(owner) }
        }
        return -1
    }

    /// An orphan is shown below the message that its subject began with, and not below other orphans.
    private func addSubjectParents(_ parents: inout [Int], _ walk: ThreadWalk) {
        // The parent by subject is older, so that its own top is known already.
        var tops = Array(0..<parents.count)
        for (place, member) in walk.members.enumerated() {
            guard let parent = subjectParent(of: member) else { continue }
            tops[place] = tops[walk.place(parent)]
            parents[place] = tops[place]
        }
    }

    /// What goes in a circle loses the parent of its oldest message; places are in order of dates.
    private static func breakCircles(_ parents: inout [Int]) {
        var visits = Array(repeating: -1, count: parents.count)
        for start in parents.indices {
            var at = start
            while at >= 0, visits[at] < 0 {
                visits[at] = start
                at = parents[at]
            }
            guard at >= 0, visits[at] == start else { continue }
            var oldest = at
            var next = parents[at]
            while next != at {
                oldest = min(oldest, next)
                next = parents[next]
            }
            parents[oldest] = -1
        }
    }

    private func rows(_ members: [Int32], _ parents: [Int]) -> [MailThread.Row] {
        // First child and next sibling, as lists; the younger is put in first.
        var firstChild = Array(repeating: -1, count: members.count)
        var sibling = firstChild
        var firstRoot = -1
        for place in parents.indices.reversed() {
            if parents[place] < 0 {
                (sibling[place], firstRoot) = (firstRoot, place)
            } else {
                (sibling[place], firstChild[parents[place]]) = (firstChild[parents[place]], place)
            }
        }
        var rows: [MailThread.Row] = []
        rows.reserveCapacity(members.count)
        var stack = firstRoot < 0 ? [] : [(place: firstRoot, depth: 0)]
        while let (place, depth) = stack.popLast() {
            let parent = parents[place] < 0 ? nil : messages[Int(members[parents[place]])].key
            rows.append(.init(key: messages[Int(members[place])].key, parent: parent, depth: depth))
            if sibling[place] >= 0 { stack.append((sibling[place], depth)) }
            if firstChild[place] >= 0 { stack.append((firstChild[place], depth + 1)) }
        }
        return rows
    }
}
