import BreezeCore
import BreezeDownloads
import BreezeTransport
import Foundation

/// Downloads one file, for tests that kill it: `URL FOLDER TRUSTROOT SHA256 [SYNC-BYTES]`. Says what it has
/// come to in one line, `done SHA256` or `failed CODE`.
@main
enum DownloadProgram {
    static func main() async {
        let arguments = CommandLine.arguments
        guard arguments.count >= 5, let source = URL(string: arguments[1]) else {
            return print("failed usage")
        }
        let folder = URL(filePath: arguments[2])
        do {
            let file = DownloadPlan.File(name: "model", sources: [source], sha256: arguments[4])
            var settings = TransportSettings(environment: [:])
            settings.extraTrustRoots = URL(filePath: arguments[3])
            let ledger = EgressLedger(url: folder.deletingLastPathComponent().appending(path: "egress.jsonl"))
            var options = DownloadOptions()
            if arguments.count > 5, let bytes = Int64(arguments[5]) { options.syncEvery = bytes }
            let downloader = Downloader(transport: try transport(ledger, settings), options: options)
            let outcome = try await downloader.run(DownloadPlan(id: "model", files: [file]), into: folder)
            switch outcome {
            case .downloaded(let files): print("done", files.map(\.sha256).joined(separator: " "))
            case .alreadyDone: print("done")
            }
        } catch {
            print("failed", (error as? BreezeError)?.code.rawValue ?? "\(error)")
        }
    }

    private static func transport(
        _ ledger: EgressLedger,
        _ settings: TransportSettings
    ) throws -> any HTTPTransport {
        #if Hub
        try AsyncHTTPTransport(ledger: ledger, version: "test", settings: settings)
        #else
        throw BreezeError(.unavailable, "made without the trait Hub")
        #endif
    }
}
