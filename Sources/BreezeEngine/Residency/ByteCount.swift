/// Reads sizes as people write them: `4GiB`, `512 MB`, `1.5g`, `1073741824`.
package enum ByteCount {
    /// `nil` for what is no size. `K`, `M`, `G`, `T` and `KiB` … count in 1,024s, `KB` … in 1,000s, as in
    /// IEC 80000-13.
    package static func parse(_ text: String) -> Int64? {
        let trimmed = text.filter { !$0.isWhitespace }
        let digits = trimmed.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let number = Double(digits), let unit = units[trimmed.dropFirst(digits.count).lowercased()]
        else { return nil }
        let bytes = (number * unit).rounded()
        guard bytes >= 0, bytes < 0x1p62 else { return nil }
        return Int64(bytes)
    }

    private static let units: [String: Double] = {
        var units: [String: Double] = ["": 1, "b": 1]
        for (power, letter) in ["k", "m", "g", "t"].enumerated() {
            units[letter] = binary(power + 1)
            units[letter + "ib"] = binary(power + 1)
            units[letter + "b"] = (0...power).reduce(1) { value, _ in value * 1_000 }
        }
        return units
    }()

    private static func binary(_ power: Int) -> Double { (0..<power).reduce(1) { value, _ in value * 1_024 } }

    /// `87.2 MiB`, for messages.
    static func text(_ count: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(count)
        var unit = 0
        while value >= 1_024, unit < units.count - 1 {
            value /= 1_024
            unit += 1
        }
        let tenths = (value * 10).rounded() / 10
        let isWhole = unit == 0 || tenths >= 100 || tenths == tenths.rounded()
        return "\(isWhole ? "\(Int64(tenths.rounded()))" : "\(tenths)") \(units[unit])"
    }
}
