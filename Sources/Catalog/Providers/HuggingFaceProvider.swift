import BreezeCore
public import BreezeDownloads
import BreezeModels
public import BreezeTransport
public import Foundation

/// The models of Hugging Face, or of a mirror that speaks its API.
///
/// Sources: huggingface_hub (`hf_api.py`, `file_download.py`, `errors.py`) and the Hub's API documentation.
public struct HuggingFaceProvider: ModelProvider {
    public let name = "huggingface"
    private let endpoint: URL
    private let token: @Sendable () async throws -> String?
    private let client: ProviderClient

    /// `endpoint` is `HF_ENDPOINT` where that is set; `token` is asked for at each use, `nil` where there is none.
    public init(
        transport: any HTTPTransport,
        endpoint: URL,
        token: @escaping @Sendable () async throws -> String? = { nil }
    ) {
        self.endpoint = endpoint
        self.token = token
        client = ProviderClient(
            transport: transport,
            name: name,
            service: "Hugging Face",
            remedy: "breeze secrets set huggingface, or set HF_TOKEN"
        )
    }

    public func requiresAuthentication() async -> Bool { false }

    public func discoverModels(_ query: ModelQuery) async throws -> [ModelOffer] {
        var items = [
            URLQueryItem(name: "limit", value: "\(query.limit)"), URLQueryItem(name: "full", value: "true"),
        ]
        if !query.text.isEmpty { items.append(URLQueryItem(name: "search", value: query.text)) }
        if let author = query.author { items.append(URLQueryItem(name: "author", value: author)) }
        if let format = query.format { items.append(URLQueryItem(name: "filter", value: format)) }
        items += [
            URLQueryItem(name: "sort", value: "downloads"), URLQueryItem(name: "direction", value: "-1"),
        ]
        let url = endpoint.appending(path: "api/models").appending(queryItems: items)
        let found = try await client.get(url, try await headers(), as: [Repository].self).answer
        return found.prefix(query.limit).map(\.offer)
    }

    public func resolve(_ reference: ModelReference) async throws -> ModelPackage {
        let revision = reference.revision ?? "main"
        let path = "api/models/\(reference.repository)/revision/\(Self.escaped(revision))"
        guard let url = URL(string: "\(base)/\(path)?blobs=true") else { throw Self.bad(reference) }
        let repository = try await client.get(url, try await headers(), as: Repository.self).answer
        if repository.disabled == true {
            throw BreezeError(.unknownModel, "Hugging Face has disabled \(reference.repository).")
        }
        // Pinned: a branch that moves on meanwhile must not mix two versions.
        let commit = repository.sha ?? revision
        let names = try FileChoice.choose(reference.files, among: repository.siblings?.map(\.rfilename) ?? [])
        let sizes = Dictionary((repository.siblings ?? []).map { ($0.rfilename, $0) }) { first, _ in first }
        let files = try names.map { name in
            guard let url = address(reference.repository, commit, name) else { throw Self.bad(reference) }
            let size = sizes[name]?.lfs?.size ?? sizes[name]?.size
            return ModelPackage.File(name: name, url: url, size: size, sha256: sizes[name]?.lfs?.sha256)
        }
        return ModelPackage(
            offer: repository.offer,
            revision: repository.sha,
            files: files,
            license: try await license(of: repository, commit),
            suggestedID: FileChoice.id(repository.id ?? reference.repository, names)
        )
    }

    public func downloadModel(_ package: ModelPackage) async throws -> DownloadPlan {
        DownloadPlan(
            id: package.suggestedID,
            files: package.downloads,
            authorization: DownloadAuthorization(
                name: name,
                service: client.service,
                remedy: "Accept the model's terms on its page, then: \(client.remedy)"
            ) { [self] url, _ in
                url.host() == endpoint.host() && url.port == endpoint.port ? try await headers() : [:]
            }
        )
    }

    /// The licence file's word where it can be told, else the card's.
    private func license(of repository: Repository, _ commit: String) async throws -> ModelLicense {
        let names = ["LICENSE", "LICENSE.txt", "LICENSE.md"]
        let file = repository.siblings?.map(\.rfilename).first { names.contains($0) }
        guard let file, let id = repository.id, let url = address(id, commit, file),
            let text = try await client.text(url, try await headers()),
            let name = ModelLicense.identify(text)
        else { return repository.license }
        var license = ModelLicense(named: name)
        license.url = url.absoluteString
        return license
    }

    private var base: String {
        let text = endpoint.absoluteString
        return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    private func headers() async throws -> HeaderFields {
        guard let token = try await token() else { return [:] }
        return ["Authorization": "Bearer \(token)"]
    }

    private func address(_ repository: String, _ revision: String, _ file: String) -> URL? {
        let path = file.split(separator: "/").map { Self.escaped(String($0)) }.joined(separator: "/")
        return URL(string: "\(base)/\(repository)/resolve/\(Self.escaped(revision))/\(path)")
    }

    /// Every character that is not plain, the slash too: a branch's name may hold one.
    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(
            charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        )
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }

    private static func bad(_ reference: ModelReference) -> BreezeError {
        BreezeError(.invalidParameter, "\"\(reference.repository)\" is no name of a model at Hugging Face.")
    }
}

extension HuggingFaceProvider {
    /// The fields of `/api/models` and `/api/models/{id}` that count here.
    private struct Repository: Decodable {
        struct Sibling: Decodable {
            struct LFS: Decodable {
                let sha256: String?
                let size: Int64?
            }

            let rfilename: String
            let size: Int64?
            let lfs: LFS?
        }

        struct Card: Decodable {
            let license: String?
            let licenseName: String?
            let licenseLink: String?

            private enum CodingKeys: String, CodingKey {
                case license
                case licenseName = "license_name"
                case licenseLink = "license_link"
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                // A card is a stranger's YAML: a list where a word should stand is no reason to fail.
                license =
                    (try? values.decode(String.self, forKey: .license))
                    ?? (try? values.decode([String].self, forKey: .license))?.first
                licenseName = try? values.decode(String.self, forKey: .licenseName)
                licenseLink = try? values.decode(String.self, forKey: .licenseLink)
            }
        }

        /// `false`, `"auto"` or `"manual"`.
        struct Gate: Decodable {
            let isClosed: Bool

            init(from decoder: any Decoder) throws {
                let value = try decoder.singleValueContainer()
                isClosed = (try? value.decode(Bool.self)) ?? true
            }
        }

        let id: String?
        let sha: String?
        let author: String?
        let gated: Gate?
        let disabled: Bool?
        let downloads: Int?
        let likes: Int?
        let tags: [String]?
        let cardData: Card?
        let siblings: [Sibling]?

        /// The card's word; in lists the tag has it.
        var licenseName: String? {
            let stated =
                cardData?.license ?? tags?.first { $0.hasPrefix("license:") }.map { String($0.dropFirst(8)) }
            guard let stated, stated != "unknown" else { return nil }
            return stated == "other" ? cardData?.licenseName : stated
        }

        var license: ModelLicense {
            var license = ModelLicense(named: licenseName.map(ModelLicense.canonical))
            license.url = cardData?.licenseLink
            return license
        }

        var offer: ModelOffer {
            ModelOffer(
                reference: ModelReference(provider: "huggingface", repository: id ?? "", revision: sha),
                name: id ?? "",
                author: author ?? id.flatMap { $0.split(separator: "/").first.map(String.init) },
                license: licenseName,
                downloads: downloads,
                likes: likes,
                tags: tags ?? [],
                isGated: gated?.isClosed ?? false
            )
        }
    }
}
