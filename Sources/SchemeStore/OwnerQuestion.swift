#if Hub
package import BreezeCore
package import BreezeScheme

/// What the owner is asked. Whatever shows it shows all of it.
package enum OwnerQuestion: Codable, Hashable, Sendable {
    case run(RunQuestion)
    case pair(PairQuestion)
}

/// What the owner says. No answer is a refusal.
package enum OwnerAnswer: String, Codable, Sendable, CaseIterable {
    case refuse
    /// To ``OwnerQuestion/run(_:)``: this request, and no other.
    case allowOnce = "allow_once"
    /// To ``OwnerQuestion/run(_:)``: this request, and the app may ask to be paired.
    case allowAndPair = "allow_and_pair"
    /// To ``OwnerQuestion/pair(_:)``: both show the same code.
    case pair
}

/// Whether a request may run that anybody may have sent.
package struct RunQuestion: Codable, Hashable, Sendable {
    package static let warning = "Unverified: any app or web page may have sent this."
    static let shownCharacters = 280

    package let capability: AICapability
    /// The first 280 characters of all its texts; `U+FFFD` stands for what cannot be seen.
    package let prompt: String
    /// How many more there are.
    package let hiddenCharacters: Int
    /// Their sizes in bytes.
    package let attachments: [Int]
    /// That it is a paired app's changes nothing.
    package let callback: String

    package init(_ plain: PlainRequest) {
        let request = plain.request
        let turns = (request.messages ?? []).map { "\($0.role.rawValue): \($0.content)" }
        let texts = [request.prompt].compactMap(\.self) + turns + (request.inputs ?? [])
        let scalars = texts.joined(separator: "\n").unicodeScalars
        let images = (request.messages ?? []).flatMap { $0.images ?? [] }
        capability = request.capability
        prompt = ShownText.cleaned(scalars.prefix(Self.shownCharacters))
        hiddenCharacters = max(0, scalars.count - Self.shownCharacters)
        attachments = ([request.imageData, request.audioData].compactMap(\.self) + images).map(\.count)
        callback = plain.callback.name
    }
}

/// Whether an app may be paired, which shows a code, too.
package struct PairQuestion: Codable, Hashable, Sendable {
    /// As the app calls itself, which any app may.
    package let name: String
    package let callback: String
    /// By capability, as it was spelled.
    package let asked: [String: SchemeReach]
    /// `647 516`
    package let code: String
    /// The names of the apps with this callback whose place it would take.
    package let replaced: [String]

    package init(_ revealed: SchemeStore.Revealed) {
        name = revealed.question.hello.name
        callback = revealed.question.hello.callback.name
        asked = revealed.question.hello.asked
        code = revealed.question.code
        replaced = revealed.replaced.map(\.name)
    }
}

/// A stranger's text among our own words, on a terminal or a page.
enum ShownText {
    static func cleaned(_ text: some Sequence<Unicode.Scalar>) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text { shown.append(isSeen(scalar) ? scalar : "\u{FFFD}") }
        return String(shown)
    }

    private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control: scalar == "\n" || scalar == "\t"
        case .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
        default: true
        }
    }
}
#endif
