import BreezeCore
import BreezeModels
public import BreezeTransport
import Foundation

/// One file at an address that the user gives, with its digest.
public struct AddressProvider: ModelProvider {
    public let name = "url"
    private let client: ProviderClient
    private let sha256: String?

    /// Without a digest nothing vouches for the file but the server's certificate: the first download's digest is
    /// kept, and a later change is an error.
    public init(transport: any HTTPTransport, sha256: String? = nil) {
        client = ProviderClient(
            transport: transport,
            name: name,
            service: "The server",
            remedy:
                "Breeze has no credentials for addresses; download the file by hand, then breeze models import"
        )
        self.sha256 = sha256
    }

    public func requiresAuthentication() async -> Bool { false }

    /// An address is known or not; there is nothing to search.
    public func discoverModels(_ query: ModelQuery) async throws -> [ModelOffer] { [] }

    public func resolve(_ reference: ModelReference) async throws -> ModelPackage {
        guard let url = URL(string: reference.repository), url.host() != nil else {
            throw BreezeError(.invalidParameter, "\"\(reference.repository.prefix(200))\" is no address.")
        }
        if let sha256, sha256.count != 64 || !sha256.allSatisfy(\.isHexDigit) {
            throw BreezeError(
                .invalidParameter,
                "A SHA-256 has 64 hexadecimal digits; \"\(sha256.prefix(80))\" has not."
            )
        }
        let last =
            url.path().split(separator: "/").last.flatMap { String($0).removingPercentEncoding } ?? "model"
        let name = last.replacing("/", with: "-")
        // Told before the first byte. A server that answers no such question is asked for the file all the same.
        let size: Int64?
        do {
            size = try await client.head(url).headers["Content-Length"].flatMap { Int64($0) }
        } catch let error as BreezeError
            where error.code != .insecureConnection && error.code != .egressForbidden
        {
            size = nil
        }
        return ModelPackage(
            offer: ModelOffer(reference: reference, name: name, author: url.host()),
            files: [ModelPackage.File(name: name, url: url, size: size, sha256: sha256)],
            license: ModelLicense(named: nil),
            suggestedID: FileChoice.id(name.replacing(/\.(gguf|bin|onnx|tflite|safetensors|pte)$/, with: ""))
        )
    }
}

/// Models that lie on this device: what is imported and not downloaded.
public struct LocalFileProvider: ModelProvider {
    public let name = "file"

    public init() {}

    public func requiresAuthentication() async -> Bool { false }

    public func discoverModels(_ query: ModelQuery) async throws -> [ModelOffer] { [] }

    public func resolve(_ reference: ModelReference) async throws -> ModelPackage {
        let url = URL(fileURLWithPath: reference.repository)
        var license: String?
        if let metadata = try? MetadataRegistry().metadata(of: url) { license = metadata.license }
        return ModelPackage(
            offer: ModelOffer(reference: reference, name: url.lastPathComponent, license: license),
            files: [],
            license: ModelLicense(named: license),
            suggestedID: FileChoice.id(url.deletingPathExtension().lastPathComponent)
        )
    }
}
