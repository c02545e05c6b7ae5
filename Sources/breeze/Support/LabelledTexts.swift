import BreezeCore
import Foundation

/// Texts with the category that each belongs to, from a file: lines `LABEL<TAB>TEXT`, or JSON, either
/// `{"label": ["text", …]}` or `[{"label": …, "text": …}]`.
struct LabelledTexts {
    struct Item: Decodable {
        let label: String
        let text: String
    }

    let items: [Item]

    init(file: String) throws {
        let data = try TextFile.contents(of: file)
        let text = try TextFile.text(data, from: file)
        let items =
            switch text.first(where: { !$0.isWhitespace }) {
            case "{"?:
                try RequestJSON.decode([String: [String]].self, from: data, what: file, command: "classify")
                    .sorted { $0.key < $1.key }
                    .flatMap { label, texts in texts.map { Item(label: label, text: $0) } }
            case "["?: try RequestJSON.decode([Item].self, from: data, what: file, command: "classify")
            default: try Self.lines(text, file: file)
            }
        guard !items.isEmpty else { throw Self.fault("\(file) holds no examples.") }
        for (index, item) in items.enumerated() where item.text.isBlank || item.label.isBlank {
            throw Self.fault("Example \(index + 1) of \(file) has an empty label or text.")
        }
        self.items = items
    }

    private static func lines(_ text: String, file: String) throws -> [Item] {
        var items: [Item] = []
        for (index, line) in TextLines.split(text).enumerated() where !line.isBlank {
            guard let tab = line.firstIndex(of: "\t") else {
                throw fault("Line \(index + 1) of \(file) has no tab between label and text.")
            }
            let item = Item(
                label: String(line[..<tab]),
                text: String(line[line.index(after: tab)...])
            )
            guard !item.label.isBlank, !item.text.isBlank else {
                throw fault("Line \(index + 1) of \(file) has an empty label or text.")
            }
            items.append(item)
        }
        return items
    }

    private static func fault(_ message: String) -> BreezeError {
        BreezeError(
            .invalidRequest,
            message,
            remedy: "Write LABEL<TAB>TEXT on each line, or JSON {\"label\": [\"text\"]}."
        )
    }

    /// In the order in which their labels first appear.
    var categories: [ClassificationCategory] {
        var order: [String] = []
        var examples: [String: [String]] = [:]
        for item in items {
            if examples[item.label] == nil { order.append(item.label) }
            examples[item.label, default: []].append(item.text)
        }
        return order.map { ClassificationCategory(name: $0, examples: examples[$0] ?? []) }
    }
}
