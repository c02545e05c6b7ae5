/// Messages that share a subject.
struct SubjectTable: Sendable {
    var numbers: [String: Int32] = [:]
    /// Of each subject its messages, in order but for those that came last.
    var messages: [[Int32]] = []
    /// Whether any of them may be joined by it.
    var hasReplies: [Bool] = []
    /// Subjects that are out of order, with how many of their messages were in order before.
    var unsorted: [Int32: Int] = [:]
}

extension ThreadIndex {
    /// Takes a new message in; subjects are out of order afterwards.
    /// - Returns: Messages that had no known ancestor before.
    mutating func enter(_ message: ThreadMessage) -> [Int32] {
        let index = Int32(messages.count)
        let node = ids.number(of: message.messageID)
        var entry = Entry(
            key: message.key,
            date: message.date.map { min(max($0, 0), MailDate.latest) } ?? Self.noDate,
            node: node,
            firstAncestor: Int32(ancestors.count)
        )
        for ancestor in message.ancestors where !ancestor.isEmpty {
            let other = ids.number(of: ancestor)
            guard other != node else { continue }
            ancestors.append(other)
            ids.join(node, other)
        }
        entry.ancestorCount = Int32(ancestors.count) - entry.firstAncestor
        if message.date != nil, subjectRule.days > 0, let subject = SubjectRule.key(message.subject) {
            entry.subject = number(of: subject)
            let parents = ancestors[Int(entry.firstAncestor)...]
            entry.isOrphan = message.isReply && parents.allSatisfy { ids.owner[Int($0)] < 0 }
            if entry.isOrphan {
                subjects.hasReplies[Int(entry.subject)] = true
                for parent in parents { ids.wait(index, for: parent) }
            }
        }
        messages.append(entry)
        if entry.subject >= 0 { appendToSubject(index) }
        return claim(node, for: index)
    }

    /// Among messages of the same id the oldest stands for all.
    private mutating func claim(_ node: Int32, for index: Int32) -> [Int32] {
        let owner = ids.owner[Int(node)]
        if owner < 0 {
            ids.owner[Int(node)] = index
            let waiters = ids.takeWaiters(for: node).filter { messages[Int($0)].isOrphan }
            for waiter in waiters { messages[Int(waiter)].isOrphan = false }
            return waiters
        }
        if precedes(index, owner) {
            messages[Int(index)].nextCopy = owner
            ids.owner[Int(node)] = index
        } else {
            messages[Int(index)].nextCopy = messages[Int(owner)].nextCopy
            messages[Int(owner)].nextCopy = index
        }
        return []
    }

    /// By date; where dates are equal by what does not depend on the order of arrival.
    func precedes(_ left: Int32, _ right: Int32) -> Bool {
        let (one, other) = (messages[Int(left)], messages[Int(right)])
        if one.date != other.date { return one.date < other.date }
        if one.node != other.node {
            let (name, otherName) = (ids.names[Int(one.node)], ids.names[Int(other.node)])
            if name != otherName { return name < otherName }
        }
        return one.key < other.key
    }

    private mutating func number(of subject: String) -> Int32 {
        let number = Int32(subjects.messages.count)
        let known = subjects.numbers.number(of: subject, orNew: number)
        if known == number {
            subjects.messages.append([])
            subjects.hasReplies.append(false)
        }
        return known
    }

    private mutating func appendToSubject(_ index: Int32) {
        let subject = messages[Int(index)].subject
        let count = subjects.messages[Int(subject)].count
        if subjects.unsorted[subject] == nil, let last = subjects.messages[Int(subject)].last,
            precedes(index, last)
        {
            subjects.unsorted[subject] = count
        }
        subjects.messages[Int(subject)].append(index)
    }

    /// Brings subjects in order again: few late messages are put into their places, many are sorted.
    mutating func sortSubjects() {
        for (subject, sorted) in subjects.unsorted {
            var list = subjects.messages[Int(subject)]
            subjects.messages[Int(subject)] = []
            if list.count - sorted > 8 {
                list.sort { precedes($0, $1) }
            } else {
                let late = Array(list[sorted...])
                list.removeSubrange(sorted...)
                for index in late { list.insert(index, at: place(of: index, in: list)) }
            }
            subjects.messages[Int(subject)] = list
        }
        subjects.unsorted = [:]
    }

    /// How many messages of the list precede it.
    private func place(of index: Int32, in list: [Int32]) -> Int {
        var (low, high) = (0, list.count)
        while low < high {
            let middle = (low + high) / 2
            if precedes(list[middle], index) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The messages of the same subject before and after it, as far as the rule's days allow.
    private func subjectNeighbour(of index: Int32, by step: Int) -> Int32? {
        let entry = messages[Int(index)]
        guard entry.subject >= 0, subjects.hasReplies[Int(entry.subject)] else { return nil }
        let list = subjects.messages[Int(entry.subject)]
        guard list.count > 1 else { return nil }
        let at = place(of: index, in: list) + step
        guard list.indices.contains(at) else { return nil }
        return abs(messages[Int(list[at])].date - entry.date) <= subjectRule.seconds ? list[at] : nil
    }

    func subjectPredecessor(of index: Int32) -> Int32? { subjectNeighbour(of: index, by: -1) }

    /// The message that an orphan belongs to by its subject.
    func subjectParent(of index: Int32) -> Int32? {
        messages[Int(index)].isOrphan ? subjectPredecessor(of: index) : nil
    }

    /// The orphan that belongs to a message by its subject.
    func subjectChild(of index: Int32) -> Int32? {
        guard let next = subjectNeighbour(of: index, by: 1), messages[Int(next)].isOrphan else { return nil }
        return next
    }
}
