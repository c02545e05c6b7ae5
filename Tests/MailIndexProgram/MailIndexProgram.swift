import BreezeCore
import BreezeMailIndex
import BreezeMailParser
import Foundation

/// Indexes a folder, for tests that kill it, or let it read what it may not: `DATABASE FOLDER BATCH`. Says `at N` after
/// each transaction, with the messages read so far, and at last `done READ NEW FAILED` or `failed CODE`.
@main
enum MailIndexProgram {
    static func main() async {
        #if Hub
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let batch = Int(arguments[3]) else { return print("failed usage") }
        do {
            let index = try MailIndex.open(at: URL(filePath: arguments[1]))
            var settings = IndexSettings()
            settings.batch = batch
            settings.progress = { progress in
                print("at \(progress.read)")
                fflush(nil)
            }
            let root = MailRoot.path(URL(filePath: arguments[2]))
            let report = try await index.index([root], with: GMimeMessageParser(), settings: settings)
            try index.close()
            print("done \(report.counts.read) \(report.counts.new) \(report.counts.failed)")
        } catch {
            print("failed", (error as? BreezeError)?.code.rawValue ?? "\(error)")
        }
        #else
        print("failed unavailable")
        #endif
    }
}
