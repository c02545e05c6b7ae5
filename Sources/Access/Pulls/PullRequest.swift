package import Foundation

/// What a download of a model would bring, as the owner is shown it.
package struct PullTerms: Codable, Hashable, Sendable {
    package var model: String
    /// With the revision, so that acceptance of one is none of another.
    package var source: String
    package var bytes: Int64
    package var license: String?
    package var licenseURL: String?
    package var forbidsCommercialUse: Bool

    package init(
        model: String,
        source: String,
        bytes: Int64,
        license: String? = nil,
        licenseURL: String? = nil,
        forbidsCommercialUse: Bool = false
    ) {
        self.model = model
        self.source = source
        self.bytes = bytes
        self.license = license
        self.licenseURL = licenseURL
        self.forbidsCommercialUse = forbidsCommercialUse
    }

    func checked() throws -> PullTerms {
        guard bytes >= 0 else { throw AccessFault.invalid("The size of a model is not below 0.") }
        var terms = self
        terms.model = try UntrustedText.checked(model, named: "The model's name", characters: 300)
        terms.source = try UntrustedText.checked(source, named: "The model's source", characters: 1000)
        terms.license = try license.map {
            try UntrustedText.checked($0, named: "The licence's name", characters: 300)
        }
        terms.licenseURL = try licenseURL.map {
            try UntrustedText.checked($0, named: "The licence's address", characters: 1000)
        }
        return terms
    }
}

/// A model that somebody wants here, and what the owner said to its terms.
package struct PullRequest: Codable, Hashable, Sendable, Identifiable {
    package enum State: String, Codable, Sendable {
        case waiting
        case accepted
        case refused
    }

    package let id: String
    package let terms: PullTerms
    /// The app that asked first; `nil` is the owner.
    package let app: String?
    package let created: Date
    package internal(set) var state: State
    package internal(set) var decided: Date?
}
