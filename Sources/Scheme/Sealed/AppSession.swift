#if Hub || Pairing
package import BreezeCore

/// The app's side of sealed messages: its keys, and the nonces of messages that were not answered yet.
///
/// Times are the app's own clock, in milliseconds since 1970.
package struct AppSession: Sendable {
    package enum Received: Sendable {
        case answer(SchemeAnswer)
        /// A part of an answer came; ask for `next` with ``HubMessage/more(digest:next:)``.
        case part(digest: [UInt8], next: Int)
    }

    package let app: AppID
    private let keys: SealingKeys
    private var outstanding: Set<MessageNonce>
    private var parts: PartSet?
    /// How far the hub's time is ahead of this app's clock, as the last sealed answer told.
    package private(set) var ahead: Int64 = 0
    /// Which message the last answer was to that ``open(_:at:handoff:)`` took.
    package private(set) var answered: MessageNonce?

    static let lifetime: Int64 = 120_000

    package init(_ app: AppID, keys: SealingKeys, outstanding: Set<MessageNonce> = []) {
        self.app = app
        self.keys = keys
        self.outstanding = outstanding
    }

    /// Seals a message, and waits for its answer until ``forget(_:)``.
    package mutating func seal(
        _ message: HubMessage,
        at wall: Int64,
        nonce: MessageNonce = .random()
    ) throws(BreezeError) -> Envelope {
        try seal(.request, message.bytes(), at: wall, nonce: nonce)
    }

    /// One of the parts of a message that is larger than a URL takes.
    package mutating func seal(
        part: [UInt8],
        at wall: Int64,
        nonce: MessageNonce = .random()
    ) throws(BreezeError) -> Envelope {
        try seal(.requestPart, part, at: wall, nonce: nonce)
    }

    /// The parts of a message, for ``seal(part:at:nonce:)``.
    /// - Throws: ``BreezeError`` `.payloadTooLarge`.
    package static func parts(of message: HubMessage) throws(BreezeError) -> [[UInt8]] {
        try MessageParts.cut(message.bytes())
    }

    private mutating func seal(
        _ kind: EnvelopeHeader.Kind,
        _ plaintext: [UInt8],
        at wall: Int64,
        nonce: MessageNonce
    ) throws(BreezeError) -> Envelope {
        let expiry = UInt64(max(0, wall + ahead) + Self.lifetime)
        let header = EnvelopeHeader(kind, app: app, nonce: nonce, expiry: expiry)
        let envelope = try Envelope(sealing: plaintext, header, key: keys.toHub)
        outstanding.insert(nonce)
        return envelope
    }

    /// The app's own timeout: an answer to it is not taken any more.
    package mutating func forget(_ nonce: MessageNonce) {
        outstanding.remove(nonce)
    }

    /// What the callback's URL brought. `handoff` is where files lie that URLs name; `nil` where there are none.
    /// - Throws: ``BreezeError``: `.unsealedAnswer`, `.invalidEnvelope`, `.messageExpired`, `.replayed` and what a
    ///   hand-off or a part may be. None of them says anything about the request, which still runs.
    package mutating func open(
        _ data: [UInt8],
        at wall: Int64,
        handoff: HandoffFolder? = nil
    ) throws(BreezeError) -> Received {
        guard data.first != UInt8(ascii: "{") else { throw SchemeFault.unsealedAnswer }
        let bytes = try HandoffFolder.envelope(data, of: .answer, in: handoff)
        let envelope = try Envelope(parsing: bytes, kinds: EnvelopeHeader.Kind.answers)
        guard envelope.header.app == app else { throw SchemeFault.envelope("it is another app's") }
        let plaintext = try envelope.open(keys.toApp)
        guard envelope.header.expiry > UInt64(max(0, wall + ahead)) else { throw SchemeFault.expired }
        guard let question = envelope.header.question, outstanding.remove(question) != nil else {
            throw SchemeFault.replayed
        }
        answered = question
        guard envelope.header.kind == .answerPart else { return try read(plaintext, at: wall) }
        let begun = parts
        parts = nil
        switch try MessageParts.join(begun, plaintext, at: wall) {
        case .whole(let whole): return try read(whole, at: wall)
        case .more(let set):
            parts = set
            return .part(digest: set.digest, next: set.next)
        }
    }

    private mutating func read(_ plaintext: [UInt8], at wall: Int64) throws(BreezeError) -> Received {
        let answer = try SchemeAnswer(parsing: plaintext)
        if let time = answer.time { ahead = max(0, time - max(0, wall)) }
        return .answer(answer)
    }
}
#endif
