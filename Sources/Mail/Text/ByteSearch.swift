extension String {
    /// Whether `word` stands in it, byte for byte. `String.contains` compares by characters and takes ten times as
    /// long.
    func has(_ word: String) -> Bool {
        let needle = Array(word.utf8)
        guard let first = needle.first else { return true }
        var copy = self
        return copy.withUTF8 { bytes in
            guard bytes.count >= needle.count else { return false }
            let last = bytes.count - needle.count
            var at = 0
            while at <= last, let next = bytes[at...last].firstIndex(of: first) {
                if (1..<needle.count).allSatisfy({ bytes[next + $0] == needle[$0] }) { return true }
                at = next + 1
            }
            return false
        }
    }
}
