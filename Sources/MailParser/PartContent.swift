#if Mail
import BreezeMail
import CGMime

/// Decodes one part's content in pieces.
struct PartContent {
    private let part: UnsafeMutablePointer<GMimePart>

    private static let piece = 64 << 10

    init(_ part: UnsafeMutablePointer<GMimePart>) {
        self.part = part
    }

    /// At most `limit` bytes, and how many there are.
    func read(limit: Int) -> (bytes: [UInt8], size: Int) {
        var bytes: [UInt8] = []
        var size = 0
        forEachPiece { piece in
            if bytes.count < limit { bytes += piece.prefix(limit - bytes.count) }
            size += piece.count
        }
        return (bytes, size)
    }

    /// Decoded bytes; of what is not encoded no byte is read.
    var size: Int {
        guard let wrapper = g_mime_part_get_content(part),
            let stream = g_mime_data_wrapper_get_stream(wrapper)
        else { return 0 }
        switch g_mime_data_wrapper_get_encoding(wrapper) {
        case GMIME_CONTENT_ENCODING_BASE64, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE,
            GMIME_CONTENT_ENCODING_UUENCODE:
            var size = 0
            forEachPiece { size += $0.count }
            return size
        default: return max(0, Int(g_mime_stream_length(stream)))
        }
    }

    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) {
        guard let wrapper = g_mime_part_get_content(part),
            let stream = g_mime_data_wrapper_get_stream(wrapper)
        else { return }
        g_mime_stream_reset(stream)
        let encoding = g_mime_data_wrapper_get_encoding(wrapper)
        guard let filtered = GObjectReference(g_mime_stream_filter_new(stream)),
            let filter = GObjectReference(g_mime_filter_basic_new(encoding, 0))
        else { return }
        let raw = UnsafeMutableRawPointer(filtered.pointer)
        g_mime_stream_filter_add(raw.assumingMemoryBound(to: GMimeStreamFilter.self), filter.pointer)
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.piece) { buffer in
            while true {
                let count = g_mime_stream_read(filtered.pointer, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                body(UnsafeRawBufferPointer(start: buffer.baseAddress, count: count))
            }
        }
    }
}
#endif
