extension String.UTF8View {
    /// Whether an ASCII word stands in it. `String.contains` compares by characters and takes ten times as long.
    func contains(_ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        let found = withContiguousStorageIfAvailable { bytes -> Bool in
            guard bytes.count >= length else { return false }
            var at = 0
            while at <= bytes.count - length {
                guard let next = bytes[at...(bytes.count - length)].firstIndex(of: word.utf8Start[0]) else {
                    return false
                }
                if (1..<length).allSatisfy({ bytes[next + $0] == word.utf8Start[$0] }) { return true }
                at = next + 1
            }
            return false
        }
        return found ?? String(self).utf8.elementsContain(word)
    }

    private func elementsContain(_ word: StaticString) -> Bool {
        var copy = String(self)
        return copy.withUTF8 { bytes in
            let length = word.utf8CodeUnitCount
            guard bytes.count >= length else { return false }
            return (0...(bytes.count - length)).contains { start in
                (0..<length).allSatisfy { bytes[start + $0] == word.utf8Start[$0] }
            }
        }
    }
}
