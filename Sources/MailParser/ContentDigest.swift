#if Mail
import CGMime

/// SHA-256, by GLib.
struct ContentDigest: ~Copyable {
    private let state: OpaquePointer?

    init() {
        state = g_checksum_new(G_CHECKSUM_SHA256)
    }

    deinit { if let state { g_checksum_free(state) } }

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        guard let state, let start = bytes.baseAddress else { return }
        g_checksum_update(state, start.assumingMemoryBound(to: guchar.self), bytes.count)
    }

    /// With its length before it, so that no two lists of texts are alike.
    mutating func add(_ text: String) {
        var copy = "\(text.utf8.count):" + text
        copy.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// In hexadecimal.
    consuming func finish() -> String {
        guard let state, let text = g_checksum_get_string(state) else { return "" }
        return String(cString: text)
    }
}
#endif
