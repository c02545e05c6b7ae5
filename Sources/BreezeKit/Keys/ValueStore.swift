import Synchronization

/// Where an app keeps one small value between two starts: a file by default, the Keychain where an app
/// prefers it.
public protocol ValueStore<Value>: Sendable {
    associatedtype Value: Sendable

    /// `nil` where nothing is kept.
    func load() async throws -> Value?
    func save(_ value: Value) async throws
    func remove() async throws
}

/// Where the key is kept that the hub gave the app.
public typealias KeyStore = any ValueStore<HubKey>
/// Where it is kept that the user allowed a network service.
public typealias ConsentStore = any ValueStore<NetworkConsent>

/// What a hub gave this app when it registered. The text is a secret.
public struct HubKey: Codable, Hashable, Sendable {
    /// The app's id at the hub, as `breeze apps` lists it.
    public let app: String
    public let text: String

    public init(app: String, text: String) {
        self.app = app
        self.text = text
    }
}

extension HubKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "HubKey(\(app), •••)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The user's yes to a network service, for when no hub is there.
public struct NetworkConsent: Codable, Hashable, Sendable {
    /// The id of the fallback runner that it is for: another one is asked about anew.
    public let runner: String

    public init(runner: String) {
        self.runner = runner
    }
}

/// For as long as the process lives: for tests, and for apps that must leave nothing behind.
public final class MemoryStore<Value: Sendable>: ValueStore {
    private let value: Mutex<Value?>

    public init(_ value: Value? = nil) {
        self.value = Mutex(value)
    }

    public func load() -> Value? { value.withLock { $0 } }
    public func save(_ new: Value) { value.withLock { $0 = new } }
    public func remove() { value.withLock { $0 = nil } }
}
