/// Bytes that are nearly right.
enum Mutation {
    /// New bytes are mostly `likely` ones, where there are any: others end most inputs at the first check.
    static func mutated(
        _ seeds: [[UInt8]],
        likely: [UInt8] = [],
        _ generator: inout some RandomNumberGenerator
    ) -> [UInt8] {
        guard var data = seeds.randomElement(using: &generator) else { return [] }
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0...data.count, using: &generator)
            let drawn = UInt8.random(in: .min ... .max, using: &generator)
            let byte = drawn < 16 ? drawn : likely.randomElement(using: &generator) ?? drawn
            switch Int.random(in: 0..<12, using: &generator) {
            case 0...2 where place < data.count: data[place] = byte
            case 3 where place < data.count: data[place] ^= 1 << (drawn & 7)
            case 4...6: data.insert(byte, at: place)
            case 7...9 where place < data.count: data.remove(at: place)
            case 10: data.removeSubrange(place...)
            default:
                // A piece of another one in the middle of this one.
                let other = seeds.randomElement(using: &generator) ?? []
                let start = Int.random(in: 0...other.count, using: &generator)
                data.insert(contentsOf: other[start...].prefix(Int(drawn)), at: place)
            }
        }
        return data
    }
}
