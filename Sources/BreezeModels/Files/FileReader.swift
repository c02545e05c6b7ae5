import BreezeCore
import BreezeFiles
import Foundation

/// A file opened for reading at any offset. Reads with `pread` and not through a mapping: a mapped file that
/// another process cuts short ends this process with SIGBUS, a short `pread` is an error.
final class FileReader: Sendable {
    let url: URL
    /// Bytes when it was opened.
    let size: Int
    private let descriptor: Int32

    init(url: URL) throws {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        let opened = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw FileFault.reading(url, errno) }
        var status = stat()
        guard fstat(opened, &status) == 0 else {
            let number = errno
            close(opened)
            throw FileFault.reading(url, number)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(opened)
            throw BreezeError(.invalidFile, "\(url.path) is not a regular file.")
        }
        self.url = url
        self.size = Int(status.st_size)
        self.descriptor = opened
    }

    deinit { close(descriptor) }

    /// Fills `buffer` from `offset`.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws {
        ReadTally.current?.add(buffer.count)
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = pread(descriptor, rest.baseAddress, rest.count, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault.reading(url, errno) }
            guard count > 0 else {
                throw BreezeError(
                    .invalidFile,
                    "\(url.path) ended while it was read: something cut it short."
                )
            }
            done += count
        }
    }

    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            try read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            initialized = count
        }
    }

    /// SHA-256 of the whole, read from front to end, each piece handed on; a cancelled task stops between
    /// pieces.
    func sha256(each: (UnsafeRawBufferPointer) throws -> Void = { _ in }) async throws -> String {
        var hasher = try ContentHasher()
        let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { piece.deallocate() }
        for offset in stride(from: 0, to: size, by: piece.count) {
            try Task.checkCancellation()
            let part = UnsafeMutableRawBufferPointer(rebasing: piece[..<min(piece.count, size - offset)])
            try read(into: part, at: offset)
            hasher.update(UnsafeRawBufferPointer(part))
            try each(UnsafeRawBufferPointer(part))
            await Task.yield()
        }
        return hasher.digest()
    }

    /// The whole of a small text file.
    /// - Throws: ``BreezeError`` `.invalidFile` where the file is larger than `limit`.
    static func contents(of url: URL, limit: Int) throws -> [UInt8] {
        let file = try FileReader(url: url)
        guard file.size <= limit else {
            throw BreezeError(
                .invalidFile,
                "\(url.path) has \(file.size) bytes; at most \(limit) are expected."
            )
        }
        return try file.bytes(at: 0, count: file.size)
    }
}
