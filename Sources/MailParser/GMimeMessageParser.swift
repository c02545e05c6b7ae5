public import BreezeCore
public import BreezeMail

#if Mail
import CGMime
#endif

/// Reads messages with GMime, and their HTML with libxml2.
///
/// Any number of threads may use it at once: both libraries are initialised once, what GMime registers lazily is
/// registered then, and every message has parsers, streams and options of its own.
public struct GMimeMessageParser: MessageParser {
    /// Whether this build can read mail.
    public static var isAvailable: Bool {
        #if Mail
        true
        #else
        false
        #endif
    }

    /// What ``parse(_:limits:)`` throws where ``isAvailable`` is `false`.
    public static var unavailable: BreezeError {
        BreezeError(
            .unavailable,
            "This build of Breeze reads no mail: it was made without the trait Mail.",
            remedy:
                "Install libgmime-3.0-dev, libxml2-dev, libpsl-dev and libicu-dev, then: swift build --traits "
                + "Hub,Llama,Archives,Mail (or make setup, make build)."
        )
    }

    public init() {}

    public func parse(_ source: MailSource, limits: MailLimits) throws -> MailMessage {
        #if Mail
        let input = try MessageInput(source, limits: limits)
        var builder = MessageBuilder(input, limits: limits)
        return builder.build()
        #else
        throw Self.unavailable
        #endif
    }

    public func content(of index: Int, in source: MailSource, limit: Int) throws -> [UInt8] {
        #if Mail
        let input = try MessageInput(source, limits: MailLimits())
        let walk = PartWalk(input.message, limits: MailLimits())
        guard let part = walk.leaf(at: index) else { return [] }
        return PartContent(part).read(limit: limit).bytes
        #else
        throw Self.unavailable
        #endif
    }

    public func digest(of index: Int, in source: MailSource) throws -> String? {
        #if Mail
        let input = try MessageInput(source, limits: MailLimits())
        let walk = PartWalk(input.message, limits: MailLimits())
        return walk.leaf(at: index).map { part in
            var digest = ContentDigest()
            PartContent(part).forEachPiece { digest.add($0) }
            return digest.finish()
        }
        #else
        throw Self.unavailable
        #endif
    }
}
