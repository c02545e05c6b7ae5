/// For whom a connection is made. Open, so that a feature can name its own.
public struct EgressClient: RawRepresentable, Codable, Hashable, Sendable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The person whose device it is, at a terminal or in the panel.
    public static let owner = Self(rawValue: "owner")
    /// What the hub does of itself, asked by nobody.
    public static let hub = Self(rawValue: "hub")

    /// A program that the hub let in, by its id: names may change, and are looked up where they are shown.
    public static func app(_ id: String) -> Self { Self(rawValue: appPrefix + id) }

    private static let appPrefix = "app:"

    /// The app's id; `nil` for whoever is no app.
    public var app: String? {
        rawValue.hasPrefix(Self.appPrefix) ? String(rawValue.dropFirst(Self.appPrefix.count)) : nil
    }

    /// For whom this task works: every ``HTTPRequest`` that is made in it says so. Child tasks and `Task { }` have
    /// it from where they are made, `Task.detached` has not; so a download that outlives who asked for it still
    /// goes by that name, also where another one joined it meanwhile.
    @TaskLocal public static var current: EgressClient?
}
