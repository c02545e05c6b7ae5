#if Llama
import BreezeCore
import BreezeModels
import BreezeTestSupport
import BreezeWorker
import Foundation
import Testing

@testable import BreezeLlamaRunner

/// A GGUF model in a worker process.
@Suite(.enabled(if: LlamaHost.program != nil, "breeze-test-worker was not built"))
struct LlamaWorkerTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func hosted(_ file: URL, _ capability: AICapability = .chat) throws -> WorkerRunner {
        try LlamaHost.runner(file, capability)
    }

    private func request(_ prompt: String, _ maxTokens: Int) -> InferenceRequest {
        let configuration = InferenceConfig(temperature: 0, maxTokens: maxTokens)
        return InferenceRequest(.chat, prompt: prompt, configuration: configuration)
    }

    @Test func `hosted it answers as it does in this process`() async throws {
        let file = try TinyQwen3().write(to: folder)
        let here = LlamaRunner(model: LlamaHost.info(.chat), file: file)
        try await here.load()
        let there = try hosted(file)
        for prompt in ["Hello", "Hello you", "猫 😀"] {
            let asked = request(prompt, 30)
            let (own, other) = (try await here.run(request: asked), try await there.run(request: asked))
            #expect(own.output == other.output)
            #expect(own.usage == other.usage)
            #expect(own.finishReason == other.finishReason)
        }
        #expect(there.protection?.noInternet == true || there.protection == nil)
        await there.unload()
        #expect(there.processID == nil)
    }

    @Test func `a process that is killed in mid-answer fails that request alone`() async throws {
        let there = try hosted(try TinyQwen3().write(to: folder))
        // What draws its words may draw the end among the first, and be done before it is killed.
        let asked = InferenceRequest(.chat, prompt: "Hello", configuration: InferenceConfig(temperature: 0))
        let error = await #expect(throws: BreezeError.self) {
            try await there.run(
                request: asked,
                into: ChunkSink { _ in if let id = there.processID { kill(id, SIGKILL) } }
            )
        }
        #expect(error?.code == .runnerCrashed)
        #expect(try await there.run(request: request("Hello", 3)).usage.outputTokens == 3)
        await there.unload()
    }

    /// What the check of the file refuses never reaches llama.cpp; what it lets through may be refused there, may
    /// answer, and may end the worker. This process goes on.
    @Test func `no spoilt file takes this process along`() async throws {
        let files = [
            (try TinyQwen3().write(to: folder), AICapability.chat),
            (try TinyBERT().writeGGUF(to: folder), .embedding),
        ]
        var table = (refused: 0, failed: 0, answered: 0, crashed: 0)
        for (sound, capability) in files {
            for mutation in try GGUFMutations(of: [sound]) {
                let file = folder.url.appending(path: "spoilt.gguf")
                try Data(mutation.bytes()).write(to: file)
                guard (try? GGUFCheck.open(file)) != nil else {
                    table.refused += 1
                    continue
                }
                #expect(!mutation.mustBeRefused, "\(mutation.name)")
                let runner = try hosted(file, capability)
                var asked = request("a", 2)
                asked.capability = capability
                do {
                    _ = try await runner.run(request: asked)
                    table.answered += 1
                } catch let error as BreezeError where error.code == .runnerCrashed {
                    table.crashed += 1
                } catch is BreezeError {
                    table.failed += 1
                }
                await runner.unload()
            }
        }
        // Each kind of end is there, so that none is passed over.
        #expect(table.refused > 300 && table.failed > 0 && table.answered > 0, "\(table)")
        print("mutated GGUF files: \(table)")
    }
}

/// A worker that knows llama.
enum LlamaHost {
    static let program = TestProgram.named("breeze-test-worker")

    static func info(_ capability: AICapability) -> ModelInfo {
        ModelInfo(id: "tiny", format: .gguf, capabilities: [capability])
    }

    static func runner(_ file: URL, _ capability: AICapability) throws -> WorkerRunner {
        guard let program else { throw BreezeError(.unavailable, "breeze-test-worker was not built.") }
        return WorkerRunner(
            WorkerFacts(of: LlamaRunner(model: info(capability), file: file)),
            descriptor: WorkerDescriptor(kind: "llama", model: info(capability), path: file.path),
            launch: WorkerLaunch(executable: program, arguments: ["worker"], version: "test")
        )
    }
}
#endif
