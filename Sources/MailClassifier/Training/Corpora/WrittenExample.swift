import BreezeMail
import BreezeMailSigns

/// A message of `Examples/MailTraining`: one JSON object a line.
public struct WrittenExample: Codable, Hashable, Sendable {
    public var category: MailCategory
    public var spam: Bool
    public var phishing: Bool
    public var name: String
    public var from: String
    public var subject: String
    public var text: String
    /// Whether it says how to leave its list, or a machine sent it to many.
    public var bulk: Bool

    public var facts: MailFacts {
        MailFacts(subject: subject, text: text, sender: MailAddress(name: name, address: from), list: nil)
    }
}
