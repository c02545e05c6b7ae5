/// A service that wants a credential: what it is called, what it is for, and where it may come from.
public struct CredentialService: Sendable, Hashable {
    /// One value of a credential; most have one, a pair has two.
    public struct Part: Sendable, Hashable {
        /// As a prompt and an error say it: `access token`.
        public let name: String
        /// Looked at in this order.
        public let variables: [String]
        /// May be shown while it is typed, as a user's name may.
        public let isPublic: Bool

        public init(_ name: String, variables: [String], isPublic: Bool = false) {
            self.name = name
            self.variables = variables
            self.isPublic = isPublic
        }
    }

    /// As commands and errors take it: `huggingface`.
    public let name: String
    /// As a person says it: `Hugging Face`.
    public let title: String
    /// What the credential allows.
    public let purpose: String
    /// Where to get one; `nil` where nobody knows.
    public let page: String?
    /// At least one; the last is the secret itself.
    public let parts: [Part]

    public init(_ name: String, title: String, purpose: String, page: String?, parts: [Part]) {
        precondition(!parts.isEmpty, "a credential has a value")
        self.name = name
        self.title = title
        self.purpose = purpose
        self.page = page
        self.parts = parts
    }

    public var isPair: Bool { parts.count > 1 }

    /// The name of its file in `$CREDENTIALS_DIRECTORY`; systemd allows no colon there.
    public var credentialName: String {
        "breeze.\(name.replacing(":", with: "."))"
    }

    /// `The Kaggle key`: the subject of a sentence about a part.
    func subject(of part: Part) -> String { "The \(title) \(part.name)" }

    /// How a person gives it to Breeze, from the surest way on.
    public var remedy: String {
        let variables = parts.compactMap(\.variables.first).joined(separator: " and ")
        let page = page.map { " Get one at \($0)." } ?? ""
        return "Run breeze secrets set \(name), or set \(variables).\(page)"
    }
}
