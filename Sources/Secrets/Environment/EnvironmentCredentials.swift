import BreezeCore
import Foundation

/// What whoever started the program gave it: variables, a service's own file, systemd's credentials.
struct EnvironmentCredentials: Sendable {
    /// What was found, and what is worth a word besides.
    struct Finding {
        var credential: Credential?
        var note: String?
    }

    private let environment: [String: String]
    private let folders: EnvironmentFolders
    /// Longer is no credential.
    private static let longest = 1 << 16

    init(_ environment: [String: String]) {
        self.environment = environment
        folders = EnvironmentFolders(environment)
    }

    /// - Throws: ``BreezeError`` naming the variable or file that holds what can be no secret: whoever put it there
    ///   meant it to be used, so that the next source would be a surprise.
    func find(_ service: CredentialService) throws -> Finding {
        var finding = try variables(of: service)
        if finding.credential == nil, service.name == CredentialService.kaggle.name {
            finding.credential = try kaggleFile(for: service)
        }
        if finding.credential == nil { finding.credential = try systemd(service) }
        return finding
    }

    private func variables(of service: CredentialService) throws -> Finding {
        let found = service.parts.map { part in
            part.variables.first { !(environment[$0] ?? "").allSatisfy(\.isWhitespace) }
        }
        let names = found.compactMap(\.self)
        guard !names.isEmpty else { return Finding() }
        guard names.count == service.parts.count else {
            let missing = zip(service.parts, found).filter { $0.1 == nil }
                .compactMap { $0.0.variables.first }
            let (given, wanted) = (names.joined(separator: " and "), missing.joined(separator: " and "))
            return Finding(note: "\(given) is set without \(wanted)")
        }
        let values = try names.map { try Secret(environment[$0] ?? "", named: "The variable \($0)") }
        let source = CredentialSource(.environment, names.joined(separator: " and "))
        return Finding(credential: Credential(service: service, values: values, source: source))
    }

    // MARK: - Files

    /// Where Kaggle's own programs look.
    private func kaggleFile(for service: CredentialService) throws -> Credential? {
        struct Contents: Decodable {
            let username: String
            let key: String
        }
        guard let folder = folders["KAGGLE_CONFIG_DIR"] ?? folders["HOME"].map({ "\($0)/.kaggle" }) else {
            return nil
        }
        let path = "\(folder)/kaggle.json"
        guard var bytes = try contents(of: path) else { return nil }
        defer { wipe(&bytes) }
        guard let contents = try? JSONDecoder().decode(Contents.self, from: Data(bytes)) else {
            throw BreezeError(
                .invalidFile,
                "\(path) does not hold a user name and a key as JSON.",
                remedy: "Download it anew from https://www.kaggle.com/settings, or remove it."
            )
        }
        let values = try [contents.username, contents.key].map { try Secret($0, named: "A value in \(path)") }
        return Credential(service: service, values: values, source: CredentialSource(.file, path))
    }

    /// A line for each part (systemd.exec(5), LoadCredential).
    private func systemd(_ service: CredentialService) throws -> Credential? {
        guard let folder = folders["CREDENTIALS_DIRECTORY"] else { return nil }
        let path = "\(folder)/\(service.credentialName)"
        guard var bytes = try contents(of: path) else { return nil }
        defer { wipe(&bytes) }
        var lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        if lines.last?.allSatisfy(\.isWhitespace) == true { lines.removeLast() }
        guard lines.count == service.parts.count else {
            let wanted = service.parts.map(\.name).joined(separator: ", then the ")
            throw BreezeError(
                .invalidFile,
                "The credential \(path) has \(lines.count) lines, and \(service.parts.count) are expected.",
                remedy: "Give it the \(wanted), each on a line of its own."
            )
        }
        let values = try lines.map { try Secret(String($0), named: "A line of \(path)") }
        return Credential(service: service, values: values, source: CredentialSource(.systemd, path))
    }

    /// `nil` where there is no such file. Who may read it is the affair of whoever put it there: systemd's own files
    /// belong to root, and open to this user by an access list.
    private func contents(of path: String) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw SecretFault.reading(path, errno)
        }
        defer { close(descriptor) }
        return try readAll(descriptor, path: path, limit: Self.longest)
    }
}
