import BreezeMail
import BreezeTestSupport
import Testing

/// A message of a small language: `id < ancestors`, a day, and a subject with or without a mark.
private func message(
    _ key: Int64,
    _ id: String,
    after references: [String] = [],
    inReplyTo: [String] = [],
    day: Int64? = nil,
    _ subject: String = ""
) -> ThreadMessage {
    let base = BaseSubject(subject)
    return ThreadMessage(
        key: key,
        messageID: id,
        references: references,
        inReplyTo: inReplyTo,
        subject: base.text,
        isReply: base.isReply,
        date: (day ?? key) * 86_400
    )
}

/// Rows as an outline: `1 [2 [3] 4]`.
private func outline(_ thread: MailThread) -> String {
    thread.rows.map { String(repeating: ".", count: $0.depth) + String($0.key) }.joined(separator: " ")
}

private func outlines(_ messages: [ThreadMessage], rule: SubjectRule = SubjectRule()) -> [String] {
    var index = ThreadIndex(subjectRule: rule)
    return index.insert(messages).threads.map(outline).sorted()
}

@Suite struct `Threads by references` {
    @Test func `answers are shown below what they answer, the older first`() {
        let messages = [
            message(1, "a@x"), message(2, "b@x", after: ["a@x"]), message(3, "c@x", after: ["a@x", "b@x"]),
            message(4, "d@x", inReplyTo: ["a@x"]), message(5, "e@x"),
        ]
        #expect(outlines(messages) == ["1 .2 ..3 .4", "5"])
    }

    /// jwz.org/doc/threading.html, step 4: children of a message that is not there are promoted.
    @Test func `a missing message holds its answers together and is not shown`() {
        let messages = [
            message(1, "b@x", after: ["gone@x"]), message(2, "c@x", after: ["gone@x"]),
            message(3, "d@x", after: ["gone@x", "alsogone@x", "c@x", "lost@x"]),
        ]
        #expect(outlines(messages) == ["1 2 .3"])
        var index = ThreadIndex()
        #expect(index.insert(messages).threads.map(\.id.rawValue) == ["gone@x"])
        let changes = index.insert([message(0, "gone@x")])
        #expect(changes.threads.map(outline) == ["0 .1 .2 ..3"])
        #expect(changes.threads.map(\.id.rawValue) == ["gone@x"] && changes.removed.isEmpty)
    }

    @Test func `a message that names two threads joins them, and the older one's name holds`() {
        var index = ThreadIndex()
        _ = index.insert([message(1, "a@x"), message(2, "b@x")])
        let changes = index.insert([message(3, "c@x", after: ["b@x"], inReplyTo: ["a@x"])])
        #expect(changes.threads.map(outline) == ["1 .3 2"])
        #expect(changes.threads.map(\.id.rawValue) == ["a@x"])
        #expect(changes.removed.map(\.rawValue) == ["b@x"])
        #expect(index.thread(of: 2) == changes.threads.first)
        #expect(index.thread(of: 9) == nil)
    }

    @Test func `references in a circle begin with the oldest message`() {
        let messages = [
            message(3, "a@x", after: ["b@x"]), message(2, "b@x", after: ["c@x"]),
            message(4, "c@x", after: ["a@x"]), message(5, "d@x", after: ["d@x"]),
            message(6, "e@x", after: ["c@x", "e@x"]),
        ]
        #expect(outlines(messages) == ["2 .3 ..4 ...6", "5"])
    }

    @Test func `copies of one id share its place`() {
        let messages = [
            message(4, "a@x"), message(1, "a@x"), message(2, "b@x", after: ["a@x"]),
            message(3, "b@x", after: ["a@x"]),
            message(5, "c@x", after: ["b@x"]),
        ]
        #expect(outlines(messages) == ["1 .2 ..5 .3 4"])
    }

    @Test func `messages without an id stand alone and have a name that no sender can write`() {
        var index = ThreadIndex()
        let changes = index.insert([
            message(1, ""), message(2, ""), message(3, "#1"), message(4, "", after: ["#1"]),
        ])
        #expect(changes.threads.map(outline).sorted() == ["1", "2", "3 .4"])
        #expect(Set(changes.threads.map(\.id.rawValue)) == ["#1", "#2", "##1"])
    }

    @Test func `a message that is there already changes nothing`() {
        var index = ThreadIndex()
        _ = index.insert([message(1, "a@x")])
        let changes = index.insert([message(1, "b@x", after: ["c@x"])])
        #expect(changes.threads.isEmpty && changes.removed.isEmpty && index.count == 1)
    }

    @Test func `a list of ten thousand references and a chain of a hundred thousand answers are taken`()
        throws
    {
        let many = (0..<10_000).map { "\($0)@x" }
        let long = ThreadMessage(key: 1, messageID: "end@x", references: many)
        #expect(long.ancestors.count == 1_000)
        #expect(long.ancestors.first == "0@x" && long.ancestors.last == "9999@x")
        let chain = (1...100_000).map { message(Int64($0), "\($0)@y", after: $0 == 1 ? [] : ["\($0 - 1)@y"]) }
        var index = ThreadIndex()
        let thread = try #require(index.insert(chain.reversed()).threads.first)
        #expect(thread.rows.map(\.depth) == Array(0..<100_000))
        let circle = (0..<100_000).map { message(Int64($0), "\($0)@z", after: ["\(($0 + 1) % 100_000)@z"]) }
        var other = ThreadIndex()
        #expect(other.insert(circle).threads.map(\.rows.count) == [100_000])
    }
}

@Suite struct `Threads by subject` {
    @Test func `a reply without known ancestors follows the message before it that has its subject`() {
        let messages = [
            message(1, "a@x", "Invoice 41, panels"),
            message(2, "b@x", after: ["gateway@x"], "RE: Invoice 41, panels"),
            message(3, "c@x", "RE: RE: invoice 41, panels"), message(4, "d@x", after: ["c@x"], "thanks"),
        ]
        #expect(outlines(messages) == ["1 .2 .3 ..4"])
        #expect(outlines(messages, rule: .off) == ["1", "2", "3 .4"])
    }

    @Test(arguments: [
        ("Weekly digest", "Weekly digest"), ("Re: Saturday", "Saturday"),
        ("Re: (no subject)", "(no subject)"),
        ("Re:", ""), ("Re: Thank you", "Thank you"), ("Re: 12 34 56 78 90", "12 34 56 78 90"),
    ])
    func `no other message is joined by its subject`(second: String, first: String) {
        #expect(outlines([message(1, "a@x", first), message(2, "b@x", second)]) == ["1", "2"])
    }

    @Test func `the days between two messages are limited, not those of the thread`() {
        let subject = "Re: the leaking roof"
        let near = [message(1, "a@x", day: 1, subject), message(2, "b@x", day: 61, subject)]
        #expect(outlines(near + [message(3, "c@x", day: 121, subject)]) == ["1 .2 .3"])
        #expect(outlines([near[0], message(2, "b@x", day: 62, subject)]) == ["1", "2"])
    }

    @Test func `the message that a reply really answers takes it out of its subject's thread`() {
        var index = ThreadIndex()
        let subject = "The leaking roof"
        let first = index.insert([
            message(1, "a@x", subject), message(3, "c@x", after: ["b@x"], "Re: \(subject)"),
        ])
        #expect(first.threads.map(outline) == ["1 .3"])
        let changes = index.insert([message(2, "b@x", "Another roof altogether")])
        #expect(changes.threads.map(outline).sorted() == ["1", "2 .3"])
        #expect(changes.removed.isEmpty)
        let again = index.insert([message(4, "d@x", "Re: another roof altogether")])
        #expect(again.threads.map(outline) == ["2 .3 .4"])
    }

    @Test func `a new issue of a newsletter tells nothing of the older ones`() {
        var index = ThreadIndex()
        _ = index.insert([message(1, "a@x", "The weekly digest"), message(2, "b@x", "The weekly digest")])
        #expect(index.insert([message(3, "c@x", "The weekly digest")]).threads.map(outline) == ["3"])
    }
}

/// Subjects that say enough, of those below.
private let telling: Set = ["blue boat", "old house"]

/// The rules written down once more, without regard to time: groups of keys.
private func plainThreads(_ messages: [ThreadMessage], rule: SubjectRule) -> Set<Set<Int64>> {
    var label = Dictionary(uniqueKeysWithValues: messages.map { ($0.key, $0.key) })
    func join(_ one: Int64, _ other: Int64) {
        guard let old = label[one], let new = label[other], old != new else { return }
        for (key, value) in label where value == old { label[key] = new }
    }
    func names(_ message: ThreadMessage) -> Set<String> {
        Set(message.ancestors + [message.messageID]).subtracting([""])
    }
    for one in messages {
        for other in messages where !names(one).isDisjoint(with: names(other)) { join(one.key, other.key) }
    }
    let known = Set(messages.map(\.messageID))
    for reply in messages where reply.isReply {
        let ancestors = Set(reply.ancestors).subtracting([reply.messageID, ""])
        guard ancestors.isDisjoint(with: known), telling.contains(reply.subject), let date = reply.date else {
            continue
        }
        let before = messages.filter { other in
            guard let day = other.date, other.key != reply.key else { return false }
            return other.subject == reply.subject
                && (day, other.messageID, other.key) < (date, reply.messageID, reply.key)
        }
        let latest = before.max {
            ($0.date ?? 0, $0.messageID, $0.key) < ($1.date ?? 0, $1.messageID, $1.key)
        }
        if let latest, let day = latest.date, date - day <= Int64(rule.days) * 86_400 {
            join(reply.key, latest.key)
        }
    }
    return Set(Dictionary(grouping: label.keys) { label[$0] ?? 0 }.values.map(Set.init))
}

@Suite struct `Threads whatever the order of arrival` {
    private func mailbox(_ random: inout SeededGenerator) -> [ThreadMessage] {
        let count = Int.random(in: 1...30, using: &random)
        let names = (0..<Int.random(in: 2...24, using: &random)).map { "m\($0)@x" } + [""]
        let subjects = ["", "blue boat", "old house", "hello there"]
        return (0..<count).map { key in
            let references = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
                names.randomElement(using: &random)
            }
            return ThreadMessage(
                key: Int64(key),
                messageID: names.randomElement(using: &random) ?? "",
                references: references,
                inReplyTo: Bool.random(using: &random) ? [] : [names[0]],
                subject: subjects.randomElement(using: &random) ?? "",
                isReply: Bool.random(using: &random),
                date: Int.random(in: 0...9, using: &random) == 0
                    ? nil : Int64.random(in: 0...9, using: &random) * 86_400
            )
        }
    }

    @Test func `any order and any batches give the threads of all at once`() {
        var random = SeededGenerator(seed: 20_261_122)
        for _ in 0..<Soak.count(40_000) {
            let messages = mailbox(&random)
            let rule = SubjectRule(days: Int.random(in: 0...3, using: &random))
            var whole = ThreadIndex(subjectRule: rule)
            let expected = Dictionary(
                uniqueKeysWithValues: whole.insert(messages).threads.map { ($0.id, $0) }
            )
            let plain =
                rule.days == 0
                ? plainThreads(messages.map { unmarked($0) }, rule: rule) : plainThreads(messages, rule: rule)
            #expect(Set(expected.values.map { Set($0.rows.map(\.key)) }) == plain)

            var rest = messages.shuffled(using: &random)[...]
            var index = ThreadIndex(subjectRule: rule)
            var shown: [ThreadID: MailThread] = [:]
            while !rest.isEmpty {
                let batch = rest.prefix(Int.random(in: 1...8, using: &random))
                rest = rest.dropFirst(batch.count)
                let changes = index.insert(batch)
                for id in changes.removed { #expect(shown.removeValue(forKey: id) != nil) }
                for thread in changes.threads { shown[thread.id] = thread }
                #expect(Set(index.threads()) == Set(shown.values))
            }
            #expect(shown == expected)
        }
    }

    private func unmarked(_ message: ThreadMessage) -> ThreadMessage {
        var copy = message
        copy.isReply = false
        return copy
    }

    @Test func `the threads of whole conversations are the same without the others`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<Soak.count(10_000) {
            let messages = mailbox(&random)
            var whole = ThreadIndex()
            for thread in whole.insert(messages).threads where Bool.random(using: &random) {
                let keys = Set(thread.rows.map(\.key))
                var part = ThreadIndex()
                #expect(part.insert(messages.filter { keys.contains($0.key) }).threads == [thread])
            }
        }
    }
}
