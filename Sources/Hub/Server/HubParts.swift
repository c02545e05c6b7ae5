#if Hub
package import BreezeAccess
import BreezeCore
package import BreezeEngine
package import BreezeModels
import Foundation
import Synchronization

/// What a hub stands on.
package struct HubParts: Sendable {
    let engine: Engine
    let settings: any SettingsSource
    let access: AccessControl
    let models: InstalledModels
    let version: String
    /// Mocks may answer, and the list of models says so.
    let allowsMocks: Bool
    /// How long requests that run may take to end when the hub stops.
    let grace: Duration
    let names: ModelNames
    let requests = RunningRequests()
    let started = Date()

    package init(
        engine: Engine,
        settings: any SettingsSource,
        access: AccessControl,
        store: ModelStore,
        version: String,
        allowsMocks: Bool = false,
        grace: Duration = .seconds(3)
    ) {
        self.engine = engine
        self.settings = settings
        self.access = access
        models = InstalledModels(store: store)
        self.version = version
        self.allowsMocks = allowsMocks
        self.grace = grace
        names = ModelNames(engine: engine, allowsMocks: allowsMocks)
    }
}
#endif
