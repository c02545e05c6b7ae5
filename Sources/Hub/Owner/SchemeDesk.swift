#if Hub
import BreezeCore
import BreezeScheme
package import BreezeSchemeStore
import BreezeWire
package import Foundation
import Synchronization

/// What the owner decides of `breezeapp://`: questions of URLs that wait, and apps that were paired.
///
/// The file is opened when there is one and somebody looks: most hubs never see such a URL.
package final class SchemeDesk: Sendable {
    private let file: URL
    private let opened = Mutex<SchemeStore?>(nil)

    package init(_ file: URL) {
        self.file = file
    }

    /// `nil` where nothing ever asked.
    package var store: SchemeStore? {
        get throws {
            try opened.withLock { opened in
                if let opened { return opened }
                guard FileManager.default.fileExists(atPath: file.path) else { return nil }
                let store = try SchemeStore(file)
                opened = store
                return store
            }
        }
    }

    /// - Throws: ``BreezeError/Code/notFound`` where nothing ever asked.
    var known: SchemeStore {
        get throws {
            if let store = try store { return store }
            throw BreezeError(.notFound, "No app ever asked by URL.")
        }
    }

    func questions() async throws -> [SchemeStore.StandingQuestion] {
        try await store?.perform { try $0.questions(at: Self.now) } ?? []
    }

    func apps() async throws -> [SchemeApp] {
        try await store?.perform { try $0.apps() } ?? []
    }

    package static var now: Int64 { SchemeMoment.now().wall }
}
#endif
