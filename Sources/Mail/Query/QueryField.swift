/// A condition on a message that is no word in its texts. Values, for the search to look up as it likes.
public enum QueryField: Hashable, Sendable {
    /// Seconds since 1970.
    case date(QueryRange)
    /// Bytes.
    case size(QueryRange)
    case has(QueryPossession)
    case flag(QueryFlag)
    /// A keyword that a person or a program gave the message, in lower case.
    case tag(String)
    case folder(QueryFolder)
    case list(QueryList)
    /// In lower case.
    case category(String)
    /// A ``ThreadID``, or the Message-ID of any of the thread's messages.
    case thread(String)
    /// Without brackets.
    case messageID(String)
    case type(QueryType)
}

/// Both ends belong to it; without an end it goes on. The lower end is never above the upper one.
public struct QueryRange: Codable, Hashable, Sendable {
    public var lower: Int64?
    public var upper: Int64?

    public init(_ lower: Int64?, _ upper: Int64?) {
        self.lower = lower
        self.upper = upper
    }

    public func contains(_ value: Int64) -> Bool {
        (lower.map { $0 <= value } ?? true) && (upper.map { value <= $0 } ?? true)
    }
}

/// What a message may hold.
public enum QueryPossession: String, Codable, Hashable, Sendable, CaseIterable {
    case attachment
    case link
    /// A List-Id: the message came through a mailing list.
    case list
}

/// States of a message in its mailbox.
public enum QueryFlag: String, Codable, Hashable, Sendable, CaseIterable {
    /// Not ``read``.
    case unread
    case read
    case flagged
    case replied
    /// Forwarded.
    case passed
    case draft
    /// Marked for deletion.
    case trashed
    /// No mail program has shown it yet: it lies in the Maildir's `new`.
    case new
}

/// A folder by the names on its path, without regard to case.
public struct QueryFolder: Codable, Hashable, Sendable {
    /// From the top; empty for the inbox.
    public var path: [String]
    /// Whether the path begins at the top of the mailbox; else it is the end of one.
    public var isWhole: Bool
    /// Whether the folders below belong to it.
    public var isDeep: Bool

    public init(_ path: [String], isWhole: Bool = false, isDeep: Bool = false) {
        self.path = path
        self.isWhole = isWhole
        self.isDeep = isDeep
    }

    /// Whether the folder at `path` is meant; the inbox's path is empty or `INBOX`.
    public func matches(_ path: [String]) -> Bool {
        let (wanted, found) = (Self.folded(self.path), Self.folded(path))
        if isDeep {
            if isWhole { return found.starts(with: wanted) }
            return wanted.isEmpty || found.indices.contains { found[$0...].starts(with: wanted) }
        }
        return isWhole || wanted.isEmpty ? found == wanted : found.suffix(wanted.count) == wanted[...]
    }

    private static func folded(_ path: [String]) -> [String] {
        let folded = path.map { $0.lowercased() }
        return folded.first == "inbox" ? Array(folded.dropFirst()) : folded
    }
}

/// A mailing list by a part of its List-Id.
public struct QueryList: Codable, Hashable, Sendable {
    /// In lower case.
    public var name: String

    public init(_ name: String) {
        self.name = name.lowercased()
    }

    /// Whether `name` is the identifier or whole labels of it: `lists.example.org`, `boats` for
    /// `boats.lists.example.org`.
    public func matches(_ identifier: String) -> Bool {
        let (wanted, labels) = (Self.labels(name), Self.labels(identifier.lowercased()))
        guard !wanted.isEmpty, wanted.count <= labels.count else { return false }
        return (0...labels.count - wanted.count).contains { labels[$0...].starts(with: wanted) }
    }

    private static func labels(_ text: String) -> [Substring] {
        text.split { ".@-_<> ".contains($0) }
    }
}

/// The content type of a part.
public struct QueryType: Codable, Hashable, Sendable {
    /// In lower case: `application/pdf`, `image/*`, or one half, `pdf`, `image`.
    public var pattern: String

    public init(_ pattern: String) {
        self.pattern = pattern.lowercased()
    }

    /// `type` is a part's, in lower case.
    public func matches(_ type: String) -> Bool {
        if pattern.hasSuffix("/*") { return type.hasPrefix(pattern.dropLast()) }
        return type == pattern || type.split(separator: "/", maxSplits: 1).contains { $0 == pattern }
    }
}
