import BreezeCore
import BreezeTestSupport
import Foundation

/// A pipe with a name in the file system: a process that opens it for writing and holds it is known to be gone when
/// the pipe ends.
struct NamedPipe {
    let path: String
    private let folder: ScratchFolder
    private let descriptor: Int32

    init() throws {
        folder = try ScratchFolder()
        path = folder.url.appending(path: "pipe").path(percentEncoded: false)
        guard mkfifo(path, 0o600) == 0 else { throw BreezeError(.inputOutput, "No pipe could be made.") }
        // Without waiting for a writer: there is none yet.
        descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    }

    /// Returns when every process that held it is gone; to be called when one holds it.
    func writersGone() async {
        let descriptor = descriptor
        await withCheckedContinuation { continuation in
            let thread = Thread {
                _ = fcntl(descriptor, F_SETFL, 0)
                var byte: UInt8 = 0
                while read(descriptor, &byte, 1) != 0, errno == EINTR {}
                close(descriptor)
                continuation.resume()
            }
            thread.start()
        }
    }
}
