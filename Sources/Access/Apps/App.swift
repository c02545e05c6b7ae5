package import Foundation

/// A program that asked to use the hub, and what the owner said.
package struct App: Codable, Hashable, Sendable, Identifiable {
    package enum State: String, Codable, Sendable, CaseIterable {
        /// For the owner's decision.
        case waiting
        case approved
        case refused
        case revoked
        case expired
    }

    package let id: String
    /// As the app calls itself: several may have one name, and an app may take another one's.
    package let name: String
    /// A data URL.
    package let icon: String?
    package let asked: AppScopes
    /// Counts only where the state is `approved`.
    package internal(set) var granted: AppScopes
    package internal(set) var quota: Quota
    package internal(set) var expires: Date?
    /// As it was decided; ``state(at:)`` also knows the time.
    package internal(set) var state: State
    package let created: Date
    package internal(set) var decided: Date?
    /// To within a second; `nil` before the first request.
    package internal(set) var lastUsed: Date?

    package func state(at time: Date) -> State {
        if state == .approved, let expires, expires <= time { return .expired }
        return state
    }
}

/// What an app says of itself when it asks to be let in.
package struct AppRequest: Codable, Hashable, Sendable {
    package var name: String
    package var icon: String?
    package var asked: AppScopes

    package init(name: String, icon: String? = nil, asked: AppScopes) {
        self.name = name
        self.icon = icon
        self.asked = asked
    }

    static let nameLimit = 64

    func checked() throws -> AppRequest {
        guard asked != .none else {
            throw AccessFault.invalid(
                "The app asks for nothing.",
                remedy: "Name the capabilities that it needs."
            )
        }
        return AppRequest(
            name: try UntrustedText.checked(name, named: "The app's name", characters: Self.nameLimit),
            icon: try icon.map(AppIcon.checked),
            asked: try asked.checked()
        )
    }
}

/// What the owner allows an app.
package struct AppApproval: Codable, Hashable, Sendable {
    package var scopes: AppScopes
    package var quota: Quota
    /// `nil`: until it is revoked.
    package var expires: Date?

    package init(_ scopes: AppScopes, quota: Quota = .unlimited, expires: Date? = nil) {
        self.scopes = scopes
        self.quota = quota
        self.expires = expires
    }

    func checked(at time: Date) throws -> AppApproval {
        guard scopes != .none else {
            throw AccessFault.invalid(
                "Nothing is allowed by this.",
                remedy: "Refuse the app, or name capabilities."
            )
        }
        if let expires, expires <= time {
            throw AccessFault.invalid(
                "The day on which it would expire is over.",
                remedy: "Name a later one."
            )
        }
        return AppApproval(
            try scopes.checked(),
            quota: try quota.checked(),
            expires: expires?.wholeMilliseconds
        )
    }
}
