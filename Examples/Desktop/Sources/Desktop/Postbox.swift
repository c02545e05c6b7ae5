import Foundation

/// How the process that the desktop starts with an answer hands it to the one that asked: a named pipe, whose lines
/// are URLs.
struct Postbox {
    private let path: String

    init() {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["XDG_RUNTIME_DIR"] ?? NSTemporaryDirectory()
        path = URL(filePath: folder).appending(path: "\(DesktopApp.scheme)-\(geteuid())").path
    }

    /// A line of it is one of this user's, whom a pipe of mode 0600 lets in alone.
    func open(_ handle: @escaping @Sendable (URL) -> Void) throws -> Postbox {
        unlink(path)
        guard mkfifo(path, 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        // Open for writing, too: with no writer a pipe would be at its end.
        let descriptor = Foundation.open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw CocoaError(.fileReadUnknown) }
        let pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        Thread.detachNewThread {
            var text = Data()
            while true {
                let piece = pipe.availableData
                guard !piece.isEmpty else { return }
                text += piece
                while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                    let line = String(decoding: text[..<end], as: UTF8.self)
                    text.removeSubrange(...end)
                    if let url = URL(string: line) { handle(url) }
                }
            }
        }
        return self
    }

    func close() { unlink(path) }

    /// Nothing happens where nobody waits: the answer came too late.
    func bring(_ url: String) {
        let descriptor = Foundation.open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0, !url.contains("\n") else { return }
        _ = fcntl(descriptor, F_SETFL, 0)
        FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(Data("\(url)\n".utf8))
    }
}
