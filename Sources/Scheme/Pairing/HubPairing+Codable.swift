#if Hub || Pairing
import BreezeCore
import Foundation

/// A pairing goes from one process to the next: a hello and its reveal are two URLs.
///
/// The coded form holds a private key, later the keys of the pairing: for whoever keeps secrets, until it is over.
extension HubPairing: Codable {
    private struct Kept: Codable {
        struct Offered: Codable {
            let hello, key, offer: Data
            let app: String
            let since: Int64
        }

        struct Revealed: Codable {
            let hello, transcript, toHub, toApp: Data
            let app: String
            let since: Int64
        }

        var lastHello: Int64?
        var offered: Offered?
        var revealed: Revealed?
    }

    package func encode(to encoder: any Encoder) throws {
        var kept = Kept(lastHello: lastHello)
        switch state {
        case .idle: break
        case .offered(let hello, let app, let key, let offer, let since):
            kept.offered = Kept.Offered(
                hello: Data(hello.bytes),
                key: Data(key.privateBytes),
                offer: Data(offer),
                app: app.text,
                since: since
            )
        case .revealed(let hello, let agreement, let since):
            kept.revealed = Kept.Revealed(
                hello: Data(hello.bytes),
                transcript: Data(agreement.transcript),
                toHub: Data(agreement.keys.toHub.bytes),
                toApp: Data(agreement.keys.toApp.bytes),
                app: agreement.app.text,
                since: since
            )
        }
        try kept.encode(to: encoder)
    }

    package init(from decoder: any Decoder) throws {
        let kept = try Kept(from: decoder)
        self.init(lastHello: kept.lastHello)
        if let offered = kept.offered {
            guard let app = AppID(offered.app), let key = PairingKey(Array(offered.key)) else {
                throw Self.damaged(decoder)
            }
            let hello = try PairingHello(parsing: Array(offered.hello))
            state = .offered(hello, app: app, key: key, offer: Array(offered.offer), since: offered.since)
        } else if let revealed = kept.revealed {
            guard let app = AppID(revealed.app), let toHub = SealingKey(Array(revealed.toHub)),
                let toApp = SealingKey(Array(revealed.toApp))
            else { throw Self.damaged(decoder) }
            let agreement = PairingAgreement(
                app: app,
                keys: SealingKeys(toHub: toHub, toApp: toApp),
                transcript: Array(revealed.transcript)
            )
            let hello = try PairingHello(parsing: Array(revealed.hello))
            state = .revealed(hello, agreement, since: revealed.since)
        }
    }

    private static func damaged(_ decoder: any Decoder) -> DecodingError {
        .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not a pairing's state"))
    }
}
#endif
