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
    /// What it was judged to be; `nil` until it was judged.
    public var category: String?
    /// `spam` or `phishing`; `nil` where there is nothing to warn of.
    public var warning: String?
}

/// What a list is made of.
public struct ListingFilter: Hashable, Sendable {
    /// As ``IndexedPlace/folder`` names it.
    public var folder: String?
    /// Of threads, that of the newest message.
    public var category: String?
    public var warning: Warning?

    public enum Warning: String, CaseIterable, Hashable, Sendable {
        case spam, phishing, any
    }

    public init(folder: String? = nil, category: String? = nil, warning: Warning? = nil) {
        self.folder = folder
        self.category = category
        self.warning = warning
    }
}

/// How many threads belong to a category, each by its newest message.
public struct CategoryCount: Codable, Hashable, Sendable {
    public var category: String
    public var messages: Int
    /// Of these, the ones with a message that was not read.
    public var unread: Int

    package init(category: String, messages: Int, unread: Int) {
        (self.category, self.messages, self.unread) = (category, messages, unread)
    }
}

/// How many messages are warned of.
public struct WarningCount: Codable, Hashable, Sendable {
    public var spam: Int
    public var phishing: Int

    package init(spam: Int, phishing: Int) {
        (self.spam, self.phishing) = (spam, phishing)
    }
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
