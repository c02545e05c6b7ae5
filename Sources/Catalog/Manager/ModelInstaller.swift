import BreezeCore
import BreezeDownloads
import BreezeModels
public import Foundation

/// Brings a download that is whole into the store.
struct ModelInstaller: Sendable {
    let store: ModelStore
    /// `nil` keeps archives as they are.
    let unpack: ArchiveUnpacking?

    private static let archives = [".tar.gz", ".tgz", ".zip"]

    /// Its bytes are taken over and not copied: they are on the disk once.
    func install(
        _ plan: PullPlan,
        from staging: URL,
        report: (DownloadStage) -> Void
    ) async throws {
        report(.validation)
        var place = Self.only(plan.package.files.map(\.name)).map { staging.appending(path: $0) } ?? staging
        if let unpack, Self.archives.contains(where: { place.lastPathComponent.lowercased().hasSuffix($0) }) {
            report(.extraction)
            let folder = staging.appending(path: "unpacked", directoryHint: .isDirectory)
            try? FileManager.default.removeItem(at: folder)
            try await unpack(place, folder)
            place = try Self.model(in: folder)
        }
        report(.initialisation)
        var options = ImportOptions(
            id: plan.id,
            source: plan.source,
            origin: plan.origin,
            mode: .link,
            replaces: plan.replaces
        )
        do {
            _ = try await store.importModel(from: place, options)
        } catch let error as BreezeError where [.invalidFile, .unsupported].contains(error.code) {
            // Its bytes are what was promised; that no runner here takes it is no reason to throw it away.
            options.isGeneric = true
            _ = try await store.importModel(from: place, options)
        }
        report(.ready)
    }

    private static func only(_ names: [String]) -> String? { names.count == 1 ? names[0] : nil }

    /// Archives tend to hold one folder that holds the rest, or one file.
    private static func model(in folder: URL) throws -> URL {
        var place = folder
        while true {
            let names = try FileManager.default.contentsOfDirectory(atPath: place.path)
            guard let name = only(names) else { return place }
            place = place.appending(path: name)
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
            guard isFolder.boolValue else { return place }
        }
    }
}

/// Unpacks an archive into a new folder, refusing what would leave it.
public typealias ArchiveUnpacking = @Sendable (_ archive: URL, _ folder: URL) async throws -> Void
