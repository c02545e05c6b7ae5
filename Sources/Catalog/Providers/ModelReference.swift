import BreezeCore
import Foundation

/// Which model, of which provider.
public struct ModelReference: Codable, Hashable, Sendable {
    public var provider: String
    /// As the provider names it: `owner/name`, an address, a path.
    public var repository: String
    /// A branch, tag or commit; `nil` for the newest.
    public var revision: String?
    /// The files that are wanted; empty leaves the choice to the provider.
    public var files: [String]

    public init(provider: String, repository: String, revision: String? = nil, files: [String] = []) {
        self.provider = provider
        self.repository = repository
        self.revision = revision
        self.files = files
    }
}

extension ModelReference {
    /// Reads what people write: `hf:owner/name`, `hf:owner/name@revision`, `hf:owner/name:file.gguf`, an address at
    /// huggingface.co, `kaggle:owner/model/framework/variation`, any other `https://` address, `file:PATH`.
    /// - Throws: ``BreezeError`` `.invalidParameter` for anything else.
    public init(parsing text: String) throws {
        if let rest = Self.rest(of: text, after: ["hf:", "huggingface:", "hf.co/", "huggingface.co/"])
            ?? Self.rest(of: text, after: ["https://huggingface.co/", "https://hf.co/"])
        {
            self = try Self.huggingFace(rest, text)
        } else if let rest = Self.rest(of: text, after: ["kaggle:"]) {
            let parts = rest.split(separator: "@", maxSplits: 1).map(String.init)
            self.init(
                provider: "kaggle",
                repository: parts.first ?? "",
                revision: parts.count > 1 ? parts[1] : nil
            )
        } else if text.hasPrefix("https://") || text.hasPrefix("http://") {
            self.init(provider: "url", repository: text)
        } else if let rest = Self.rest(of: text, after: ["file://", "file:"]) {
            self.init(provider: "file", repository: rest)
        } else {
            throw Self.unclear(text)
        }
    }

    private static func rest(of text: String, after prefixes: [String]) -> String? {
        prefixes.first { text.hasPrefix($0) }.map { String(text.dropFirst($0.count)) }
    }

    /// `owner/name[@revision][:file]`, and an address's `owner/name/(resolve|blob|tree)/revision/file`.
    private static func huggingFace(_ rest: String, _ whole: String) throws -> ModelReference {
        var (path, file) = (rest[...], String?.none)
        if let colon = path.firstIndex(of: ":") {
            file = String(path[path.index(after: colon)...])
            path = path[..<colon]
        }
        var revision: String?
        if let at = path.firstIndex(of: "@") {
            revision = String(path[path.index(after: at)...])
            path = path[..<at]
        }
        let query = path.firstIndex { $0 == "?" || $0 == "#" } ?? path.endIndex
        let parts = path[..<query].split(separator: "/").map(String.init)
        guard parts.count >= 2, revision?.isEmpty != true, file?.isEmpty != true else { throw unclear(whole) }
        if parts.count > 3, ["resolve", "blob", "tree"].contains(parts[2]) {
            revision = parts[3]
            if parts.count > 4 { file = parts[4...].joined(separator: "/").removingPercentEncoding }
        } else if parts.count != 2 {
            throw unclear(whole)
        }
        return ModelReference(
            provider: "huggingface",
            repository: "\(parts[0])/\(parts[1])",
            revision: revision,
            files: file.map { [$0] } ?? []
        )
    }

    private static func unclear(_ text: String) -> BreezeError {
        BreezeError(
            .invalidParameter,
            "\"\(text.prefix(200))\" names no model.",
            remedy: "Take an id of breeze models search, hf:OWNER/NAME, an https:// address, or file:PATH."
        )
    }
}
