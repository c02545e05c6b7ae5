import BreezeTestSupport

/// Spoils a sound file in one to four seeded ways at a time: bits, numbers at the edges of their range where
/// counts and offsets stand, pieces cut, doubled or moved.
struct FileMutator {
    private let sound: [UInt8]
    private var generator: SeededGenerator
    private var round = 0

    init(_ sound: [UInt8], seed: UInt64) {
        self.sound = sound
        generator = SeededGenerator(seed: seed)
    }

    mutating func next() -> [UInt8] {
        var bytes = sound
        round += 1
        // Most of what is read stands in front.
        let front = round % 3 == 0 ? sound.count : min(sound.count, 2048)
        for _ in 0..<Int.random(in: 1...4, using: &generator) { spoil(&bytes, front) }
        return bytes
    }

    private mutating func spoil(_ bytes: inout [UInt8], _ front: Int) {
        let end = max(1, min(front, bytes.count))
        guard !bytes.isEmpty else { return bytes.append(contentsOf: sound.prefix(8)) }
        let place = Int.random(in: 0..<end, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0...3: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 4, 5: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 6, 7: put(&bytes, place, Self.edges.randomElement(using: &generator) ?? 0)
        case 8: bytes.removeLast(Int.random(in: 0...bytes.count, using: &generator))
        case 9: bytes.removeSubrange(place..<min(bytes.count, place + length()))
        case 10: bytes.insert(contentsOf: piece(), at: place)
        default:
            let piece = piece()
            let last = min(bytes.count, place + piece.count)
            bytes.replaceSubrange(place..<last, with: piece.prefix(last - place))
        }
    }

    private static let edges: [UInt64] = [
        0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF,
        0x7FFF_FFFF_FFFF_FFFF, 0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x4000_0000_0000_0000,
    ]

    private mutating func put(_ bytes: inout [UInt8], _ place: Int, _ value: UInt64) {
        let width = [1, 2, 4, 8].randomElement(using: &generator) ?? 1
        withUnsafeBytes(of: value.littleEndian) { raw in
            for (index, byte) in raw.prefix(width).enumerated() where place + index < bytes.count {
                bytes[place + index] = byte
            }
        }
    }

    private mutating func length() -> Int { Int.random(in: 1...64, using: &generator) }

    private mutating func piece() -> ArraySlice<UInt8> {
        let start = Int.random(in: 0..<sound.count, using: &generator)
        return sound[start..<min(sound.count, start + length())]
    }
}
