#if Hub || Pairing
import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeScheme

/// A hub with the apps of the file, and what it keeps while it is started again.
struct KnownHub {
    private struct Known: Decodable { let to_hub, to_app, callback: String }

    let apps: [AppID: PairedApp]
    let ledger = MemoryLedger()
    private let scratch: ScratchFolder
    private let folder: String
    var receiver: SealedReceiver

    init() throws {
        let known: [String: Known] = try VectorFile.section("paired")
        try #require(known.count == VectorFile.counts["paired"])
        let apps = try known.map { id, app in
            PairedApp(
                try #require(AppID(id)),
                callback: try CallbackScheme(app.callback),
                keys: SealingKeys(
                    toHub: try #require(SealingKey(bytes(app.to_hub))),
                    toApp: try #require(SealingKey(bytes(app.to_app)))
                )
            )
        }
        let byID = Dictionary(uniqueKeysWithValues: apps.map { ($0.id, $0) })
        self.apps = byID
        scratch = try ScratchFolder()
        folder = try ownFolder(in: scratch)
        receiver = try SealedReceiver(
            ledger: ledger,
            parts: ledger,
            handoff: HandoffFolder(opening: folder),
            start: SchemeMoment(wall: 0, uptime: 0)
        ) { byID[$0] }
    }

    /// A new process on the same disk.
    mutating func restart(uptime: Int64) throws {
        let apps = apps
        receiver = try SealedReceiver(
            ledger: ledger,
            parts: ledger,
            handoff: HandoffFolder(opening: folder),
            start: SchemeMoment(wall: 0, uptime: uptime)
        ) { apps[$0] }
    }

    /// By name, in base64url.
    func put(files: [String: String]) throws {
        for (name, text) in files {
            let content = try StrictBase64.bytes(ofURL: text.utf8, limit: SchemeURL.valueLimit)
            try putFile(name, content, in: folder)
        }
    }

    /// The keys of the app that most cases are about.
    func app(_ id: String) throws -> PairedApp { try #require(AppID(id).flatMap { apps[$0] }) }
}

/// A folder as hand-off wants it.
func ownFolder(in scratch: ScratchFolder) throws -> String {
    let folder = scratch.url.appending(path: "handoff").path
    try FileManager.default.createDirectory(
        atPath: folder,
        withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o700]
    )
    return folder
}

func putFile(_ name: String, _ content: [UInt8], in folder: String, mode: Int = 0o600) throws {
    let isThere = FileManager.default.createFile(
        atPath: "\(folder)/\(name)",
        contents: Data(content),
        attributes: [.posixPermissions: mode]
    )
    try #require(isThere)
}
#endif
