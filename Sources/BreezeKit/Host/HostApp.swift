import Foundation

/// What the app that uses this says of itself to the system, and what it asks of it.
public struct HostApp: Sendable {
    /// Breeze's own scheme.
    static let hubScheme = "breezeapp"

    /// A line that is missing in Info.plist.
    public struct Problem: Hashable, Sendable {
        /// A sentence.
        public let reason: String
        /// The lines to add.
        public let remedy: String
    }

    /// In lower case; `nil` where nothing can be known of it.
    private let callbackSchemes: Set<String>?
    /// `nil` where the system lets an app look for any scheme.
    private let queriedSchemes: Set<String>?
    /// Whether an app is there that opens the hub's scheme; `nil` where the system does not tell.
    let canOpenHub: (@Sendable () async -> Bool)?
    let background: (any BackgroundTime)?

    /// Nothing is known of the app, and nothing checked.
    public static let unknown = HostApp(info: nil)

    /// `info` is the app's Info.plist. `asksForSchemes` says that the system keeps an app from looking for
    /// schemes that it does not list, as iOS does.
    public init(
        info: [String: Any]?,
        asksForSchemes: Bool = false,
        canOpenHub: (@Sendable () async -> Bool)? = nil,
        background: (any BackgroundTime)? = nil
    ) {
        callbackSchemes = info.map(Self.registered)
        queriedSchemes =
            asksForSchemes
            ? Set((info?["LSApplicationQueriesSchemes"] as? [String] ?? []).map { $0.lowercased() }) : nil
        self.canOpenHub = canOpenHub
        self.background = background
    }

    private static func registered(_ info: [String: Any]) -> Set<String> {
        let types = info["CFBundleURLTypes"] as? [[String: Any]] ?? []
        return Set(types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }.map { $0.lowercased() })
    }

    /// `callback` is the scheme that the app configured: `mycoolapp`, or `mycoolapp://`.
    func callbackProblem(_ callback: String?) -> Problem? {
        guard let callback, let callbackSchemes else { return nil }
        let scheme = Self.name(callback)
        guard !callbackSchemes.contains(scheme) else { return nil }
        return Problem(
            reason: "The app's Info.plist does not register the callback scheme \(scheme).",
            remedy: """
                Add to Info.plist:
                <key>CFBundleURLTypes</key>
                <array>
                    <dict>
                        <key>CFBundleURLSchemes</key>
                        <array><string>\(scheme)</string></array>
                    </dict>
                </array>
                """
        )
    }

    var queryProblem: Problem? {
        guard let queriedSchemes, !queriedSchemes.contains(Self.hubScheme) else { return nil }
        return Problem(
            reason:
                "The app's Info.plist does not list the scheme \(Self.hubScheme): it cannot see the hub.",
            remedy: """
                Add to Info.plist:
                <key>LSApplicationQueriesSchemes</key>
                <array><string>\(Self.hubScheme)</string></array>
                """
        )
    }

    private static func name(_ callback: String) -> String {
        let name = callback.lowercased()
        return name.hasSuffix("://") ? String(name.dropLast(3)) : name
    }
}

/// Time that the system gives an app that left the front.
public protocol BackgroundTime: Sendable {
    /// Asks for time. `onExpiry` is called at most once, when the system takes it back.
    /// - Returns: Gives the time back; called once, also after `onExpiry`.
    func begin(onExpiry: @escaping @Sendable () -> Void) async -> @Sendable () -> Void
}
