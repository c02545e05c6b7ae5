import Foundation

/// Figures for people.
enum Quantity {
    /// `87.2 MiB`.
    static func bytes(_ count: Int64) -> String {
        let units = ["bytes", "KiB", "MiB", "GiB", "TiB"]
        var value = Double(count)
        var unit = 0
        while value >= 1024, unit < units.count - 1 {
            value /= 1024
            unit += 1
        }
        if unit == 0 { return count == 1 ? "1 byte" : "\(count) bytes" }
        return value >= 100 || value == value.rounded()
            ? String(format: "%.0f %@", value, units[unit] as NSString)
            : String(format: "%.1f %@", value, units[unit] as NSString)
    }

    /// `0.4 ms`, `38 ms`, `1.7 s`.
    static func seconds(_ value: Double) -> String {
        switch value {
        case ..<0.01: String(format: "%.1f ms", value * 1000)
        case ..<1: String(format: "%.0f ms", value * 1000)
        default: String(format: "%.1f s", value)
        }
    }

    /// `23.4 tokens/s`.
    static func pace(_ value: Double) -> String { String(format: "%.1f tokens/s", value) }

    static func percent(_ value: Double) -> String { String(format: "%.1f %%", value * 100) }

    static func count(_ number: Int, _ noun: String) -> String {
        "\(number) \(noun)\(number == 1 ? "" : "s")"
    }
}
