/// What an HTML part holds besides the text that it shows.
public struct HTMLFindings: Codable, Hashable, Sendable {
    /// In the order of the page; a link without text is listed too.
    public var links: [HTMLLink] = []
    /// Characters that a reader cannot see, by the way they are hidden. Space and invisible padding do not count.
    public var hidden: [HiddenText: Int] = [:]
    /// The beginning of the hidden text, for showing it as evidence; at most 2,000 characters.
    public var hiddenSample = ""
    /// Images fetched from the network that nobody can see.
    public var trackingPixels = 0
    public var remoteImages = 0
    public var forms = 0
    public var scripts = 0

    public init() {}

    public var hiddenCharacters: Int { hidden.values.reduce(0, +) }

    mutating func add(_ other: HTMLFindings) {
        links += other.links
        hidden.merge(other.hidden, uniquingKeysWith: +)
        hiddenSample += other.hiddenSample
        trackingPixels += other.trackingPixels
        remoteImages += other.remoteImages
        forms += other.forms
        scripts += other.scripts
    }
}

/// A link and the words a reader clicks.
public struct HTMLLink: Codable, Hashable, Sendable {
    /// On one line, at most 1,000 characters; an image's alternative text counts as text.
    public var text: String
    /// As written in `href`, at most 10,000 characters.
    public var target: String
    /// Whether a reader cannot see it.
    public var isHidden: Bool

    public init(text: String, target: String, isHidden: Bool = false) {
        self.text = text
        self.target = target
        self.isHidden = isHidden
    }
}

/// A way to hide text.
public enum HiddenText: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
    /// `display: none`, or `mso-hide: all`.
    case display
    /// `visibility: hidden`, or fully transparent.
    case visibility
    /// Font size 0.
    case zeroFont
    /// Font size below 4 pixels.
    case tinyFont
    /// Written in the colour of its background.
    case sameColour
    /// Outside of the page, or in a box without extent.
    case offScreen
    case ariaHidden
    /// The attribute `hidden`.
    case attribute
}
