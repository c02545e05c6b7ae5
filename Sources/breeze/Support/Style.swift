import Foundation

/// Colour, on a terminal whose user wants it (https://no-color.org), else plain text.
struct Style {
    static let output = Style(isTerminal: Console.isOutputTerminal)

    private let isOn: Bool

    init(isTerminal: Bool, environment: [String: String] = ProcessInfo.processInfo.environment) {
        let unwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        isOn = isTerminal && !unwanted && environment["TERM"] != "dumb"
    }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func good(_ text: String) -> String { wrap(text, "32") }
    func warning(_ text: String) -> String { wrap(text, "33") }
    func bad(_ text: String) -> String { wrap(text, "31") }
    func accent(_ text: String) -> String { wrap(text, "36") }

    private func wrap(_ text: String, _ code: String) -> String {
        isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
