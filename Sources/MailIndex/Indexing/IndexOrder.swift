#if Hub
package import BreezeCore
package import Foundation

/// What a process that indexes for another one is told: one line of JSON.
package struct IndexOrder: Codable, Sendable {
    /// The index's file.
    package var index: String
    package var paths: [String]
    /// One message that lies in no file.
    package var message: Data?

    package init(index: URL, _ roots: [MailRoot]) {
        self.index = index.path
        paths = roots.compactMap { root in
            if case .path(let url) = root { url.path } else { nil }
        }
        for case .message(let bytes) in roots { message = Data(bytes) }
    }

    package var roots: [MailRoot] {
        paths.map { .path(URL(filePath: $0)) } + (message.map { [.message([UInt8]($0))] } ?? [])
    }
}

/// What it says of it: a line of JSON each, the last one the report or the failure.
package enum IndexWord: Codable, Sendable {
    case progress(IndexProgress)
    case report(IndexReport)
    case failed(BreezeError)
}
#endif
