import BreezeCore
import BreezeMailIndex
import BreezeMailParser
import Foundation

/// Indexes a folder, for tests that kill it, or let it read what it may not: `DATABASE FOLDER BATCH
/// [MARK DELAY]`. Says at last `done READ NEW FAILED` or `failed CODE`; with a mark it kills itself DELAY microseconds
/// after the transaction with which it has read that many messages.
@main
enum MailIndexProgram {
    static func main() async {
        #if Hub
        let arguments = CommandLine.arguments
        guard arguments.count >= 4, let batch = Int(arguments[3]) else { return print("failed usage") }
        do {
            let index = try MailIndex.open(at: URL(filePath: arguments[1]))
            var settings = IndexSettings()
            settings.batch = batch
            if arguments.count == 6, let mark = Int(arguments[4]), let delay = UInt32(arguments[5]) {
                settings.progress = { progress in
                    guard progress.read == mark else { return }
                    Thread.detachNewThread {
                        usleep(delay)
                        kill(getpid(), SIGKILL)
                    }
                }
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
