/// The terms of a model, as its publisher states them; what is not stated is `unknown`.
public struct ModelLicense: Codable, Hashable, Sendable {
    public enum Permission: String, Codable, Sendable {
        case allowed
        case forbidden
        /// Allowed to those who keep what ``ModelLicense/url`` says.
        case conditions
        case unknown
    }

    public enum Status: String, Codable, Sendable {
        case approved
        case needsReview = "needs review"
        /// Not for recommending: something that most people want to do is forbidden.
        case forbidden
    }

    /// An SPDX identifier, or the publisher's own name; `nil` where none is stated.
    public var name: String?
    /// Where its text stands.
    public var url: String?
    public var commercialUse: Permission
    public var redistribution: Permission
    public var status: Status
    /// What those who pass the model on, or show its answers, have to say.
    public var attribution: String?

    public init(
        name: String?,
        url: String? = nil,
        commercialUse: Permission,
        redistribution: Permission,
        status: Status,
        attribution: String? = nil
    ) {
        self.name = name
        self.url = url
        self.commercialUse = commercialUse
        self.redistribution = redistribution
        self.status = status
        self.attribution = attribution
    }
}

extension ModelLicense {
    /// The terms of a licence that is stated by name alone. Of one that is not known here nothing is said.
    public init(named name: String?) {
        let known = name.flatMap { Self.known[$0.lowercased()] } ?? (.unknown, .unknown, .needsReview)
        self.init(name: name, commercialUse: known.0, redistribution: known.1, status: known.2)
    }

    /// The SPDX identifier of a licence that a publisher names in another way, where it can be told; else the name.
    public static func canonical(_ name: String) -> String { LicenseReader.canonical(name) }

    /// What the text of a licence file is; `nil` where it cannot be told.
    public static func identify(_ text: String) -> String? { LicenseReader.identify(text) }

    private typealias Terms = (commercialUse: Permission, redistribution: Permission, status: Status)

    /// By SPDX identifier in lower case, after the licences' texts: open ones ask for no more than a notice; share-alike
    /// ones bind what is passed on.
    private static let known: [String: Terms] = {
        var terms: [String: Terms] = [:]
        for name in [
            "apache-2.0", "mit", "bsd-2-clause", "bsd-3-clause", "cc0-1.0", "cc-by-4.0", "isc", "unlicense",
            "zlib",
        ] {
            terms[name] = (.allowed, .allowed, .approved)
        }
        for name in ["cc-by-sa-4.0", "gpl-3.0", "agpl-3.0", "lgpl-3.0", "mpl-2.0"] {
            terms[name] = (.allowed, .conditions, .needsReview)
        }
        for name in ["cc-by-nc-4.0", "cc-by-nc-sa-4.0"] {
            terms[name] = (.forbidden, .conditions, .forbidden)
        }
        terms["cc-by-nc-nd-4.0"] = (.forbidden, .conditions, .forbidden)
        return terms
    }()
}
