public import BreezeCore
import Foundation

/// What a client needs to know of its app. The name is enough to begin with.
public struct BreezeConfiguration: Sendable {
    /// As the owner of the device reads it when the app asks to be let in; at most 64 characters.
    public var appName: String
    /// The app's own scheme, `mycoolapp`, through which answers come back where the hub is reached by its URL
    /// scheme.
    public var callbackScheme: String?
    /// Who answers where no hub is there.
    public var fallback: Fallback
    /// What the app asks the owner for. Fewer are granted sooner.
    public var capabilities: [AICapability]
    /// Whether it also asks that the hub's network runners may answer, where the owner consented to them.
    public var asksForNetwork: Bool
    public var hub: HubLocation
    public var timeouts: HubTimeouts
    public var keys: KeyStore
    public var consents: ConsentStore
    /// `nil` where the hub's URL scheme is not used.
    public var scheme: (any SchemeTransport)?
    public var host: HostApp

    package var environment: [String: String]
    package var clock: any Clock<Duration> = ContinuousClock()

    /// `keys` and `consents` are files in the app's own state folder, unless they are given.
    public init(
        appName: String,
        callbackScheme: String? = nil,
        fallback: Fallback = .none,
        capabilities: [AICapability] = [.chat, .vlm, .embedding, .classification, .asr, .tts, .guardian],
        asksForNetwork: Bool = false,
        hub: HubLocation = .standard,
        timeouts: HubTimeouts = HubTimeouts(),
        keys: KeyStore? = nil,
        consents: ConsentStore? = nil,
        scheme: (any SchemeTransport)? = nil,
        host: HostApp = .current
    ) {
        environment = ProcessInfo.processInfo.environment
        let folder = AppFolder.url(appName, environment)
        self.appName = appName
        self.callbackScheme = callbackScheme
        self.fallback = fallback
        self.capabilities = capabilities
        self.asksForNetwork = asksForNetwork
        self.hub = hub
        self.timeouts = timeouts
        self.keys = keys ?? FileStore<HubKey>(folder.appending(path: "hub-key.json"))
        self.consents = consents ?? FileStore<NetworkConsent>(folder.appending(path: "network-consent.json"))
        self.scheme = scheme
        self.host = host
    }
}
