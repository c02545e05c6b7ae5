import Foundation

/// The name of one file of a model that was cut into several: `model-00002-of-00005.gguf`. llama.cpp and
/// Hugging Face count the same way, from 1.
struct PieceName {
    /// What all pieces share: `model-of-00005.gguf`.
    let set: String
    let number: Int
    let count: Int
    private let stem: String
    private let suffix: String

    private static let largestCount = 10_000

    /// - Returns: `nil` for a name of another form.
    init?(_ name: String) {
        let pattern = /(.*)-(\d{5})-of-(\d{5})(\.[A-Za-z0-9]+)/
        guard let match = name.wholeMatch(of: pattern), let number = Int(match.2), let count = Int(match.3),
            (1...Self.largestCount).contains(count), (1...count).contains(number)
        else { return nil }
        (stem, suffix) = (String(match.1), String(match.4))
        self.number = number
        self.count = count
        set = "\(stem)-of-\(count)\(suffix)"
    }

    func name(of number: Int) -> String {
        "\(stem)-\(Self.digits(number))-of-\(Self.digits(count))\(suffix)"
    }

    var all: [String] { (1...count).map(name(of:)) }

    private static func digits(_ number: Int) -> String { String(format: "%05d", number) }
}
