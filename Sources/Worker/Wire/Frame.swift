/// One message on the wire: the length of what follows (32 bits, little endian), a type byte, the payload.
struct Frame: Hashable, Sendable {
    var type: UInt8
    var payload: ArraySlice<UInt8>

    /// Longest payload with its type byte. Above any picture or recording that a request may hold, and far below
    /// what would exhaust the memory of the side that reads it.
    static let maximumLength = 256 << 20

    /// The bytes of a frame with this type and payload.
    static func bytes(_ type: UInt8, _ build: (inout [UInt8]) -> Void) -> [UInt8] {
        var bytes: [UInt8] = [0, 0, 0, 0, type]
        build(&bytes)
        let length = UInt32(truncatingIfNeeded: bytes.count - 4)
        for index in 0..<4 { bytes[index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        return bytes
    }
}

/// Cuts a stream of bytes into frames. Allocates for the bytes that have come, never for a length that was only
/// claimed.
struct FrameDecoder {
    private let maximumLength: Int
    private var buffer: [UInt8] = []
    private var start = 0

    init(maximumLength: Int = Frame.maximumLength) {
        self.maximumLength = maximumLength
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
            start = 0
        } else if start > Self.keptCapacity {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    private static let keptCapacity = 1 << 20

    /// The next frame that is whole; `nil` where more bytes are needed.
    mutating func next() throws(WireFault) -> Frame? {
        guard buffer.count - start >= 4 else { return nil }
        var length = 0
        for index in 0..<4 { length |= Int(buffer[start + index]) << (8 * index) }
        guard length > 0 else { throw WireFault("a frame without a type") }
        guard length <= maximumLength else {
            throw WireFault("a frame of \(length) bytes, where \(maximumLength) are allowed")
        }
        let end = start + 4 + length
        guard buffer.count >= end else { return nil }
        // A copy of its own: a slice would keep the buffer alive, and every append would copy the whole of it.
        let frame = Frame(type: buffer[start + 4], payload: Array(buffer[(start + 5)..<end])[...])
        start = end
        return frame
    }

    /// Whether the stream may end here.
    var isBetweenFrames: Bool { start == buffer.count }
}
