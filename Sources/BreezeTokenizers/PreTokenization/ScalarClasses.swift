/// Puts every scalar into one of a few classes that a pattern cannot tell apart: a byte for each, looked up in
/// pages of 256 of which equal ones are stored once.
struct ScalarClasses: Sendable {
    /// The classes of the scalars 0 ..< 128.
    private(set) var ascii: [UInt8] = []
    private var pageNumbers: [UInt16] = []
    private var pages: [UInt8] = []
    /// For each class and each of the sets, whether the class is in the set.
    private(set) var members: [[Bool]] = []

    var count: Int { members.count }

    init(_ sets: [ScalarSet]) {
        var boundaries: Set<UInt32> = [0]
        for range in sets.flatMap(\.ranges) {
            boundaries.insert(range.lowerBound)
            if range.upperBound < 0x10FFFF { boundaries.insert(range.upperBound + 1) }
        }
        let starts = boundaries.sorted()
        var numbers: [[Bool]: UInt8] = [:]
        var flat = [UInt8](repeating: 0, count: 0x110000)
        for (index, start) in starts.enumerated() {
            let signature = sets.map { $0.contains(start) }
            let number = numbers[signature] ?? UInt8(truncatingIfNeeded: members.count)
            if numbers.updateValue(number, forKey: signature) == nil { members.append(signature) }
            let end = index + 1 < starts.count ? starts[index + 1] : 0x110000
            guard number > 0 else { continue }
            flat.withUnsafeMutableBufferPointer { flat in
                flat[Int(start)..<Int(end)].update(repeating: number)
            }
        }
        ascii = Array(flat[..<128])
        var known: [[UInt8]: UInt16] = [:]
        for page in 0..<0x110000 / 256 {
            let content = Array(flat[page * 256..<(page + 1) * 256])
            let number = known[content] ?? UInt16(known.count)
            if known.updateValue(number, forKey: content) == nil { pages += content }
            pageNumbers.append(number)
        }
    }

    @inline(__always)
    func number(of value: UInt32) -> UInt8 {
        pages[Int(pageNumbers[Int(value >> 8)]) << 8 | Int(value & 0xFF)]
    }
}
