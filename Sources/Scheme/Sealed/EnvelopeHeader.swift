#if Hub || Pairing
import BreezeCore

/// What stands in front of an envelope, readable by everybody and sealed along with it.
package struct EnvelopeHeader: Hashable, Sendable {
    /// The raw values are the bytes on the wire.
    package enum Kind: UInt8, Sendable {
        case request = 1, answer, requestPart, answerPart

        var isAnswer: Bool { self == .answer || self == .answerPart }
        /// To the hub, or to the app.
        static let questions: Set<Kind> = [.request, .requestPart]
        static let answers: Set<Kind> = [.answer, .answerPart]
    }

    package let kind: Kind
    package let app: AppID
    package let nonce: MessageNonce
    /// Milliseconds since 1970.
    package let expiry: UInt64
    /// The nonce of the envelope that this answers; `nil` in questions.
    package let question: MessageNonce?

    static let magic = Array("BRZ1".utf8)

    package init(
        _ kind: Kind,
        app: AppID,
        nonce: MessageNonce,
        expiry: UInt64,
        answering question: MessageNonce? = nil
    ) {
        precondition(kind.isAnswer == (question != nil), "answers name their question, and nothing else does")
        self.kind = kind
        self.app = app
        self.nonce = nonce
        self.expiry = expiry
        self.question = question
    }

    package var bytes: [UInt8] {
        let expiry = (0..<8).map { UInt8(truncatingIfNeeded: self.expiry >> (56 - 8 * $0)) }
        return Self.magic + [kind.rawValue] + app.bytes + nonce.bytes + expiry + (question?.bytes ?? [])
    }

    /// What can be known without a key.
    /// - Throws: ``BreezeError`` `.unsupportedVersion`, `.invalidEnvelope`.
    init(parsing envelope: [UInt8], kinds: Set<Kind>) throws(BreezeError) {
        try Self.checkVersion(envelope)
        guard envelope.starts(with: Self.magic), envelope.count > Self.magic.count,
            let kind = Kind(rawValue: envelope[4]), kinds.contains(kind)
        else { throw SchemeFault.envelope("it is none that goes this way") }
        let length = kind.isAnswer ? 49 : 37
        guard envelope.count > length + Envelope.tagLength else {
            throw SchemeFault.envelope("it is too short")
        }
        guard let app = AppID(envelope[5..<17]), let nonce = MessageNonce(envelope[17..<29]) else {
            throw SchemeFault.envelope("it names no app")
        }
        self.kind = kind
        self.app = app
        self.nonce = nonce
        expiry = envelope[29..<37].reduce(0) { $0 << 8 | UInt64($1) }
        question = kind.isAnswer ? MessageNonce(envelope[37..<49]) : nil
    }

    static func checkVersion(_ data: [UInt8]) throws(BreezeError) {
        guard data.count >= magic.count, data.starts(with: magic.prefix(3)), data[3] != magic[3] else {
            return
        }
        throw SchemeFault.version
    }
}
#endif
