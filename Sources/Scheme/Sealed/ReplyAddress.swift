#if Hub || Pairing
package import BreezeCore

/// Where the answer to one envelope goes: to the app that sealed it, naming it.
package struct ReplyAddress: Sendable {
    package let app: PairedApp
    package let header: EnvelopeHeader

    static let lifetime: Int64 = 600_000

    init(_ app: PairedApp, _ header: EnvelopeHeader) {
        self.app = app
        self.header = header
    }

    /// What an answer calls an envelope whose message has no id, or was not read.
    package var requestID: String { header.nonce.hexadecimal }

    /// One envelope, of any size: ``CallbackScheme/answer(_:)`` says whether a URL takes it. The hub's `time` goes into
    /// the answer.
    package func seal(
        _ answer: SchemeAnswer,
        at time: Int64,
        nonce: MessageNonce = .random()
    ) throws(BreezeError) -> Envelope {
        var answer = answer
        answer.time = time
        return try seal(.answer, answer.bytes(), at: time, nonce: nonce)
    }

    /// A part that ``MessageParts/cut(_:)`` made of an answer's bytes.
    package func seal(
        part: [UInt8],
        at time: Int64,
        nonce: MessageNonce = .random()
    ) throws(BreezeError) -> Envelope {
        try seal(.answerPart, part, at: time, nonce: nonce)
    }

    private func seal(
        _ kind: EnvelopeHeader.Kind,
        _ plaintext: [UInt8],
        at time: Int64,
        nonce: MessageNonce
    ) throws(BreezeError) -> Envelope {
        let answer = EnvelopeHeader(
            kind,
            app: app.id,
            nonce: nonce,
            expiry: UInt64(max(0, time) + Self.lifetime),
            answering: header.nonce
        )
        return try Envelope(sealing: plaintext, answer, key: app.keys.toApp)
    }
}
#endif
