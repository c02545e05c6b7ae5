/// Finds the first of some texts in an answer that comes piece by piece, also where it lies across a border.
struct StopScanner {
    private let stops: [[UInt8]]
    private var held: [UInt8] = []

    /// Empty texts stop nothing. Bytes are compared: a line's end is found in a Windows one, too.
    init(_ stops: [String]) {
        self.stops = stops.filter { !$0.isEmpty }.map { Array($0.utf8) }
    }

    /// - Returns: What may go out, and whether the answer ends with it.
    mutating func append(_ piece: String) -> (text: String, isStopped: Bool) {
        guard !stops.isEmpty else { return (piece, false) }
        held += piece.utf8
        if let stop = held.earliest(of: stops) {
            defer { held = [] }
            return (String(decoding: held[..<stop.lowerBound], as: UTF8.self), true)
        }
        return (
            String(decoding: held.removePrefix(held.count - held.beginning(of: stops)), as: UTF8.self), false
        )
    }

    /// The answer ended: what was held back belongs to it.
    mutating func finish() -> String { String(decoding: held.removePrefix(held.count), as: UTF8.self) }
}

extension [UInt8] {
    /// Where the first of `texts` lies that is in here.
    func earliest(of texts: [[UInt8]]) -> Range<Int>? {
        texts.compactMap { firstRange(of: $0) }.min { $0.lowerBound < $1.lowerBound }
    }

    /// Bytes at the end that one of `texts` may begin with, never a whole one.
    func beginning(of texts: [[UInt8]]) -> Int {
        let longest = (texts.map(\.count).max() ?? 0) - 1
        return stride(from: Swift.min(longest, count), to: 0, by: -1).first { length in
            texts.contains { $0.count > length && $0.starts(with: suffix(length)) }
        } ?? 0
    }

    /// Takes so many bytes away from the beginning.
    mutating func removePrefix(_ length: Int) -> [UInt8] {
        defer { removeFirst(length) }
        return Array(prefix(length))
    }
}
