#if Hub
package import BreezeAccess
package import BreezeCatalog
import BreezeCore
package import BreezeEngine
package import BreezeSecrets
package import BreezeTransport
import Foundation

/// What a hub stands on.
package struct HubParts: Sendable {
    let engine: Engine
    let settings: SettingsStore
    let access: AccessControl
    let models: InstalledModels
    let manager: ModelManager
    let secrets: SecretsService
    let scheme: SchemeDesk
    let mail: MailDesk
    /// Asks a service whether it takes a key.
    let checkSecret: SecretCheck
    let ledger: EgressLedger
    let version: String
    /// Mocks may answer, and the list of models says so.
    let allowsMocks: Bool
    /// Takes up what was installed and removed.
    let refresh: @Sendable () async throws -> Void
    /// How long requests that run may take to end when the hub stops.
    let grace: Duration
    let names: ModelNames
    let requests = RunningRequests()
    let started = Date()

    package init(
        engine: Engine,
        settings: SettingsStore,
        access: AccessControl,
        manager: ModelManager,
        secrets: SecretsService,
        scheme: SchemeDesk,
        mail: MailDesk,
        checkSecret: @escaping SecretCheck,
        ledger: EgressLedger,
        version: String,
        allowsMocks: Bool = false,
        grace: Duration = .seconds(3),
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        self.engine = engine
        self.settings = settings
        self.access = access
        self.manager = manager
        self.secrets = secrets
        self.scheme = scheme
        self.mail = mail
        self.checkSecret = checkSecret
        self.ledger = ledger
        self.version = version
        self.allowsMocks = allowsMocks
        self.grace = grace
        let (models, names) = (
            InstalledModels(store: manager.store), ModelNames(engine: engine, allowsMocks: allowsMocks)
        )
        (self.models, self.names) = (models, names)
        self.refresh = {
            try await refresh()
            names.forget()
            models.forget()
        }
    }
}
#endif
