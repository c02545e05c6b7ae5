import BreezeTestSupport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The real program as a hub, and what tests ask of it.
enum RunningHub {
    private struct Place: Decodable {
        let address: String
        let socket: String
    }

    struct Check: Decodable {
        let name: String
        let ok: Bool
        let detail: String
    }

    /// Starts a hub in a home of its own, or in `home`, and ends it when `body` is done, by the signal `end`.
    /// `before` is what the program is told before the hub starts, such as to import a model.
    static func run(
        _ options: [String] = ["--mock"],
        in home: ScratchFolder? = nil,
        end: Int32 = SIGTERM,
        before: [[String]] = [],
        _ body:
            @escaping @Sendable (_ base: URL, _ socket: String, _ environment: [String: String]) async throws
            -> Void
    ) async throws {
        let program = try #require(TestProgram.named("breeze"))
        let folder = try home ?? ScratchFolder()
        let inherited = ProcessInfo.processInfo.environment
        var environment = ["BREEZE_HOME": folder.url.path, "HOME": folder.url.path]
        for name in ["PATH", "LD_LIBRARY_PATH"] { environment[name] = inherited[name] }
        environment["BREEZE_CACHE"] = Oracle.cacheFolder.path
        for arguments in before {
            try await tell(arguments, environment)
        }
        var child = ChildProcess(
            program,
            // The path of a socket has room for a hundred bytes.
            ["serve", "--port", "0", "--json", "--socket", folder.url.appending(path: "s").path] + options
        )
        child.environment = environment
        let known = environment
        let outcome = try await child.run { running in
            try await running.waits(for: "}\n")
            let place = try JSONDecoder().decode(Place.self, from: Data(running.text.utf8))
            try await body(try #require(URL(string: place.address)), place.socket, known)
            try running.send(end)
        }
        #expect(outcome.code == (end == SIGTERM ? 128 + end : -end))
        withExtendedLifetime(folder) {}
    }

    /// Gives the program a command, and takes what it prints.
    @discardableResult
    static func tell(_ arguments: [String], _ environment: [String: String]) async throws -> String {
        let program = try #require(TestProgram.named("breeze"))
        let outcome = try await ChildProcess(program, arguments, environment: environment).run()
        guard outcome.code == 0 else { throw ChildFailure(description: outcome.errors) }
        return outcome.output
    }

    /// A new app's key.
    static func app(_ capabilities: [String], _ environment: [String: String]) async throws -> String {
        struct Issued: Decodable { let key: String }
        let allowed = capabilities.flatMap { $0 == "models" ? ["--models"] : ["--allow", $0] }
        let said = try await tell(["apps", "add", "Tests", "--json"] + allowed, environment)
        return try JSONDecoder().decode(Issued.self, from: Data(said.utf8)).key
    }

    /// What a script under `Tests/Oracles` says of its checks.
    static func ask(
        _ script: String,
        _ arguments: [String],
        _ environment: [String: String],
        deadline: Duration = .seconds(120)
    ) async throws -> [Check] {
        let file = URL(filePath: #filePath).appending(path: "../../Oracles/\(script)").standardizedFileURL
        var child = ChildProcess(
            try #require(Oracle.python),
            [file.path] + arguments,
            environment: environment
        )
        child.deadline = deadline
        let outcome = try await child.run()
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.output.split(separator: "\n").map {
            try JSONDecoder().decode(Check.self, from: Data($0.utf8))
        }
    }

    /// `nil` where nobody answers.
    static func status(_ url: URL, _ body: String? = nil, key: String? = nil) async throws -> Int? {
        var request = URLRequest(url: url)
        request.httpMethod = body == nil ? "GET" : "POST"
        request.httpBody = body.map { Data($0.utf8) }
        if let key { request.setValue("Bearer \(key)", forHTTPHeaderField: "Authorization") }
        let (_, response) = try await URLSession.shared.data(for: request)
        return (response as? HTTPURLResponse)?.statusCode
    }

    /// Until another process's decision has reached the hub.
    static func waitFor(_ key: String, at base: URL) async throws {
        for _ in 0..<600 {
            if try await status(base.appending(path: "v1/models"), key: key) == 200 { return }
            try await Task.sleep(for: .milliseconds(50))
        }
        Issue.record("the key never counted")
    }
}
