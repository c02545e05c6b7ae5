import Foundation
import Synchronization

/// Lines at the end of a terminal that are written anew in place.
final class LiveText: Sendable {
    private let shown = Mutex(0)

    init() throws {
        try Console.write(Self.hideCursor)
    }

    private static let hideCursor = "\u{1B}[?25l"
    private static let showCursor = "\u{1B}[?25h"

    /// The first line is a header. What does not fit the terminal is cut off: a line that wraps, or one that
    /// scrolled away, could not be found again.
    func show(_ lines: [String]) throws {
        let (columns, rows) = Self.size
        var lines = lines.map { String($0.printable.prefix(columns)) }
        if lines.count > rows {
            let hidden = lines.count - rows + 1
            lines = lines.dropLast(hidden) + [String("… and \(hidden) more".prefix(columns))]
        }
        let back = shown.withLock { shown in
            defer { shown = lines.count }
            return shown
        }
        if !lines.isEmpty { lines[0] = Style.output.dim(lines[0]) }
        let top = back > 0 ? "\r\u{1B}[\(back)A" : ""
        try Console.write(top + lines.map { $0 + "\u{1B}[K\n" }.joined() + "\u{1B}[J")
    }

    func end() {
        try? Console.write(Self.showCursor)
    }

    /// Of the terminal, less the row in which the cursor rests.
    private static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 2 else {
            return (80, 23)
        }
        return (Int(size.ws_col), Int(size.ws_row) - 1)
    }
}
