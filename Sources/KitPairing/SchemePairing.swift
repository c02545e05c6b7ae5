#if Hub || Pairing
public import BreezeCore
public import BreezeKit
import BreezeScheme
import Foundation

/// What is kept of a pairing. The keys are secrets.
public struct SchemePairing: Codable, Sendable {
    /// The app's id at the hub, as `breeze apps` lists it.
    public let app: String
    /// The scheme that answers come back to.
    public let callback: String
    /// What the owner granted, and whether network runners may answer it: `onDevice`, `networkAllowed`.
    public let granted: [String: String]
    /// Whether the hub has said that it ended. It is kept all the same: what was sealed once is not sent
    /// readable because somebody ended it.
    public internal(set) var isOver = false
    private let toHub: Data
    private let toApp: Data

    init(_ paired: AppPairing.Paired, callback: CallbackScheme) {
        app = paired.app.text
        self.callback = callback.name
        granted = paired.granted.mapValues(\.rawValue)
        toHub = Data(paired.keys.toHub.bytes)
        toApp = Data(paired.keys.toApp.bytes)
    }

    public var capabilities: Set<AICapability> { Set(granted.keys.map { AICapability(rawValue: $0) }) }

    /// `nil` where it was damaged.
    var session: AppSession? {
        guard let id = AppID(app), let toHub = SealingKey(Array(toHub)),
            let toApp = SealingKey(Array(toApp))
        else { return nil }
        return AppSession(id, keys: SealingKeys(toHub: toHub, toApp: toApp))
    }
}

extension SchemePairing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "SchemePairing(\(app), •••)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Where a pairing is kept between two starts of the app.
public typealias PairingStore = any ValueStore<SchemePairing>
#endif
