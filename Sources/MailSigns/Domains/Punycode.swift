/// Labels of international host names (RFC 3492).
enum Punycode {
    /// A label that stands in the DNS has at most 63 bytes.
    private static let longest = 255

    /// What follows `xn--`, decoded; `nil` where it is no punycode.
    static func decode(_ label: Substring) -> String? {
        let bytes = Array(label.utf8)
        guard bytes.count <= longest, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        var output: [UInt32] = []
        var at = 0
        if let mark = bytes.lastIndex(of: UInt8(ascii: "-")) {
            output = bytes[..<mark].map(UInt32.init)
            at = mark + 1
        }
        guard at < bytes.count else { return nil }
        var (code, place, bias) = (128, 0, 72)
        while at < bytes.count {
            let before = place
            guard let step = integer(bytes, &at, bias: bias) else { return nil }
            place += step
            let count = output.count + 1
            bias = adapted(place - before, count: count, isFirst: before == 0)
            code += place / count
            place %= count
            guard code <= 0x10FFFF, Unicode.Scalar(UInt32(code)) != nil else { return nil }
            output.insert(UInt32(code), at: place)
            place += 1
        }
        var scalars = String.UnicodeScalarView()
        for value in output { if let scalar = Unicode.Scalar(value) { scalars.append(scalar) } }
        return String(scalars)
    }

    /// What follows `xn--` for a label; `nil` for one that is longer than a label can be.
    static func encode(_ label: some StringProtocol) -> String? {
        let input = label.unicodeScalars.prefix(longest + 1).map { Int($0.value) }
        guard input.count <= longest else { return nil }
        var output = input.filter { $0 < 0x80 }.map(UInt8.init)
        let basic = output.count
        if basic > 0 { output.append(UInt8(ascii: "-")) }
        var (code, delta, bias, done) = (128, 0, 72, basic)
        while done < input.count {
            guard let next = input.filter({ $0 >= code }).min() else { return nil }
            delta += (next - code) * (done + 1)
            code = next
            for scalar in input {
                if scalar < code { delta += 1 }
                guard scalar == code else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: done + 1, isFirst: done == basic)
                delta = 0
                done += 1
            }
            delta += 1
            code += 1
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ integer: Int, bias: Int, to output: inout [UInt8]) {
        var (rest, k) = (integer, 36)
        while true {
            let threshold = min(max(k - bias, 1), 26)
            guard rest >= threshold else { break }
            output.append(letter(threshold + (rest - threshold) % (36 - threshold)))
            rest = (rest - threshold) / (36 - threshold)
            k += 36
        }
        output.append(letter(rest))
    }

    private static func letter(_ digit: Int) -> UInt8 {
        UInt8(digit < 26 ? digit + 0x61 : digit - 26 + 0x30)
    }

    /// One generalised variable-length integer (section 3.3), read from `at`.
    private static func integer(_ bytes: [UInt8], _ at: inout Int, bias: Int) -> Int? {
        var (value, weight, k) = (0, 1, 36)
        while at < bytes.count {
            guard let digit = digit(bytes[at]) else { return nil }
            at += 1
            // Beyond this no code point is left.
            guard value < 1 << 32, weight < 1 << 32 else { return nil }
            value += digit * weight
            let threshold = min(max(k - bias, 1), 26)
            if digit < threshold { return value }
            weight *= 36 - threshold
            k += 36
        }
        return nil
    }

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// Section 6.1.
    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var k = 0
        while delta > 455 {
            delta /= 35
            k += 36
        }
        return k + 36 * delta / (delta + 38)
    }
}
