import BreezeCore
public import BreezeTransport
public import Foundation

/// What is to be fetched: the files of one model, or of anything else that is whole only with all of them.
public struct DownloadPlan: Sendable {
    public struct File: Sendable {
        /// Where it goes below the staging folder: a relative path with `/`.
        public let name: String
        /// Tried in order; the next one where the one before does not have the file.
        public let sources: [URL]
        /// Bytes; `nil` where only the server knows. Another length is an error.
        public let size: Int64?
        /// In hexadecimal digits; `nil` where nobody knows it beforehand.
        public let sha256: String?

        public init(name: String, sources: [URL], size: Int64? = nil, sha256: String? = nil) {
            self.name = name
            self.sources = sources
            self.size = size
            self.sha256 = sha256?.lowercased()
        }
    }

    public let id: String
    public let files: [File]
    public let authorization: DownloadAuthorization?
    public let purpose: EgressPurpose

    public init(
        id: String,
        files: [File],
        authorization: DownloadAuthorization? = nil,
        purpose: EgressPurpose = .modelDownload
    ) {
        self.id = id
        self.files = files
        self.authorization = authorization
        self.purpose = purpose
    }
}

/// Credentials for a plan's servers. They are asked for anew before each request, so that a token that was
/// renewed in the meantime is used.
public struct DownloadAuthorization: Sendable {
    public enum Occasion: Sendable {
        case request
        /// The server refused the last ones; asked once, then the download fails.
        case refused
    }

    /// As `breeze secrets set` calls it: `huggingface`; `nil` where it keeps none for the service.
    public let name: String?
    /// As a person calls it: `Hugging Face`.
    public let service: String
    /// How the credential is given to Breeze.
    public let remedy: String
    /// What goes to the server, only ever to the one that the URL names: a redirect to another one goes
    /// without.
    public let headers: @Sendable (URL, Occasion) async throws -> HeaderFields

    public init(
        name: String? = nil,
        service: String,
        remedy: String,
        headers: @escaping @Sendable (URL, Occasion) async throws -> HeaderFields
    ) {
        self.name = name
        self.service = service
        self.remedy = remedy
        self.headers = headers
    }
}

extension DownloadPlan {
    /// - Throws: ``BreezeError`` `.invalidRequest` where a name would leave the staging folder or is taken
    ///   twice.
    func check() throws {
        var names: Set<String> = []
        for file in files {
            guard file.hasSafeName else {
                throw BreezeError(
                    .invalidRequest,
                    "\(file.name.debugDescription) is no name for a file of \(id)."
                )
            }
            guard names.insert(file.name).inserted else {
                throw BreezeError(.invalidRequest, "\(file.name) is in \(id) twice.")
            }
            guard !file.sources.isEmpty else {
                throw BreezeError(.invalidRequest, "\(file.name) of \(id) has no source.")
            }
            if let sha256 = file.sha256 {
                guard sha256.utf8.count == 64, sha256.allSatisfy(\.isHexDigit) else {
                    throw BreezeError(.invalidRequest, "The SHA-256 of \(file.name) has not 64 digits.")
                }
            }
        }
        guard !files.isEmpty else { throw BreezeError(.invalidRequest, "\(id) has no files to download.") }
    }
}

extension DownloadPlan.File {
    var hasSafeName: Bool {
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { part in
            !part.isEmpty && part != "." && part != ".." && part.utf8.count <= 200
                && !part.utf8.contains { $0 < 32 || $0 == 127 || $0 == UInt8(ascii: "\\") }
                && !StagingFolder.ownSuffixes.contains { part.hasSuffix($0) }
        } && !StagingFolder.ownNames.contains(name)
    }
}
