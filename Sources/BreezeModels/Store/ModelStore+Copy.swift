import BreezeCore
import BreezeFiles
import Foundation

extension ModelStore {
    /// Installs a model under a second id as well; its files are on the disk once.
    /// - Throws: ``BreezeError`` `.unknownModel`, `.invalidParameter` where the new id is none, or another model's.
    @concurrent
    public func copy(_ id: String, to other: String) async throws {
        try ModelIdentifier.check(other)
        try await locked("The copy of \(id) was cancelled; nothing was changed.") {
            var manifest = try manifest(for: id)
            if let taken = try? readManifest(other) {
                guard taken.files != manifest.files else { return }
                throw conflict(other)
            }
            manifest.info.id = other
            try await withStaging(needed: 0) { staging in
                try Folder.make(staging)
                try write(manifest, by: staging)
            }
        }
    }
}
