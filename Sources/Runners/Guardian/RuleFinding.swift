/// A finding with what the verdict needs to know of it besides.
struct RuleFinding: Sendable {
    let rule: String
    let category: String
    let risk: Double
    let span: Range<Int>
    /// `nil` for personal data: it never adds up to an attack.
    var family: PhraseRule.Family?
}
