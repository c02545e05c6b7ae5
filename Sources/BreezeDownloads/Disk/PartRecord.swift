import BreezeTransport
import Foundation

/// What is known of a file whose bytes are not all there, beside it as JSON: enough to tell whether they may
/// be gone on with.
struct PartRecord: Codable, Hashable {
    /// Without its query: a signature changes, the file does not.
    var source: String
    var etag: String?
    var lastModified: String?
    var total: Int64?
    /// Bytes that a power cut cannot take back.
    var synced: Int64 = 0
    /// Of the running system: while it is the same one, the disk has all that was written.
    var boot: String?
    /// Set when the file has its name: it was checked.
    var finished: Finished?

    struct Finished: Codable, Hashable {
        var sha256: String
        var size: Int64
        /// Nanoseconds since 1970, as the disk has it.
        var modified: Int64
    }

    init(source: URL, headers: HeaderFields, total: Int64?) {
        self.source = source.withoutSecrets
        etag = headers["ETag"]
        lastModified = headers["Last-Modified"]
        self.total = total
        boot = Self.currentBoot
    }

    /// What makes a server send the rest of the same file or all of another one. A weak ETag says nothing of
    /// bytes.
    var validator: String? {
        if let etag, !etag.hasPrefix("W/") { return etag }
        return lastModified
    }

    static let currentBoot: String? = {
        #if os(Linux)
        let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        return text?.trimmingCharacters(in: .whitespacesAndNewlines)
        #else
        var time = timeval()
        var size = MemoryLayout<timeval>.size
        guard sysctlbyname("kern.boottime", &time, &size, nil, 0) == 0 else { return nil }
        return "\(time.tv_sec).\(time.tv_usec)"
        #endif
    }()
}
