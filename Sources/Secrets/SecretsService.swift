import BreezeCore
public import Foundation

/// Asks the person at the terminal for a service's values, one for each of its parts; `nil` where they decline.
public typealias CredentialPrompt = @Sendable (CredentialService) async throws -> [String]?

/// The credentials of services: from the environment, else from the system's store, else from the sealed file.
///
/// No value is ever in a description, an error or a log.
public actor SecretsService {
    public nonisolated let services: CredentialServices
    private let environment: EnvironmentCredentials
    private let system: any SecretStore
    private let sealed: any SecretStore
    /// How long the system's store may take to answer.
    private let patience: Duration
    /// What was typed, or that it was declined: nobody is asked twice for the same.
    private var asked: [String: Task<Credential?, any Error>] = [:]

    /// `environment` is the process's own: what it says of the session's bus is what the system's library goes by.
    /// The sealed file lies in `folder`, or will.
    public init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        folder: URL,
        services: CredentialServices = .builtIn
    ) {
        #if canImport(Security)
        let system: any SecretStore = KeychainStore()
        #elseif os(Linux)
        let system: any SecretStore = SecretServiceStore(environment: environment)
        #else
        let system: any SecretStore = NoSystemStore()
        #endif
        self.init(
            environment: environment,
            system: system,
            sealed: SealedFileStore(folder: folder),
            services: services
        )
    }

    package init(
        environment: [String: String],
        system: any SecretStore,
        sealed: any SecretStore,
        services: CredentialServices = .builtIn,
        patience: Duration = .seconds(10)
    ) {
        self.environment = EnvironmentCredentials(environment)
        self.system = system
        self.sealed = sealed
        self.services = services
        self.patience = patience
    }

    // MARK: - Reading

    /// `nil` where no source has it; nobody is asked.
    /// - Throws: ``BreezeError`` where the source that has it cannot be used: the next one would be a surprise.
    public func credential(for service: CredentialService) async throws -> Credential? {
        try await search(service).credential
    }

    /// What a request that cannot do without it calls. `ask` is given only where somebody is there to answer, and is
    /// called once for each service; what is typed is kept for this process alone.
    /// - Throws: ``BreezeError`` `.authRequired` with the service's name and the variable to set.
    public func require(
        _ service: CredentialService,
        ask: CredentialPrompt? = nil
    ) async throws -> Credential {
        let search = try await search(service)
        if let credential = search.credential { return credential }
        if let ask, let credential = try await typed(service, ask) { return credential }
        let missing = service.parts.map(\.name).joined(separator: " and ")
        let notes = search.notes.map { " \($0)." }.joined()
        throw BreezeError.authRequired(
            service: service.name,
            "\(service.title) needs the \(missing), and none was found.\(notes)",
            remedy: service.remedy
        )
    }

    private struct Search {
        var credential: Credential?
        /// Why sources were passed over; each without its full stop.
        var notes: [String] = []
    }

    private func search(_ service: CredentialService) async throws -> Search {
        let given = try environment.find(service)
        if let credential = given.credential { return Search(credential: credential) }
        var search = Search(notes: [given.note].compactMap(\.self))
        for store in [system, sealed] {
            do {
                if let values = try await using(store, { try $0.read(service) }) {
                    search.credential = Credential(service: service, values: values, source: store.source)
                    return search
                }
            } catch {
                search.notes += try [note(store, error)].compactMap(\.self)
            }
        }
        return search
    }

    private func typed(
        _ service: CredentialService,
        _ ask: @escaping CredentialPrompt
    ) async throws -> Credential? {
        if let task = asked[service.name] { return try await task.value }
        let task = Task { () throws -> Credential? in
            guard let texts = try await ask(service) else { return nil }
            return Credential(
                service: service,
                values: try Self.checked(texts, for: service),
                source: CredentialSource(.terminal)
            )
        }
        asked[service.name] = task
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            // A mistyped or interrupted answer may be given again.
            asked[service.name] = nil
            throw error
        }
    }

    // MARK: - Changing

    /// What a change came to.
    public struct Change: Sendable, Encodable {
        public let name: String
        /// Where it is kept, or what it was removed from.
        public let stores: [CredentialSource]
        /// What its user should know besides, a sentence each.
        public let notes: [String]
    }

    /// Keeps a credential, a text for each of the service's parts: in the system's store where it is unlocked, else
    /// in the sealed file.
    public func set(_ service: CredentialService, to texts: [String]) async throws -> Change {
        let values = try Self.checked(texts, for: service)
        asked[service.name] = nil
        var notes: [String] = []
        var kept = system.source
        do {
            try await using(system) { try $0.write(service, values) }
        } catch {
            kept = sealed.source
            if let note = try note(system, error) {
                notes.append("\(note). An older value in it would come first again.")
            }
        }
        if kept == sealed.source {
            try await using(sealed) { try $0.write(service, values) }
        } else {
            // An older one there would be what is left when the system's store is locked.
            _ = try await using(sealed) { try $0.remove(service) }
        }
        if let given = try? environment.find(service).credential {
            notes.append("Now, \(given.source) comes first.")
        }
        return Change(name: service.name, stores: [kept], notes: notes)
    }

    /// - Throws: ``BreezeError`` `.invalidRequest` where no store has it.
    public func remove(_ service: CredentialService) async throws -> Change {
        asked[service.name] = nil
        var removed: [CredentialSource] = []
        var notes: [String] = []
        for store in [system, sealed] {
            do {
                if try await using(store, { try $0.remove(service) }) { removed.append(store.source) }
            } catch {
                notes += try [note(store, error).map { "\($0). It may hold one still." }].compactMap(\.self)
            }
        }
        if let given = try? environment.find(service).credential {
            notes.append("\(given.source.description.capitalizedFirst) still gives one.")
        }
        guard !removed.isEmpty else {
            throw BreezeError(
                .invalidRequest,
                (["Nothing is kept for \(service.title)."] + notes).joined(separator: " "),
                remedy: "See what there is: breeze secrets list"
            )
        }
        return Change(name: service.name, stores: removed, notes: notes)
    }

    /// Work on a store, off the pool. The sealed file needs nobody's answer.
    private func using<Value: Sendable>(
        _ store: any SecretStore,
        _ body: @escaping @Sendable (any SecretStore) throws -> Value
    ) async throws -> Value {
        guard store.source != sealed.source else { return try await OwnThread.run { try body(store) } }
        let late = BreezeError(.timeout, "It did not answer.", remedy: "Try again, or see breeze doctor.")
        return try await OwnThread.run(limit: patience, late: late) { try body(store) }
    }

    /// Why a store was passed over, without a full stop; `nil` where there simply is none.
    /// - Throws: What the sealed file has against being used: there is nothing after it.
    private func note(_ store: any SecretStore, _ error: any Error) throws -> String? {
        let name = store.source.description.capitalizedFirst
        switch error {
        case let unavailable as SecretStoreUnavailable:
            switch unavailable.state {
            case .ready, .broken: return nil
            case .locked(let why): return "\(name) could not be asked: \(why)"
            case .absent(let why):
                guard store.source == sealed.source else { return nil }
                throw BreezeError(.unavailable, "Secrets cannot be kept in a file: \(why).")
            }
        case let fault as BreezeError where store.source != sealed.source:
            return "\(name) could not be asked: \(fault.message.withoutFullStop)"
        default: throw error
        }
    }

    private static func checked(_ texts: [String], for service: CredentialService) throws -> [Secret] {
        guard let values = try service.values(texts) else {
            let parts = service.parts.map(\.name).joined(separator: ", then the ")
            throw BreezeError(
                .invalidRequest,
                "\(service.title) wants \(service.parts.count == 1 ? "one value" : "\(service.parts.count) values"),"
                    + " and \(texts.count) came.",
                remedy: "Give the \(parts), each on a line of its own."
            )
        }
        return values
    }

    // MARK: - What there is

    /// Which stores there are and which one is written to, in the order in which they are read.
    public func stores() async -> [SecretStoreStatus] {
        let states = await [state(of: system), state(of: sealed)]
        let inUse = states.firstIndex(of: .ready)
        return zip([system, sealed], states).enumerated().map { index, pair in
            SecretStoreStatus(source: pair.0.source, state: pair.1, isInUse: index == inUse)
        }
    }

    private func state(of store: any SecretStore) async -> SecretStoreState {
        do { return try await using(store) { $0.state() } } catch {
            return .broken(error as? BreezeError ?? BreezeError(.internalError, "\(error)"))
        }
    }

    /// Every known service, then the user's own that a store keeps.
    public func list() async -> [CredentialStatus] {
        let kept = [(system.source, await names(in: system)), (sealed.source, await names(in: sealed))]
        let known = Set(services.all.map(\.name))
        let others = Set(kept.flatMap(\.1)).subtracting(known).sorted().compactMap { try? services.named($0) }
        return (services.all + others).map { service in
            var sources = kept.filter { $0.1.contains(service.name) }.map(\.0)
            var notes: [String] = []
            do {
                let given = try environment.find(service)
                sources = [given.credential?.source].compactMap(\.self) + sources
                notes = [given.note].compactMap(\.self)
            } catch {
                notes = [(error as? BreezeError)?.message].compactMap(\.self)
            }
            return CredentialStatus(service: service, sources: sources, notes: notes)
        }
    }

    /// Where a store cannot be used, ``stores()`` says why.
    private func names(in store: any SecretStore) async -> [String] {
        (try? await using(store) { try $0.names() }) ?? []
    }
}

extension String {
    /// As a sentence begins.
    var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }

    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
