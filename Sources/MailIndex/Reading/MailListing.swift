public import BreezeMail

/// A message as a list shows it, or the newest message of a thread.
public struct ListedMessage: Codable, Hashable, Sendable, Identifiable {
    /// In this index, and no other.
    public var id: Int64
    public var subject: String
    public var from: [MailAddress]
    public var date: MailDate?
    /// Of one copy.
    public var folder: String
    /// Without a copy that was read; in a list of threads whether any of its messages is.
    public var isUnread: Bool
    public var isFlagged: Bool
    public var attachments: Int
    /// The beginning of its text, on one line.
    public var preview: String
    public var thread: Int64?
    /// Messages of its thread.
    public var threadCount: Int
}

/// A page of a list.
public struct MessageList: Codable, Hashable, Sendable {
    /// Newest first; those without a date last.
    public var entries: [ListedMessage]
    /// Whether more follow.
    public var isMore: Bool
}

/// A folder and what lies in it.
public struct MailFolder: Codable, Hashable, Sendable {
    /// As ``IndexedPlace/folder`` names it; empty at the top of a mailbox.
    public var name: String
    public var messages: Int
    public var unread: Int
}

/// A place that was given to be indexed.
public struct MailSourceCount: Codable, Hashable, Sendable {
    public var path: String
    /// Copies of messages that lie in it.
    public var places: Int
}

/// A message in its thread.
public struct ThreadedMessage: Codable, Hashable, Sendable {
    public var message: ListedMessage
    /// Messages above it.
    public var depth: Int
}
