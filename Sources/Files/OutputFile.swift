import BreezeCore
package import Foundation

/// A new file that only its owner may read, written from front to end through one buffer.
package final class OutputFile {
    private let url: URL
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isOpen = true
    private static let bufferSize = 1 << 18

    /// - Throws: ``BreezeError`` where it exists already or cannot be made.
    package init(creating url: URL) throws {
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFault.writing(url, errno) }
        self.url = url
        buffer.reserveCapacity(Self.bufferSize)
    }

    /// Takes over an open descriptor, for files that must not be made anew.
    package init(descriptor: Int32, url: URL) {
        self.descriptor = descriptor
        self.url = url
    }

    deinit { if isOpen { close(descriptor) } }

    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count > Self.bufferSize { return try writeOut(bytes) }
        buffer.append(contentsOf: bytes)
    }

    package func writeLittleEndian(_ values: [some FixedWidthInteger]) throws {
        try values.map(\.littleEndian).withUnsafeBytes { try write($0) }
    }

    package func writeFloats(_ values: [Float]) throws {
        // As they stand: the formats are little-endian, and so is every platform of the product.
        try values.withUnsafeBytes { try write($0) }
    }

    /// Makes sure that the bytes are on the disk, unless they need not be `synced`, and closes. Without this call the
    /// content is not complete.
    package func finish(synced: Bool = true) throws {
        try flush()
        guard !synced || fsync(descriptor) == 0 else { throw FileFault.writing(url, errno) }
        isOpen = false
        guard close(descriptor) == 0 else { throw FileFault.writing(url, errno) }
    }

    private func flush() throws {
        try buffer.withUnsafeBytes { try writeOut($0) }
        buffer.removeAll(keepingCapacity: true)
    }

    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw FileFault.writing(url, errno) }
            rest = UnsafeRawBufferPointer(rebasing: rest[count...])
        }
    }
}
