import BreezeCore
import BreezeEncoderRunner
import BreezeGuardianRunner
import BreezeLiteRT
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import BreezeTestSupport
import BreezeWorker
import Foundation

extension ConformanceSubject {
    static let all: [ConformanceSubject] =
        mocks + [rulesGuardian] + [encoder, hosted].compactMap { $0 } + llama

    private static func mock(
        _ id: String,
        _ request: InferenceRequest,
        steps: Int,
        impossible: InferenceRequest,
        code: BreezeError.Code = .invalidRequest
    ) -> ConformanceSubject {
        ConformanceSubject(
            name: id,
            make: {
                guard let runner = MockRunners.all().first(where: { $0.id == id }) else {
                    throw BreezeError(.unknownRunner, "There is no \(id).")
                }
                return runner
            },
            request: request,
            steps: steps,
            impossible: (impossible, code)
        )
    }

    private static let mocks: [ConformanceSubject] = [
        mock(
            "mock:llm",
            InferenceRequest(
                .chat,
                prompt: "hello",
                configuration: InferenceConfig(additional: ["responseStyle": "detailed"])
            ),
            steps: 5,
            impossible: InferenceRequest(
                .chat,
                prompt: "hello",
                configuration: InferenceConfig(guidedOutput: ["type": "string", "pattern": "^a+b$"])
            ),
            code: .unsupported
        ),
        mock(
            "mock:asr",
            InferenceRequest(.asr, audioData: Data("fLaC and what follows".utf8)),
            steps: 1,
            impossible: InferenceRequest(.asr, audioData: Data())
        ),
        mock(
            "mock:tts",
            InferenceRequest(.tts, prompt: String(repeating: "good morning ", count: 40)),
            steps: 80,
            impossible: InferenceRequest(.tts, prompt: String(repeating: "a", count: 4_097)),
            code: .contextSizeExceeded
        ),
        mock(
            "mock:vlm",
            InferenceRequest(
                .vlm,
                prompt: "what is this?",
                imageData: Data("GIF89a\u{2}\u{0}\u{2}\u{0}".utf8)
            ),
            steps: 1,
            impossible: InferenceRequest(.vlm, prompt: "what is this?", imageData: Data("a text".utf8))
        ),
        mock(
            "mock:guardian",
            InferenceRequest(.guardian, prompt: "a harmless text"),
            steps: 0,
            impossible: InferenceRequest(.guardian, prompt: "")
        ),
    ]

    private static let rulesGuardian = ConformanceSubject(
        name: "guardian:rules",
        make: { RulesGuardianRunner() },
        request: InferenceRequest(.guardian, prompt: "a harmless text"),
        steps: 0,
        impossible: (InferenceRequest(.guardian, prompt: ""), .invalidRequest)
    )

    /// A mock in a worker process, where the tests' worker was built.
    private static let hosted: ConformanceSubject? = {
        let program = TestProgram.named("breeze-test-worker")
        guard let program, let mock = mocks.first else { return nil }
        let launch = WorkerLaunch(executable: program, arguments: ["worker"], version: "test")
        return ConformanceSubject(
            name: "hosted \(mock.name)",
            make: {
                let facts = WorkerFacts(of: try await mock.make())
                return WorkerRunner(facts, descriptor: WorkerDescriptor(kind: mock.name), launch: launch)
            },
            request: mock.request,
            steps: mock.steps,
            impossible: mock.impossible
        )
    }()

    /// It lies there as long as the process.
    private static let chatModel: Result<URL, any Error> = Result {
        let file = FileManager.default.temporaryDirectory.appending(path: "breeze-conformance.gguf")
        // One that another run is reading stays whole: this one is put in its place.
        let new = file.appendingPathExtension(UUID().uuidString)
        try TinyQwen3().write(to: new)
        guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        return file
    }

    /// A generated chat model, in this process and in a worker, where this build has llama.cpp.
    private static let llama: [ConformanceSubject] = {
        guard LlamaRunner.availability == .available else { return [] }
        let info = ModelInfo(id: "tiny", format: .gguf, capabilities: [.chat])
        let request = InferenceRequest(
            .chat,
            prompt: "hello",
            configuration: InferenceConfig(temperature: 1, seed: 3, maxTokens: 200)
        )
        var malformed = request
        malformed.configuration.guidedOutput = ["type": "string", "pattern": "a"]
        func subject(_ name: String, _ make: @escaping @Sendable (URL) throws -> any Runner)
            -> ConformanceSubject
        {
            ConformanceSubject(
                name: name,
                make: { try make(try chatModel.get()) },
                request: request,
                steps: 50,
                impossible: (malformed, .unsupported)
            )
        }
        let own = subject("llama") { LlamaRunner(model: info, file: $0) }
        guard let program = TestProgram.named("breeze-test-worker") else { return [own] }
        let launch = WorkerLaunch(executable: program, arguments: ["worker"], version: "test")
        let hosted = subject("hosted llama") { file in
            WorkerRunner(
                WorkerFacts(of: LlamaRunner(model: info, file: file)),
                descriptor: WorkerDescriptor(kind: "llama", model: info, path: file.path),
                launch: launch
            )
        }
        return [own, hosted]
    }()

    /// A tiny encoder through the store, where its runtime is installed. The folder lives as long as the
    /// process.
    private static let encoder: ConformanceSubject? = {
        let environment = ProcessInfo.processInfo.environment
        guard (try? OnnxRuntimeLibrary.locate(environment: environment)) != nil else { return nil }
        return ConformanceSubject(
            name: "encoder",
            make: {
                let folder = try ScratchFolder()
                let store = ModelStore(home: folder.url.appending(path: "home"))
                let info = try await store.importModel(from: TinyBERT().write(to: folder)).manifest.info
                let factory = EncoderRunnerFactory(
                    store: store,
                    runtimes: EncoderRuntimes(
                        liteRT: { [folder] in
                            _ = folder  // removed with its last user
                            return try LiteRTLibrary.locate(environment: environment)
                        },
                        onnxRuntime: { try OnnxRuntimeLibrary.locate(environment: environment) }
                    )
                )
                return try factory.makeRunner(for: info, settings: LoadSettings())
            },
            request: InferenceRequest(
                .embedding,
                inputs: (0..<40).map { $0 % 2 == 0 ? "the mail" : "sunny" }
            ),
            steps: 40,
            impossible: (InferenceRequest(.classification, prompt: "the mail"), .unsupported)
        )
    }()
}
