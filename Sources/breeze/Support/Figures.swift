import BreezeMailClassifier
import Foundation

/// Shares and decimals in columns, for reports.
enum Figures {
    /// Where there is nothing to say.
    static let none = "-"

    static func percent(_ value: Double?) -> String { value.map(Quantity.percent) ?? none }

    static func decimal(_ value: Double?, _ digits: Int = 4) -> String {
        value.map { String(format: "%.\(digits)f", $0) } ?? none
    }

    /// `97.5 % (96.1 to 98.3)`.
    static func share(_ share: MeasuredShare?) -> String {
        guard let share, let value = share.value, let low = share.low, let high = share.high else {
            return none
        }
        return Quantity.percent(value) + String(format: " (%.1f to %.1f)", low * 100, high * 100)
    }

    /// `0.042 ms`.
    static func short(_ seconds: Double?) -> String {
        seconds.map { $0 < 0.001 ? String(format: "%.3f ms", $0 * 1000) : Quantity.seconds($0) } ?? none
    }

    /// Rows of equally many cells: the first columns to the left, figures to the right.
    static func table(_ rows: [[String]], left: Int = 1) -> [String] {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).enumerated().map { column, cell in
                let space = String(repeating: " ", count: cell.1 - cell.0.count)
                return column < left ? cell.0 + space : space + cell.0
            }
            var line = "  " + cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    static func clipped(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : text.prefix(max(0, width - 1)) + "…"
    }

    /// Of a file's name the end says most.
    static func clippedFront(_ text: String, _ width: Int) -> String {
        text.count <= width ? text : "…" + text.suffix(max(0, width - 1))
    }
}
