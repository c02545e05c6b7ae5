/// Columns of text, each as wide as its widest cell. Widths count characters.
struct Table {
    private var rows: [[String]] = []
    private let header: [String]

    init(_ header: String...) {
        self.header = header
    }

    mutating func add(_ cells: String...) {
        rows.append(cells)
    }

    func print() throws {
        let lines = lines
        try Console.print(Style.output.dim(lines[0]))
        for line in lines.dropFirst() { try Console.print(line) }
    }

    /// The header's line, then one a row.
    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { Self.line($0, widths) }
    }

    private static func line(_ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(cells, widths).map { cell, width in
            cell + String(repeating: " ", count: width - cell.count)
        }
        var line = padded.joined(separator: "  ")
        while line.last == " " { line.removeLast() }
        return line
    }
}
