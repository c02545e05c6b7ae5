/// A message's HTML as a page may show it, and what was left out of it.
public struct SafeHTML: Codable, Hashable, Sendable {
    /// What stands in a body: elements and attributes of a short list, every text and value escaped. It asks for
    /// nothing, runs nothing, and leads elsewhere only by links that a person follows.
    public var html = ""
    /// What would have been asked of the network by showing it: pictures, styles, frames, a change of page.
    public var remote = 0
    /// Characters that a reader would not have seen, by the way they were hidden.
    public var hidden: [HiddenText: Int] = [:]
    /// Pictures of the message itself that are shown, and those that are too large or no pictures.
    public var pictures = 0
    public var picturesDropped = 0
    public var scripts = 0
    /// Fields and buttons of forms.
    public var controls = 0
    /// Whether the end is missing, since it was too long.
    public var isCut = false

    public init() {}

    public var hiddenCharacters: Int { hidden.values.reduce(0, +) }
}

/// How much of a message's HTML is shown.
public struct PageLimits: Codable, Hashable, Sendable {
    /// Of the HTML that is read, and of what is made of it.
    public var htmlBytes = 4 << 20
    public var shownBytes = 12 << 20
    /// Elements within each other: those that are read, beyond which markup does not count, and those that are shown.
    public var depth = 512
    public var shownDepth = 200
    /// Of one picture, and of all together as often as they are shown.
    public var pictureBytes = 2 << 20
    public var allPictureBytes = 6 << 20

    public init() {}
}

/// A message that is shown as its sender laid it out.
public struct MailPage: Codable, Hashable, Sendable {
    /// ``MailMessage/contentID``: whether it is still the message that was asked for.
    public var contentID: String
    /// What a person reads of it.
    public var text: String
    /// `nil` where it has no HTML.
    public var html: SafeHTML?
    public var notices: [MailNotice]

    public init(contentID: String, text: String, html: SafeHTML?, notices: [MailNotice] = []) {
        (self.contentID, self.text, self.html, self.notices) = (contentID, text, html, notices)
    }
}
