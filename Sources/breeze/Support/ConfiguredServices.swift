import BreezeAPIRunner
import BreezeCore
import BreezeEngine
import BreezeSecrets
import Foundation

/// The network services that the settings name, each with its models. They answer only where `privacy.consent` names
/// them, too.
struct ConfiguredServices {
    /// Backends of this program's own: a consent to a service of that name would say something else.
    private static let taken: Set = ["encoder", "llama", "mock", "rules"]

    let settings: SettingsStore
    let environment: [String: String]

    /// - Throws: ``BreezeError/Code/invalidSetting``, naming the setting.
    func runners() throws -> [any Runner] {
        let services = try services()
        // Most have none, and no way out is made for them.
        guard !services.isEmpty else { return [] }
        let transport = try OutgoingTransport.make(environment: environment, settings: settings)
        let secrets = Credentials.service(environment: environment)
        return try services.flatMap { service in
            let credential = try service.keyName.map { try Self.credential($0, secrets.services) }
            return try APIRunner.all(of: service, transport: transport) {
                guard let credential else { return nil }
                return try await secrets.credential(for: credential)?.key.reveal()
            }
        }
    }

    private func services() throws -> [APIService] {
        let settings = try settings.current()
        return try settings.services.map { try service($0, settings.service($0)) }
    }

    private func service(_ name: String, _ configured: EngineSettings.Service) throws -> APIService {
        guard !Self.taken.contains(name) else {
            throw wrong(name, "url", "the name is that of a runner of this device")
        }
        var models = configured.models.map { APIModel($0) }
        models += configured.visionModels.map { APIModel($0, capabilities: [.chat, .vlm]) }
        models += configured.embeddingModels.map { APIModel($0, capabilities: [.embedding]) }
        guard !models.isEmpty else {
            throw wrong(name, "models", "it names no model of the service")
        }
        var service: APIService
        switch (name, configured.url) {
        case ("openrouter", nil): service = .openRouter(models: models)
        case ("openai", nil): service = .openAI(models: models)
        case (_, let url?):
            guard let address = URL(string: url) else { throw wrong(name, "url", "it is no address") }
            service = APIService(name: name, baseURL: address, models: models)
        case (_, nil):
            throw wrong(name, "url", "it is missing, and only openrouter and openai are known without one")
        }
        if let dialect = configured.dialect.flatMap(APIService.Dialect.init) { service.dialect = dialect }
        if let key = configured.key { service.keyName = key }
        try service.validate()
        return service
    }

    private static func credential(_ name: String, _ known: CredentialServices) throws -> CredentialService {
        try known.all.first { $0.name == name }
            ?? CredentialService.custom(String(name.trimmingPrefix("custom:")))
    }

    private func wrong(_ service: String, _ field: String, _ what: String) -> BreezeError {
        BreezeError(
            .invalidSetting,
            "The setting services.\(service).\(field) does not do: \(what).",
            remedy: "Correct it, or forget the service: breeze config unset services.\(service).\(field)"
        )
    }
}
