public import BreezeCore
public import BreezeModels

/// What a download would bring, shown before its first byte.
public struct PullPlan: Codable, Hashable, Sendable {
    /// The id under which the model is installed.
    public var id: String
    public var package: ModelPackage
    /// The entry of the catalog that it comes from.
    public var entry: CatalogEntry?
    /// It takes the place of the model that is installed under its id.
    public var replaces = false

    public var license: ModelLicense { entry?.terms ?? package.license }

    /// For the record.
    public var source: String {
        let reference = package.offer.reference
        let revision = package.revision.map { "@\($0)" } ?? ""
        return reference.provider == "url"
            ? reference.repository : "\(reference.provider):\(reference.repository)\(revision)"
    }

    /// A folder of its own for each revision, so that two are never mixed.
    var folder: String {
        FileChoice.id(
            ([id, package.revision.map { String($0.prefix(12)) }].compactMap(\.self)).joined(separator: "-")
        )
    }

    var origin: ModelOrigin {
        ModelOrigin(
            provider: package.offer.reference.provider,
            repository: package.offer.reference.repository,
            revision: package.revision,
            license: license
        )
    }
}

/// What the user said to the terms of a model.
public struct TermsAcceptance: Hashable, Sendable {
    /// Source, size and licence were shown, and the answer was yes.
    public var terms: Bool
    /// That commercial use is forbidden was shown, too.
    public var noncommercial: Bool

    public init(terms: Bool, noncommercial: Bool = false) {
        self.terms = terms
        self.noncommercial = noncommercial
    }

    /// - Throws: ``BreezeError`` `.termsNotAccepted` naming what is missing.
    public func check(_ plan: PullPlan) throws {
        guard terms else {
            throw BreezeError(
                .termsNotAccepted,
                "\(plan.id) was not downloaded: its terms were not accepted.",
                remedy: "Everything goes on without it. To accept them, run the command again with --yes."
            )
        }
        guard plan.license.commercialUse != .forbidden || noncommercial else {
            throw BreezeError(
                .termsNotAccepted,
                "The licence of \(plan.id) (\(plan.license.name ?? "not named")) forbids commercial use.",
                remedy: "If your use is none, run the command again with --yes --non-commercial."
            )
        }
    }
}

extension BreezeError.Code {
    /// The user did not accept a model's terms: a normal outcome, and nothing was fetched.
    public static let termsNotAccepted = Self(rawValue: "terms_not_accepted")
}
