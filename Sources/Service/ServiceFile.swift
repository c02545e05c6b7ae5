import BreezeCore
import BreezeFiles
package import Foundation

/// The file that a service manager reads. One that somebody else wrote is left alone.
package struct ServiceFile: Sendable {
    package enum Owner: String, Sendable, Encodable {
        /// There is no file.
        case nobody
        case breeze
        /// A person, another program, or a link to somewhere else.
        case other
    }

    /// Stands in the first lines of every file of ours.
    static let marker = "Written by `breeze service install`; `breeze service uninstall` removes it."

    package let url: URL

    package var owner: Owner {
        get throws {
            var status = stat()
            guard lstat(url.path, &status) == 0 else {
                guard errno == ENOENT || errno == ENOTDIR else { throw FileFault.reading(url, errno) }
                return .nobody
            }
            guard status.st_mode & S_IFMT == S_IFREG else { return .other }
            guard let data = try? Data(contentsOf: url) else { throw FileFault.reading(url, errno) }
            let lines = String(decoding: data.prefix(1_024), as: UTF8.self).split(separator: "\n").prefix(2)
            return lines.contains { $0.contains(Self.marker) } ? .breeze : .other
        }
    }

    /// With `force` it takes the place of what somebody else wrote, too.
    func write(_ text: String, force: Bool) throws {
        guard try force || owner != .other else {
            throw BreezeError(
                .invalidRequest,
                "\(url.path) is there already, and was not written by breeze service install.",
                remedy: "Look at it; breeze service install --force puts another one in its place."
            )
        }
        try Folder.make(url.deletingLastPathComponent())
        try WholeFile.replace(url, Array(text.utf8), synced: true)
    }

    func checkIsOurs() throws {
        guard try owner == .other else { return }
        throw BreezeError(
            .invalidRequest,
            "\(url.path) was not written by breeze service install, and stays.",
            remedy: "Stop and remove that service by hand, if you want it gone."
        )
    }

    func remove() throws {
        try checkIsOurs()
        guard unlink(url.path) == 0 || errno == ENOENT else { throw FileFault.writing(url, errno) }
    }
}
