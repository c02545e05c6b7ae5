public import BreezeCore

/// A guardian by rules: phrases of prompt injection in seven languages, and personal data that a checksum or a
/// structure proves. It understands nothing, costs next to nothing, and says what it found where.
///
/// A text is read once, whatever is in it: every scalar is folded to what it is read as (``Folding``) and given
/// to matchers of constant work each.
///
/// **Risks.** A finding's risk is a judgement, not a frequency. Of an injection phrase it says how seldom
/// somebody would write it who means no harm: 0.9 for "ignore all previous instructions", 0.5 for words that
/// manuals use too. Families of attacks add up as independent reasons do, 1 − ∏(1 − risk), each family counting
/// once, and what results is held against the strictness. Of personal data it says what its loss would cost:
/// 0.95 for a key, 0.75…0.9 for the number of an account, a card or a person, 0.4 for an address or telephone
/// number, 0.3 for a network address. Personal data warns and never blocks: where it may go is not the
/// guardian's to say.
public struct GuardianRules: Sendable {
    /// How much it takes. An action is taken from its risk on.
    ///
    /// | | block | warn |
    /// |---|---|---|
    /// | low | 0.9 | 0.5 |
    /// | medium | 0.75 | 0.3 |
    /// | high | 0.5 | 0.1 |
    public enum Strictness: String, CaseIterable, Sendable {
        case low, medium, high

        var blocksFrom: Double {
            switch self {
            case .low: 0.9
            case .medium: 0.75
            case .high: 0.5
            }
        }

        var warnsFrom: Double {
            switch self {
            case .low: 0.5
            case .medium: 0.3
            case .high: 0.1
            }
        }
    }

    /// The names that findings bear.
    public enum Category {
        public static let promptInjection = "prompt-injection"
        /// Stands for all that begin with it.
        public static let personalData = "personal-data"
        public static let paymentCard = "personal-data.payment-card"
        public static let iban = "personal-data.iban"
        public static let usSSN = "personal-data.us-ssn"
        public static let germanTaxID = "personal-data.german-tax-id"
        public static let ukNINO = "personal-data.uk-nino"
        public static let spanishDNI = "personal-data.spanish-dni"
        public static let frenchNIR = "personal-data.french-nir"
        public static let italianFiscalCode = "personal-data.italian-fiscal-code"
        public static let emailAddress = "personal-data.email-address"
        public static let phoneNumber = "personal-data.phone-number"
        public static let ipAddress = "personal-data.ip-address"
        /// Keys, tokens, private keys.
        public static let secret = "personal-data.secret"

        public static let all = [
            promptInjection, personalData, paymentCard, iban, usSSN, germanTaxID, ukNINO, spanishDNI,
            frenchNIR,
            italianFiscalCode, emailAddress, phoneNumber, ipAddress, secret,
        ]
    }

    public struct Options: Hashable, Sendable {
        public var strictness: Strictness
        /// Of ``Category/all``; a category takes in those below it.
        public var categories: [String]

        public init(
            strictness: Strictness = .medium,
            categories: [String] = [Category.promptInjection, Category.personalData]
        ) {
            self.strictness = strictness
            self.categories = categories
        }

        func wants(_ category: String) -> Bool {
            let finding = GuardianVerdict.Finding(category: category, risk: 0)
            return categories.contains { finding.isWithin($0) }
        }
    }

    let folding: Folding
    let phrases: PhraseTable

    /// Compiles the tables, which takes milliseconds: make one and keep it.
    public init() {
        folding = Folding()
        phrases = PhraseTable(rules: PhraseRule.all, lists: PhraseList.all, folding: folding)
    }

    /// Bytes that the tables take.
    public var byteCount: Int { folding.byteCount + phrases.byteCount }

    /// What is in `text`, in the order of its end, with spans in UTF-8 bytes.
    public func findings(in text: String, options: Options = Options()) -> [GuardianVerdict.Finding] {
        var scanner = Scanner(self, options: options)
        return scanner.read(text) + scanner.end()
    }

    public func verdict(on text: String, options: Options = Options()) -> GuardianVerdict {
        var scanner = Scanner(self, options: options)
        _ = scanner.read(text)
        return scanner.finish()
    }
}
