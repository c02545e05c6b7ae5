/// A set of Unicode scalars as sorted ranges that do not touch.
struct ScalarSet: Hashable, Sendable {
    private(set) var ranges: [ClosedRange<UInt32>]

    static let all = ScalarSet([0...0x10FFFF])
    static let empty = ScalarSet([])

    /// Ranges in any order, overlapping or not.
    init(_ ranges: [ClosedRange<UInt32>]) {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound + 1 {
                joined[joined.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        self.ranges = joined
    }

    init(_ scalars: Unicode.Scalar...) {
        self.init(scalars.map { $0.value...$0.value })
    }

    var isEmpty: Bool { ranges.isEmpty }
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= 0x10FFFF { gaps.append(next...0x10FFFF) }
        return ScalarSet(gaps)
    }

    func union(_ other: ScalarSet) -> ScalarSet {
        ScalarSet(ranges + other.ranges)
    }

    func intersection(_ other: ScalarSet) -> ScalarSet {
        inverted.union(other.inverted).inverted
    }

    func contains(_ value: UInt32) -> Bool {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < value { low = middle + 1 } else { high = middle }
        }
        return low < ranges.count && ranges[low].lowerBound <= value
    }

    /// With the other case of each letter, and with what Unicode folds to the same letter (ſ and the Kelvin
    /// sign). Large sets stay as they are: those that patterns name have both cases.
    func ignoringCase() -> ScalarSet {
        guard ranges.reduce(0, { $0 + $1.count }) <= 4096 else { return self }
        var scalars = ranges
        for value in ranges.joined() {
            guard let properties = Unicode.Scalar(value)?.properties else { continue }
            for mapping in [properties.lowercaseMapping, properties.uppercaseMapping] {
                let mapped = mapping.unicodeScalars
                if let only = mapped.first, mapped.count == 1 { scalars.append(only.value...only.value) }
            }
            switch value {
            case 0x53, 0x73: scalars.append(0x17F...0x17F)
            case 0x4B, 0x6B: scalars.append(0x212A...0x212A)
            default: break
            }
        }
        return ScalarSet(scalars)
    }
}
