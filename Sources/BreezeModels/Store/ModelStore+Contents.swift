import BreezeCore
import BreezeFiles
import Foundation

extension ModelStore {
    /// Ids of every manifest, damaged ones too. A store that was never written to has none.
    func installedIDs() throws -> [String] {
        let folder = layout.manifests
        guard FileManager.default.fileExists(atPath: folder.path) else {
            var isFolder: ObjCBool = false
            let home = layout.root.deletingLastPathComponent()
            if FileManager.default.fileExists(atPath: home.path, isDirectory: &isFolder), !isFolder.boolValue
            {
                throw BreezeError(
                    .inputOutput,
                    "\(home.path) is not a folder.",
                    remedy: "Set BREEZE_HOME to a folder."
                )
            }
            return []
        }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".json") }
                .map { String($0.dropLast(".json".count)) }
                .filter(ModelIdentifier.isValid)
                .sorted()
        } catch {
            throw BreezeError(.inputOutput, "\(folder.path) cannot be read.", underlying: error)
        }
    }

    /// - Throws: ``BreezeError`` `.invalidFile` where the manifest is damaged or one of its blobs is.
    func readManifest(_ id: String) throws -> ModelManifest {
        let url = layout.manifest(id)
        func damaged(_ reason: String, underlying: (any Error)? = nil) -> BreezeError {
            BreezeError(
                .invalidFile,
                "The installed model \(id) is damaged: \(reason).",
                remedy: "Remove it with breeze models remove \(id) and import it again.",
                underlying: underlying
            )
        }
        let manifest: ModelManifest
        do {
            let bytes = try FileReader.contents(of: url, limit: 16 << 20)
            manifest = try JSONDecoder().decode(ModelManifest.self, from: Data(bytes))
        } catch {
            throw damaged("its manifest \(url.path) cannot be read", underlying: error)
        }
        guard ModelManifest.readableSchemas.contains(manifest.schema) else {
            throw damaged("its manifest has version \(manifest.schema), which this Breeze does not read")
        }
        guard manifest.info.id == id else { throw damaged("its manifest is for \(manifest.info.id.excerpt)") }
        let digests = manifest.files.map(\.sha256) + (manifest.derivedKey.map { [$0] } ?? [])
        guard digests.allSatisfy(Self.isDigest) else {
            throw damaged("its manifest names an impossible file")
        }
        for file in manifest.files {
            let size = FileStatus.size(of: layout.blob(file.sha256))
            guard size == file.size else {
                let found = size.map { "has \($0) bytes and should have \(file.size)" } ?? "is missing"
                throw damaged("its file \(file.name.excerpt) \(found)")
            }
        }
        return manifest
    }

    /// A digest becomes part of a path, so a damaged manifest must not smuggle anything else in.
    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// A little more than the files alone: folders, the manifest, the file system's own blocks.
    func checkDisk(needed: Int64) throws {
        let needed = needed + 1 << 20
        guard let free = freeBytes(layout.root), free < needed else { return }
        throw FileFault.noSpace(at: layout.root, needed: needed, free: free)
    }

    /// Removes blobs and graphs that no manifest mentions; only under the lock. A digest counts as mentioned
    /// wherever it stands in a manifest's text, so a manifest too damaged to be read still keeps its files.
    func collectGarbage() -> Int64 {
        let manifests = StoreLayout.contents(of: layout.manifests) + StoreLayout.contents(of: layout.previous)
        let texts = manifests.map { url in
            (try? FileReader.contents(of: url, limit: 16 << 20)).map { String(decoding: $0, as: UTF8.self) }
        }
        var freed: Int64 = 0
        for url in StoreLayout.contents(of: layout.blobs) + StoreLayout.contents(of: layout.derived) {
            let name = url.lastPathComponent
            let digest = name.hasPrefix("sha256-") ? String(name.dropFirst("sha256-".count)) : name
            // A manifest that cannot even be opened may mention anything.
            if texts.contains(where: { $0?.contains(digest) ?? true }) { continue }
            let files = FileStatus.size(of: url) == nil ? StoreLayout.contents(of: url) : [url]
            let size = files.reduce(0) { $0 + (FileStatus.size(of: $1) ?? 0) }
            if (try? FileManager.default.removeItem(at: url)) != nil { freed += size }
        }
        for record in StoreLayout.contents(of: layout.records)
        where FileStatus.size(of: layout.blobs.appending(path: record.lastPathComponent)) == nil {
            unlink(record.path)
        }
        return freed
    }
}
