/// A conversation: its messages as they are shown, each reply below and to the right of what it answers.
public struct MailThread: Codable, Hashable, Sendable {
    public var id: ThreadID
    /// An answer follows what it answers; among the answers to one message the older comes first.
    public var rows: [Row]

    public struct Row: Codable, Hashable, Sendable {
        public var key: Int64
        /// The message that it is shown below; `nil` at the top level, which has several rows where the
        /// message that they all answer is not there.
        public var parent: Int64?
        /// Messages above it.
        public var depth: Int

        public init(key: Int64, parent: Int64?, depth: Int) {
            self.key = key
            self.parent = parent
            self.depth = depth
        }
    }

    public init(id: ThreadID, rows: [Row]) {
        self.id = id
        self.rows = rows
    }
}

/// Names a thread by what its messages say, so that the same messages have the same one on every device.
///
/// It is the Message-ID of the message that the conversation began with, as far as its oldest message knows:
/// where the beginning is missing, its id is already the thread's, and stays so when it arrives. An older
/// beginning or a merger changes it.
public struct ThreadID: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// A `#` before a Message-ID is doubled, so that no sender can write the name of a message without one.
    init(messageID: String) {
        rawValue = messageID.utf8.first == UInt8(ascii: "#") ? "#" + messageID : messageID
    }

    init(key: Int64) {
        rawValue = "#\(key)"
    }
}

/// What the arrival of messages did.
public struct ThreadChanges: Hashable, Sendable {
    /// New threads, and those that have other rows or another place of rows than before.
    public var threads: [MailThread]
    /// Threads that are no more: all their messages are in ``threads`` under another id.
    public var removed: [ThreadID]
}
