import BreezeCore
public import BreezeDownloads
import BreezeModels
public import BreezeTransport
public import Foundation

/// The models of Kaggle. It states no SHA-256: the first download's is kept, and a later change is an error.
///
/// Sources: kagglehub (`clients.py`, `http_resolver.py`), the Kaggle API's own description.
public struct KaggleProvider: ModelProvider {
    public let name = "kaggle"
    private let endpoint: URL
    private let credentials: @Sendable () async throws -> (user: String, key: String)?
    private let client: ProviderClient

    public init(
        transport: any HTTPTransport,
        endpoint: URL,
        credentials: @escaping @Sendable () async throws -> (user: String, key: String)? = { nil }
    ) {
        self.endpoint = endpoint
        self.credentials = credentials
        client = ProviderClient(
            transport: transport,
            name: name,
            service: "Kaggle",
            remedy: "breeze secrets set kaggle, or set KAGGLE_USERNAME and KAGGLE_KEY"
        )
    }

    public func requiresAuthentication() async -> Bool { false }

    public func discoverModels(_ query: ModelQuery) async throws -> [ModelOffer] {
        var items = [
            URLQueryItem(name: "search", value: query.text),
            URLQueryItem(name: "pageSize", value: "\(query.limit)"),
        ]
        if let owner = query.author { items.append(URLQueryItem(name: "owner", value: owner)) }
        let url = endpoint.appending(path: "models/list").appending(queryItems: items)
        let page = try await client.get(url, try await headers(), as: Page.self).answer
        try page.check()
        return (page.models ?? []).prefix(query.limit).map { model in
            ModelOffer(
                reference: ModelReference(provider: name, repository: model.ref ?? model.slug ?? ""),
                name: model.title ?? model.ref ?? "",
                author: model.author
            )
        }
    }

    public func resolve(_ reference: ModelReference) async throws -> ModelPackage {
        let parts = reference.repository.split(separator: "/").map(String.init)
        guard parts.count == 4, parts.allSatisfy(Self.isPlain) else {
            throw BreezeError(
                .invalidParameter,
                "\"\(reference.repository)\" names no edition of a model at Kaggle.",
                remedy: "Write kaggle:OWNER/MODEL/FRAMEWORK/VARIATION, as its page does."
            )
        }
        let path = "models/" + parts.joined(separator: "/")
        let instance = try await client.get(
            endpoint.appending(path: path + "/get"),
            try await headers(),
            as: Instance.self
        ).answer
        try instance.check()
        guard let version = reference.revision ?? instance.versionNumber.map(String.init) else {
            throw BreezeError(.invalidResponse, "Kaggle names no version of \(reference.repository).")
        }
        let files = try await files("\(path)/\(version)")
        let names = try FileChoice.choose(reference.files, among: files.map(\.name))
        let sizes = Dictionary(files.map { ($0.name, $0.totalBytes ?? $0.size) }) { first, _ in first }
        return ModelPackage(
            offer: ModelOffer(
                reference: ModelReference(
                    provider: name,
                    repository: reference.repository,
                    revision: version
                ),
                name: parts.joined(separator: "/"),
                author: parts[0],
                license: instance.licenseName
            ),
            revision: version,
            files: names.map {
                ModelPackage.File(
                    name: $0,
                    url: endpoint.appending(path: "\(path)/\(version)/download/\($0)"),
                    size: sizes[$0] ?? nil
                )
            },
            license: ModelLicense(named: instance.licenseName.map(ModelLicense.canonical)),
            suggestedID: FileChoice.id(parts[1] + "-" + parts[3])
        )
    }

    public func downloadModel(_ package: ModelPackage) async throws -> DownloadPlan {
        DownloadPlan(
            id: package.suggestedID,
            files: package.downloads,
            authorization: DownloadAuthorization(name: name, service: client.service, remedy: client.remedy) {
                [self] url, _ in
                url.host() == endpoint.host() && url.port == endpoint.port ? try await headers() : [:]
            }
        )
    }

    private func files(_ path: String) async throws -> [Page.File] {
        var (found, token): ([Page.File], String?) = ([], nil)
        repeat {
            var items = [URLQueryItem(name: "pageSize", value: "100")]
            if let token { items.append(URLQueryItem(name: "pageToken", value: token)) }
            let url = endpoint.appending(path: path + "/files").appending(queryItems: items)
            let page = try await client.get(url, try await headers(), as: Page.self).answer
            try page.check()
            found += page.files ?? []
            token = page.nextPageToken.flatMap { $0.isEmpty ? nil : $0 }
        } while token != nil && found.count < 10_000
        return found
    }

    private func headers() async throws -> HeaderFields {
        guard let (user, key) = try await credentials() else { return [:] }
        return ["Authorization": "Basic \(Data("\(user):\(key)".utf8).base64EncodedString())"]
    }

    private static func isPlain(_ part: String) -> Bool {
        part != "." && part != ".."
            && part.utf8.allSatisfy { byte in
                (97...122).contains(byte) || (65...90).contains(byte) || (48...57).contains(byte)
                    || [45, 46, 95].contains(byte)
            }
    }
}

/// Kaggle says some of its failures with status 200.
private protocol KaggleAnswer {
    var code: Int? { get }
    var message: String? { get }
}

extension KaggleAnswer {
    func check() throws {
        guard let code, code >= 400 else { return }
        if code == 401 || code == 403 {
            throw BreezeError.authRequired(
                service: "kaggle",
                "Kaggle: \(message ?? "a credential is needed, or the model's terms were not accepted.")",
                remedy: "Accept them on the model's page, then: breeze secrets set kaggle"
            )
        }
        throw BreezeError(.unknownModel, "Kaggle: \(message ?? "error \(code)").")
    }
}

extension KaggleProvider {
    private struct Page: Decodable, KaggleAnswer {
        struct Model: Decodable {
            let ref: String?
            let title: String?
            let author: String?
            let slug: String?
        }

        struct File: Decodable {
            let name: String
            let size: Int64?
            let totalBytes: Int64?
        }

        let models: [Model]?
        let files: [File]?
        let nextPageToken: String?
        let code: Int?
        let message: String?
    }

    private struct Instance: Decodable, KaggleAnswer {
        let versionNumber: Int?
        let licenseName: String?
        let code: Int?
        let message: String?
    }
}
