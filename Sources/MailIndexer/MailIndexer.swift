import BreezeCore
import BreezeMailIndex
import BreezeMailParser
import CSandbox
import Foundation

/// Reads mail into an index, for `breeze mail index`, which starts it: one line with an ``IndexOrder`` on standard input,
/// and an ``IndexWord`` a line on standard output, the last one with the report or the failure.
///
/// A process of its own, since what it parses was written by strangers: it opens no socket but of this device, and what
/// its libraries take stays out of the hub's memory. It ends when its standard input does.
@main
enum MailIndexer {
    static func main() async {
        #if Hub
        var protection = sandbox_protection()
        sandbox_harden(&protection)
        sandbox_refuse_internet(&protection)
        signal(SIGPIPE, SIG_IGN)
        do {
            guard let line = readLine(strippingNewline: true) else { exit(64) }
            let order = try JSONDecoder().decode(IndexOrder.self, from: Data(line.utf8))
            let work = Task { try await run(order) }
            Thread.detachNewThread {
                // Nothing more is said: what comes is the end.
                while readLine() != nil {}
                work.cancel()
            }
            tell(.report(try await work.value))
        } catch {
            let known =
                error as? BreezeError
                ?? BreezeError(.internalError, "The mail could not be indexed: \(error).", underlying: error)
            tell(.failed(known))
            exit(1)
        }
        #else
        exit(64)
        #endif
    }

    #if Hub
    private static func run(_ order: IndexOrder) async throws -> IndexReport {
        let index = try MailIndex.open(at: URL(filePath: order.index))
        var settings = IndexSettings()
        settings.progress = { tell(.progress($0)) }
        let report = try await index.index(order.roots, with: GMimeMessageParser(), settings: settings)
        try index.close()
        return report
    }

    private static func tell(_ word: IndexWord) {
        guard let data = try? JSONEncoder().encode(word) else { return }
        try? FileHandle.standardOutput.write(contentsOf: data + Data("\n".utf8))
    }
    #endif
}
