public import BreezeCore
public import Foundation
import Synchronization

/// One ``BreezeClient`` for the whole app: configure it where the app starts, then ask.
public enum Breeze {
    private static let shared = Mutex<BreezeClient?>(nil)

    /// - Throws: ``BreezeError/Code/callbackNotRegistered`` where the app's Info.plist lacks the callback
    ///   scheme.
    public static func configure(
        appName: String,
        callbackScheme: String? = nil,
        fallback: Fallback = .none
    ) throws(BreezeError) {
        try configure(
            BreezeConfiguration(appName: appName, callbackScheme: callbackScheme, fallback: fallback)
        )
    }

    /// What was configured before is replaced; what runs goes on.
    public static func configure(_ configuration: BreezeConfiguration) throws(BreezeError) {
        let client = BreezeClient(configuration)
        try client.checkCallback()
        shared.withLock { $0 = client }
    }

    /// - Throws: ``BreezeError/Code/notConfigured``.
    public static var client: BreezeClient {
        get throws(BreezeError) {
            guard let client = shared.withLock({ $0 }) else { throw KitFault.notConfigured }
            return client
        }
    }

    /// For tests of the time before.
    static func forgetConfiguration() {
        shared.withLock { $0 = nil }
    }

    public static func status() async throws(BreezeError) -> BreezeStatus { await (try client).status() }

    /// To be given every URL that the system hands to the app.
    /// - Returns: Whether it was an answer of the hub; one that is not stays the app's own.
    @discardableResult
    public static func handle(url: URL) throws(BreezeError) -> Bool { try client.handle(url) }

    /// Ends the request with this id.
    /// - Returns: Whether there was such a request.
    @discardableResult
    public static func cancel(_ id: String) async throws(BreezeError) -> Bool {
        await (try client).cancel(id)
    }

    /// Ends the request that began last, of those that run.
    @discardableResult
    public static func cancelLast() async throws(BreezeError) -> Bool { await (try client).cancelLast() }
}
