import BreezeCore

/// The app's standing with the hub: registered on the first use, once, however many requests come at once.
actor HubRegistration {
    private let appName: String
    private let capabilities: [AICapability]
    private let network: Bool
    private let keys: KeyStore
    private var asking: Task<HubKey, any Error>?

    init(appName: String, capabilities: [AICapability], network: Bool, keys: KeyStore) {
        self.appName = appName
        self.capabilities = capabilities
        self.network = network
        self.keys = keys
    }

    nonisolated func storedKey() async throws -> HubKey? { try await keys.load() }

    /// The key that is kept, or a new one. What another request of this process is just asking for is waited
    /// for.
    /// - Throws: `.approvalPending` where the app has just been registered, and the owner has yet to approve
    ///   it.
    func key(over hub: HubHTTP) async throws -> HubKey {
        if let asking { return try await asking.value }
        let task = Task { try await findKey(over: hub) }
        asking = task
        defer { asking = nil }
        return try await task.value
    }

    /// Forgets the key that there is.
    func forget() async throws {
        try await keys.remove()
    }

    private func findKey(over hub: HubHTTP) async throws -> HubKey {
        if let key = try await keys.load() { return key }
        let registered = try await hub.register(appName, capabilities, network: network)
        let key = HubKey(app: registered.id, text: registered.key)
        try await keys.save(key)
        guard registered.state != "waiting" else { throw KitFault.waiting(appName, id: registered.id) }
        return key
    }
}
