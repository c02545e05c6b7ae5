import BreezeMailSigns

/// What a sign adds to the logarithm of the odds of spam and of phishing.
///
/// From how often each was found in recent phish against wanted mail of all kinds (real inboxes, lists, newsletters,
/// and the SpamAssassin corpus): the logarithm of the quotient, lowered since signs come together, and 3.5 at most. What
/// is more frequent in wanted bulk mail than in fraud counts only where the sender's authentication failed.
struct SignWeights {
    var spam: Double
    var phishing: Double

    private static let strong: [MailSign.Kind: SignWeights] = [
        .dmarcFail: SignWeights(spam: 0.5, phishing: 1.5),
        .spfFail: SignWeights(spam: 0.5, phishing: 1.2),
        .dkimFail: SignWeights(spam: 0.3, phishing: 1.2),
        .shortener: SignWeights(spam: 0.8, phishing: 1.5),
        .brandInName: SignWeights(spam: 0.3, phishing: 3),
        .displayNameIsAddress: SignWeights(spam: 0.3, phishing: 2.5),
        .bidiTrick: SignWeights(spam: 1, phishing: 2),
        .brandInHost: SignWeights(spam: 0.3, phishing: 2.5),
        .homograph: SignWeights(spam: 0.3, phishing: 3.5),
        .abusedEnding: SignWeights(spam: 1.5, phishing: 1.5),
        .numericHost: SignWeights(spam: 1.5, phishing: 1.5),
        .userInURL: SignWeights(spam: 1, phishing: 2),
        .dataOrJavaScriptLink: SignWeights(spam: 0.3, phishing: 2.5),
        .executableAttachment: SignWeights(spam: 0.5, phishing: 2.5),
        .doubleExtension: SignWeights(spam: 0.5, phishing: 3),
        .htmlAttachment: SignWeights(spam: 0.3, phishing: 1.5),
        .passwordArchive: SignWeights(spam: 0.3, phishing: 1.5),
        .hiddenText: SignWeights(spam: 1, phishing: 0.7),
        .fromSelf: SignWeights(spam: 0.7, phishing: 0.5),
        .knownPhishing: SignWeights(spam: 1, phishing: 5),
        .instructions: SignWeights(spam: 0.5, phishing: 1.5),
    ]

    /// `hasFailed` is whether the sender's authentication did.
    init(_ sign: MailSign, hasFailed: Bool) {
        let full = Self.strong[sign.kind] ?? SignWeights(spam: 0.4, phishing: 0.8)
        switch sign.strength {
        case .strong: self = full
        case .weak: self.init(spam: full.spam / 3, phishing: min(full.phishing / 3, 0.8))
        case .context: self.init(spam: hasFailed ? 0.2 : 0, phishing: hasFailed ? 0.6 : 0)
        }
    }

    private init(spam: Double, phishing: Double) {
        self.spam = spam
        self.phishing = phishing
    }
}

extension MailSign.Kind {
    /// Checks of who sent a message that it did not pass.
    static let failedAuthentication: [Self] = [.dmarcFail, .spfFail, .dkimFail]
}
