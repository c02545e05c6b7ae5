#if Mail
import BreezeCore
import BreezeMail
import CGMime
import Foundation

/// A source opened, looked over by ``MessageGuard`` and parsed. Small ones lie in memory; of a large file GMime keeps
/// offsets and reads when it is asked.
final class MessageInput {
    /// `nil` where there is nothing that GMime takes for a message.
    let message: UnsafeMutablePointer<GMimeMessage>?
    /// Bytes of the source, those beyond the limit included.
    let size: Int
    let notices: [MailNotice]
    private let stream: GObjectReference<GMimeStream>?

    private static let largestInMemory = 1 << 20
    private static let chunk = 256 << 10

    init(_ source: MailSource, limits: MailLimits) throws {
        guard GMimeLibrary.isReady else { throw GMimeMessageParser.unavailable }
        var guarding = MessageGuard(limits: limits)
        let whole: GObjectReference<GMimeStream>?
        switch source {
        case .bytes(let bytes):
            size = bytes.count
            whole = Self.memory(bytes, &guarding, limits)
        case .mbox(let file, let entry):
            size = Int(clamping: entry.length)
            let bytes = try Self.reading(file) { try entry.read(from: file, limit: limits.messageBytes) }
            whole = Self.memory(bytes, &guarding, limits)
        case .file(let file):
            (whole, size) = try Self.open(file, &guarding, limits)
        }
        stream = whole.flatMap { Self.kept(of: $0, guarding) }
        notices = Self.notices(guarding, size: size, limits: limits)
        message = stream.flatMap { Self.parse($0.pointer) }
    }

    deinit { if let message { g_object_unref(message) } }

    private static func parse(_ stream: UnsafeMutablePointer<GMimeStream>) -> UnsafeMutablePointer<
        GMimeMessage
    >? {
        guard let options = GMimeLibrary.makeOptions() else { return nil }
        defer { g_mime_parser_options_free(options) }
        guard let parser = GObjectReference(g_mime_parser_new_with_stream(stream)) else { return nil }
        return g_mime_parser_construct_message(parser.pointer, options)
    }

    private static func memory(
        _ bytes: [UInt8],
        _ guarding: inout MessageGuard,
        _ limits: MailLimits
    ) -> GObjectReference<GMimeStream>? {
        bytes.withUnsafeBytes { all in
            let read = UnsafeRawBufferPointer(rebasing: all.prefix(limits.messageBytes))
            guarding.feed(read)
            guarding.finish()
            let start = read.baseAddress?.assumingMemoryBound(to: CChar.self)
            return GObjectReference(g_mime_stream_mem_new_with_buffer(start, read.count))
        }
    }

    private static func open(
        _ file: URL,
        _ guarding: inout MessageGuard,
        _ limits: MailLimits
    ) throws -> (GObjectReference<GMimeStream>?, Int) {
        let handle = try reading(file) { try FileHandle(forReadingFrom: file) }
        defer { try? handle.close() }
        let size = try reading(file) { Int(try handle.seekToEnd()) }
        try reading(file) { try handle.seek(toOffset: 0) }
        if size <= largestInMemory {
            let bytes = try reading(file) { Array(try handle.readToEnd() ?? Data()) }
            return (memory(bytes, &guarding, limits), bytes.count)
        }
        var left = min(size, limits.messageBytes)
        while left > 0 {
            let piece = try reading(file) { try handle.read(upToCount: min(chunk, left)) ?? Data() }
            if piece.isEmpty { break }
            piece.withUnsafeBytes { guarding.feed($0) }
            left -= piece.count
        }
        guarding.finish()
        // GMime closes its own descriptor with the stream.
        let descriptor = dup(handle.fileDescriptor)
        guard descriptor >= 0 else { throw unreadable(file, nil) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        let end = gint64(min(size, limits.messageBytes))
        return (GObjectReference(g_mime_stream_fs_new_with_bounds(descriptor, 0, end)), size)
    }

    private static func kept(of whole: GObjectReference<GMimeStream>, _ guarding: MessageGuard)
        -> GObjectReference<GMimeStream>?
    {
        let length = g_mime_stream_length(whole.pointer)
        if guarding.kept == [0..<max(0, Int64(length))] || length <= 0 { return whole }
        guard let all = g_mime_stream_cat_new(), let result = GObjectReference(all) else { return nil }
        let cat = UnsafeMutableRawPointer(all).assumingMemoryBound(to: GMimeStreamCat.self)
        for range in guarding.kept {
            guard
                let piece = GObjectReference(
                    g_mime_stream_substream(
                        whole.pointer,
                        gint64(range.lowerBound),
                        gint64(range.upperBound)
                    )
                )
            else { continue }
            g_mime_stream_cat_add_source(cat, piece.pointer)
        }
        return result
    }

    private static func notices(_ guarding: MessageGuard, size: Int, limits: MailLimits) -> [MailNotice] {
        var notices: [MailNotice] = []
        if size > limits.messageBytes {
            notices.append(MailNotice(.messageTooLong, count: size - limits.messageBytes))
        }
        if let part = guarding.endedAtPart { notices.append(MailNotice(.tooManyParts, count: part)) }
        if guarding.droppedHeaders > 0 {
            notices.append(MailNotice(.headersDropped, count: guarding.droppedHeaders))
        }
        return notices
    }

    private static func reading<Result>(_ file: URL, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch { throw unreadable(file, error) }
    }

    private static func unreadable(_ file: URL, _ error: (any Error)?) -> BreezeError {
        BreezeError(
            .inputOutput,
            "\(file.path) cannot be read.",
            remedy: "Check that it is a file and that you may read it.",
            underlying: error
        )
    }
}
#endif
