#if Hub || Pairing
package import BreezeCore

/// An app that went through pairing. Whether the owner withdrew it since is asked after its message was read.
package struct PairedApp: Sendable {
    package let id: AppID
    /// Where its answers go, and nowhere else.
    package let callback: CallbackScheme
    package let keys: SealingKeys

    package init(_ id: AppID, callback: CallbackScheme, keys: SealingKeys) {
        self.id = id
        self.callback = callback
        self.keys = keys
    }
}

/// A message whose seal is right, which came in time and for the first time.
package struct ReceivedMessage: Sendable {
    package enum Content: Sendable {
        case message(HubMessage)
        /// A part came, and the next one is awaited.
        case part(next: Int)
    }

    package let content: Content
    /// Where its answer goes.
    package let reply: ReplyAddress
    /// The hub's time, for the answer.
    package let time: Int64
}

/// Why a sealed message is not taken.
package struct SealedRefusal: Error, Sendable {
    package let error: BreezeError
    /// Whom a sealed answer tells it; `nil` where nothing is opened.
    package let reply: ReplyAddress?
    /// The hub's time, as far as it was looked at.
    package let time: Int64
}

/// The hub's side of sealed messages: what it does with an envelope, in the order of docs/url-scheme.md.
package struct SealedReceiver: Sendable {
    private let ledger: any NonceLedger
    private let parts: any PartShelf
    private let handoff: HandoffFolder?
    private let app: @Sendable (AppID) throws -> PairedApp?
    private var clock: HubClock

    /// `handoff` is where files lie that URLs name, `nil` where there are none; `start` is when the process began;
    /// `app` finds whoever was paired under an id, withdrawn ones too.
    package init(
        ledger: any NonceLedger,
        parts: any PartShelf,
        handoff: HandoffFolder?,
        start: SchemeMoment,
        app: @escaping @Sendable (AppID) throws -> PairedApp?
    ) throws {
        self.ledger = ledger
        self.parts = parts
        self.handoff = handoff
        self.app = app
        clock = HubClock(last: try ledger.last(), uptime: start.uptime)
    }

    /// The hub's time.
    package func now(_ moment: SchemeMoment) -> Int64 { clock.now(moment) }

    /// What `breezeapp://sealed` brought: an envelope, or a pointer to one.
    package mutating func receive(
        _ data: [UInt8],
        at moment: SchemeMoment
    ) throws(SealedRefusal) -> ReceivedMessage {
        let (reply, plaintext) = try opened(data, at: moment)
        let time = try take(reply, at: moment)
        do {
            let content = try read(plaintext, reply, at: time)
            return ReceivedMessage(content: content, reply: reply, time: time)
        } catch {
            throw SealedRefusal(error: Self.told(error), reply: reply, time: time)
        }
    }

    /// All that is done before the seal is known to be right. Nothing that is kept changes, and nobody is told.
    private func opened(
        _ data: [UInt8],
        at moment: SchemeMoment
    ) throws(SealedRefusal) -> (ReplyAddress, [UInt8]) {
        do {
            let bytes = try HandoffFolder.envelope(data, of: .request, in: handoff)
            let envelope = try Envelope(parsing: bytes, kinds: EnvelopeHeader.Kind.questions)
            guard let app = try app(envelope.header.app) else { throw SchemeFault.notPaired }
            return (ReplyAddress(app, envelope.header), try envelope.open(app.keys.toHub))
        } catch {
            throw SealedRefusal(error: Self.told(error), reply: nil, time: now(moment))
        }
    }

    private mutating func take(_ reply: ReplyAddress, at moment: SchemeMoment) throws(SealedRefusal) -> Int64
    {
        let now = now(moment)
        let header = reply.header
        let decision: NonceDecision
        do {
            decision = try ledger.take(header.nonce, of: header.app, until: header.expiry, at: now)
        } catch {
            throw SealedRefusal(error: Self.unwritten(error), reply: reply, time: now)
        }
        switch decision {
        case .taken(let time):
            clock.learn(time, uptime: moment.uptime)
            return time
        case .expired(let time, let isToBeTold):
            throw SealedRefusal(error: SchemeFault.expired, reply: isToBeTold ? reply : nil, time: time)
        case .replayed:
            throw SealedRefusal(error: SchemeFault.replayed, reply: nil, time: now)
        case .full:
            let wait = Int64(NonceRules.lifetime)
            let error = SchemeFault.rateLimited(
                "Too many messages of this app are remembered",
                retryAfter: wait
            )
            throw SealedRefusal(error: error, reply: nil, time: now)
        }
    }

    private func read(
        _ plaintext: [UInt8],
        _ reply: ReplyAddress,
        at time: Int64
    ) throws -> ReceivedMessage.Content {
        guard reply.header.kind == .requestPart else { return .message(try HubMessage(parsing: plaintext)) }
        let app = reply.app.id
        switch try MessageParts.join(parts.takeParts(of: app), plaintext, at: time) {
        case .whole(let whole): return .message(try HubMessage(parsing: whole))
        case .more(let set):
            try parts.putParts(set, of: app)
            return .part(next: set.next)
        }
    }

    private static func told(_ error: any Error) -> BreezeError {
        error as? BreezeError ?? unwritten(error)
    }

    private static func unwritten(_ error: any Error) -> BreezeError {
        BreezeError(
            .internalError,
            "What the hub keeps of messages could not be read or written.",
            remedy: "See the hub's log.",
            underlying: error
        )
    }
}
#endif
