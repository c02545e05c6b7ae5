import BreezeFiles
import Foundation

/// The size and time at which a blob was last known to be what its name says. A blob that has others was written to
/// since, and is hashed again before it is used.
struct BlobRecord: Codable, Hashable {
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64

    /// As the blob is now; `nil` where it is missing.
    init?(of blob: URL) {
        guard let size = FileStatus.size(of: blob), let modified = FileStatus.modified(blob) else {
            return nil
        }
        self.size = size
        self.modified = modified
    }

    /// `nil` where there is none, or nothing that can be read.
    init?(at url: URL) {
        guard let bytes = try? FileReader.contents(of: url, limit: 4_096),
            let record = try? JSONDecoder().decode(Self.self, from: Data(bytes))
        else { return nil }
        self = record
    }

    /// A record that is lost costs a hash, so it is not waited for on the disk.
    func write(to url: URL) throws {
        try WholeFile.replace(url, [UInt8](JSONEncoder().encode(self)))
    }
}
