import BreezeTestSupport
import Foundation
import Testing

/// An app of somebody else's, which takes the SDK and nothing more.
@Suite(.enabled(if: ScratchPackage.build != nil, "what the build fetched does not lie beside it"))
struct `A package that uses the SDK` {
    private struct Resolved: Decodable {
        let identity: String
        let dependencies: [Resolved]

        /// With what stands below.
        var all: [String] { dependencies.flatMap { [$0.identity] + $0.all } }
    }

    private static let blocks = Result {
        try ["BreezeKit/BreezeKit.docc", "KitPairing/BreezeKitPairing.docc"].flatMap {
            try CodeBlock.all(in: ScratchPackage.checkout.appending(path: "Sources/\($0)"))
        }
    }

    private static let app = """
        import BreezeKit

        struct Repeating: Runner {
            let id = "own:repeating"
            let locality = Locality.onDevice
            let supportedCapabilities: [AICapability] = [.chat]
            let parameterSchema = ParameterSchema()

            func availability() async -> Availability { .available }
            func load() async throws {}
            func unload() async {}

            func run(request: InferenceRequest) async throws -> InferenceResult {
                let text = request.messages?.last?.content ?? ""
                return InferenceResult(requestID: request.id, output: .text("You said: \\(text)"), runner: id)
            }
        }

        try Breeze.configure(appName: "Consumer", fallback: .runner(Repeating()))
        let answer = try await Breeze.chat(prompt: "hello")
        print(answer.text, "over", answer.transport?.way.rawValue ?? "nothing")
        """

    /// It needs a trait, and with it minutes of swift-crypto: it is held against the modules that the tests were built
    /// with.
    @Test func `what the documents show of pairing compiles as well`() async throws {
        let modules = try #require(TestProgram.named("breeze-test-scheme")).deletingLastPathComponent()
        let blocks = try Self.blocks.get().filter { $0.modules.contains("BreezeKitPairing") }
        #expect(blocks.count == 3)
        let folder = try ScratchFolder()
        for block in blocks {
            let file = try folder.write("\(block.page)\(block.number).swift", block.text)
            let options = ["-typecheck", "-swift-version", "6", "-parse-as-library", "-I"]
            let outcome = try await ChildProcess(
                URL(filePath: "/usr/bin/env"),
                ["swiftc"] + options + [modules.appending(path: "Modules").path, file.path]
            ).run()
            #expect(outcome.code == 0, "\(block.page) \(block.number): \(outcome.errors)")
        }
    }

    @Test
    func `it fetches swift-log alone, builds, runs, and so do an example and what the documents show`()
        async throws
    {
        let example = ScratchPackage.checkout.appending(path: "Examples/Terminal/Sources/Terminal/main.swift")
        let terminal = try String(contentsOf: example, encoding: .utf8)
        #expect(terminal.split(separator: "\n", omittingEmptySubsequences: false).count <= 16)
        var targets = ["Consumer": ["main.swift": Self.app], "Terminal": ["main.swift": terminal]]
        let blocks = try Self.blocks.get().filter { !$0.modules.contains("BreezeKitPairing") }
        #expect(blocks.count > 8)
        for block in blocks { targets["\(block.page)\(block.number)"] = ["Block.swift": block.text] }
        let package = try ScratchPackage("app-of-somebody", targets: targets)

        let start = ContinuousClock.now
        let built = try await package.build()
        try #require(built.code == 0, "\(built.output.suffix(6_000))\n\(built.errors.suffix(2_000))")
        print("consumer: built in \((ContinuousClock.now - start) / .seconds(1)) s")

        let resolved = try await package.swift(["package", "show-dependencies", "--format", "json"])
        let json = resolved.output.drop { $0 != "{" }
        let tree = try JSONDecoder().decode(Resolved.self, from: Data(json.utf8))
        print("consumer: depends on \(tree.all.joined(separator: ", "))")
        #expect(tree.dependencies.count == 1)
        #expect(tree.dependencies.first?.all == ["swift-log"])
        let modules = try package.modules(of: "Consumer")
        print("consumer: linked of \(modules.sorted().joined(separator: ", "))")
        #expect(modules == ["Consumer", "BreezeCore", "BreezeLocalHTTP", "BreezeKit"])

        let home = try ScratchFolder()
        let environment = ["HOME": home.url.path, "BREEZE_HOME": home.url.path, "PATH": "/usr/bin:/bin"]
        let ran = try await ChildProcess(package.program("Consumer"), environment: environment).run()
        #expect(ran.output == "You said: hello over fallback\n" && ran.code == 0, "\(ran.errors)")
        let asked = try await ChildProcess(
            package.program("Terminal"),
            environment: environment,
            input: Array("hello\n\n".utf8)
        ).run()
        #expect(asked.code == 0 && asked.output.contains("No hub has run for this user."))
        #expect(asked.output.contains("breeze serve"))
    }
}
