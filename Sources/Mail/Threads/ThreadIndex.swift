/// Finds conversations by Jamie Zawinski's rules (jwz.org/doc/threading.html): messages that name each other
/// in References or In-Reply-To belong together, and so do those that name the same message, be it there or
/// not; replies without any known ancestor fall back to their subject (``SubjectRule``).
///
/// The threads depend on the set of messages alone: however they arrive, one by one or all at once, in any
/// order, the result is the same. Therefore the threads of whole conversations are the same beside other
/// conversations and without them, and a caller may thread again what it has read back of a few.
///
/// An arrival joins threads, names a thread anew, or takes a reply out of the thread that its subject had led
/// it to, when a message that it really answers comes. Work is linear in the changed threads and in the
/// references. Copies of a message share its place. What references lead in a circle begins with its oldest
/// message.
public struct ThreadIndex: Sendable {
    public let subjectRule: SubjectRule
    var messages: [Entry] = []
    var ids = ThreadNodes()
    /// The ancestors of all messages, one after the other.
    var ancestors: [Int32] = []
    var subjects = SubjectTable()
    private var keys: [Int64: Int32] = [:]
    /// Threads as they were last told of; ``Entry/thread`` points into it.
    private var told: [(id: ThreadID, count: Int)] = []
    private var freeThreads: [Int32] = []

    struct Entry: Sendable {
        var key: Int64
        /// ``noDate`` where there is none.
        var date: Int64
        var node: Int32
        /// Its part of ``ThreadIndex/ancestors``.
        var firstAncestor: Int32
        var ancestorCount: Int32 = 0
        /// -1 where it may not be joined by its subject.
        var subject: Int32 = -1
        /// The next message with the same Message-ID; -1 at the end.
        var nextCopy: Int32 = -1
        var thread: Int32 = -1
        /// Whether it has a reply mark, a subject, and no known ancestor.
        var isOrphan = false
    }

    /// Sorts behind all dates.
    static let noDate = Int64.max

    public init(subjectRule: SubjectRule = SubjectRule()) {
        self.subjectRule = subjectRule
    }

    public var count: Int { messages.count }

    /// Adds messages; one whose key is there already changes nothing. Into an empty index,
    /// ``ThreadChanges/threads`` are those of the whole mailbox.
    public mutating func insert(_ arriving: some Sequence<ThreadMessage>) -> ThreadChanges {
        var changed: [Int32] = []
        if arriving.underestimatedCount > messages.count {
            keys.reserveCapacity(messages.count + arriving.underestimatedCount)
            ids.reserve(arriving.underestimatedCount)
        }
        for message in arriving {
            if let known = keys.updateValue(Int32(messages.count), forKey: message.key) {
                keys[message.key] = known
                continue
            }
            changed.append(Int32(messages.count))
            changed += enter(message)
        }
        sortSubjects()
        return tell(changed)
    }

    /// All threads, in no particular order.
    public func threads() -> [MailThread] {
        var walk = ThreadWalk(count: messages.count)
        var found: [MailThread] = []
        for index in messages.indices where !walk.isSeen(Int32(index)) {
            gather(Int32(index), &walk)
            found.append(thread(walk))
        }
        return found
    }

    /// The thread of one message; `nil` where it is not known.
    public func thread(of key: Int64) -> MailThread? {
        guard let index = keys[key] else { return nil }
        var walk = ThreadWalk()
        gather(index, &walk)
        return thread(walk)
    }

    /// `changed` are new messages, and those that are no orphans any more.
    private mutating func tell(_ changed: [Int32]) -> ThreadChanges {
        var walk = changed.count < messages.count / 8 ? ThreadWalk() : ThreadWalk(count: messages.count)
        var changes = ThreadChanges(threads: [], removed: [])
        var before: Set<Int32> = []
        for index in changed where !walk.isSeen(index) {
            gather(index, &walk)
            retell(walk, &changes, &before)
        }
        // Who was parted from a neighbour of the same subject has a thread of its own now.
        for index in changed {
            guard let left = subjectPredecessor(of: index), !walk.isSeen(left) else { continue }
            gather(left, &walk)
            let old = messages[Int(left)].thread
            if walk.members.count == told[Int(old)].count { continue }
            retell(walk, &changes, &before)
        }
        if before.isEmpty { return changes }
        let after = Set(changes.threads.map(\.id))
        changes.removed = before.map { told[Int($0)].id }.filter { !after.contains($0) }
            .sorted { $0.rawValue < $1.rawValue }
        freeThreads += before
        return changes
    }

    private mutating func retell(
        _ walk: ThreadWalk,
        _ changes: inout ThreadChanges,
        _ before: inout Set<Int32>
    ) {
        let thread = thread(walk)
        let number = freeThreads.popLast() ?? Int32(told.count)
        for member in walk.members {
            let old = messages[Int(member)].thread
            if old >= 0 { before.insert(old) }
            messages[Int(member)].thread = number
        }
        if number == told.count {
            told.append((thread.id, walk.members.count))
        } else {
            told[Int(number)] = (thread.id, walk.members.count)
        }
        changes.threads.append(thread)
    }
}
