import BreezeMailSigns

/// What the kind of sender adds to the logarithm of each category's odds.
///
/// A mailing list's mail is a forum's, whatever it speaks of, and a social network's is social. Of other bulk mail the
/// text says whether it wants to sell something. The weights for bulk and personal mail found most of the written
/// examples' categories over five folds, with and without the way out of their lists.
enum CategoryRules {
    static func weights(_ kind: BulkSigns.Kind) -> [MailCategory: Double] {
        switch kind {
        case .list: [.forums: 4, .primary: -1]
        case .social: [.social: 5, .primary: -1]
        case .bulk: [.promotions: 0.5, .primary: -2.5]
        case .automatic: [.updates: 1.5, .primary: -2]
        default: [:]
        }
    }

    /// Where nothing says that a message went to many.
    static let personal: [MailCategory: Double] = [.primary: 1]
}
