import BreezeTestSupport
import Foundation

/// A package that depends on this checkout, as an app's does. It is built beside the tests, where the next run finds what
/// this one compiled, and without a network: what the tests' own build has fetched is all that it may need.
struct ScratchPackage: Sendable {
    static let checkout = URL(filePath: #filePath).resolvingSymlinksInPath()
        .appending(path: "../../..").standardizedFileURL
    /// Where the tests' own build lies; `nil` where its packages are not beside it.
    static let build: URL? = {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<8 {
            let packages = folder.appending(path: "checkouts/swift-log/Package.swift")
            if FileManager.default.fileExists(atPath: packages.path) { return folder.standardizedFileURL }
            folder.deleteLastPathComponent()
        }
        return nil
    }()

    let folder: URL
    private let scratch: URL
    private let cache: URL

    /// `name` is that of its folder: no two have one. `targets` are the names of its programs and modules with their
    /// files, by their path; one that has a `main.swift` is a program.
    init(_ name: String, targets: [String: [String: String]]) throws {
        guard let build = Self.build else { throw ChildFailure(description: "the tests' build is not here") }
        let base = build.appending(path: "consumers")
        folder = base.appending(path: name)
        scratch = base.appending(path: "\(name)-build")
        cache = base.appending(path: "cache")
        try? FileManager.default.removeItem(at: folder.appending(path: "Sources"))
        try write(Self.manifest(of: targets), to: "Package.swift")
        for (target, files) in targets {
            for (file, text) in files { try write(text, to: "Sources/\(target)/\(file)") }
        }
        let log = build.appending(path: "checkouts/swift-log")
        let mirrors = """
            {"version": 1, "object": [{"original": "https://github.com/apple/swift-log.git",
            "mirror": "file://\(log.path)"}]}
            """
        try write(mirrors, to: ".swiftpm/configuration/mirrors.json")
    }

    private static func manifest(of targets: [String: [String: String]]) -> String {
        let lines = targets.sorted { $0.key < $1.key }.map { name, files in
            let kind = files.keys.contains("main.swift") ? "executableTarget" : "target"
            let usesService = files.values.contains { $0.contains("import BreezeAPIRunner") }
            let products = (["BreezeKit"] + (usesService ? ["BreezeAPIRunner"] : []))
                .map { ".product(name: \"\($0)\", package: \"breeze\")" }
            return "        .\(kind)(name: \"\(name)\", dependencies: [\(products.joined(separator: ", "))]),"
        }
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: "consumer",
                platforms: [.macOS(.v15)],
                dependencies: [.package(name: "breeze", path: "\(checkout.path)", traits: [])],
                targets: [
            \(lines.joined(separator: "\n"))
                ]
            )
            """
    }

    private func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        // What did not change is not compiled again.
        if (try? String(contentsOf: file, encoding: .utf8)) != text {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
    }

    /// Builds it; once more from nothing where what an earlier run left does not build.
    func build() async throws -> ChildProcess.Outcome {
        let first = try await swift(["build", "--jobs", "2"])
        guard first.code != 0 else { return first }
        print("consumer: built anew, after: \(first.output.suffix(2_000))\(first.errors.suffix(2_000))")
        try? FileManager.default.removeItem(at: scratch)
        return try await swift(["build", "--jobs", "2"])
    }

    /// `swift COMMAND` in this package.
    func swift(_ command: [String]) async throws -> ChildProcess.Outcome {
        let options = [
            "--package-path", folder.path, "--scratch-path", scratch.path, "--cache-path", cache.path,
        ]
        var child = ChildProcess(
            URL(filePath: "/usr/bin/env"),
            [ProcessInfo.processInfo.environment["SWIFT"] ?? "swift", command[0]] + options
                + ["--disable-dependency-cache"] + command.dropFirst()
        )
        child.deadline = .seconds(900)
        return try await child.run()
    }

    /// The program that was built.
    func program(_ target: String) -> URL { scratch.appending(path: "debug/\(target)") }

    /// The modules that were linked into it.
    func modules(of target: String) throws -> Set<String> {
        let list = scratch.appending(path: "debug/\(target).product/Objects.LinkFileList")
        return Set(
            try String(contentsOf: list, encoding: .utf8).matches(of: /\/(\w+)\.build\//).map { String($0.1) }
        )
    }
}
