/// Where an installed model was got, and under which terms it was taken.
public struct ModelOrigin: Codable, Hashable, Sendable {
    /// `huggingface`, `kaggle`, `url`, `file`.
    public var provider: String
    /// As the provider names it: `owner/name`, an address, a path.
    public var repository: String
    /// The provider's own name of this very version, such as a commit.
    public var revision: String?
    public var license: ModelLicense

    public init(provider: String, repository: String, revision: String? = nil, license: ModelLicense) {
        self.provider = provider
        self.repository = repository
        self.revision = revision
        self.license = license
    }
}

/// How files get into the store.
public enum IntakeMode: String, Sendable {
    /// Nothing that is written to the original afterwards changes the store.
    case copy
    /// One file with two names where both lie on one disk, so that it takes no space again; else a copy. A file that is
    /// written to afterwards is noticed, and refused, before its next use.
    case link
}
