import BreezeCore
import BreezeEngine
import Synchronization
import Testing

/// What the engine relies on, asked of every runner.
@Suite struct RunnerConformanceTests {
    private func engine(_ runner: any Runner) async throws -> Engine {
        let engine = Engine()
        try await engine.register(runner)
        return engine
    }

    private func request(_ subject: ConformanceSubject, id: String = "conformance") -> InferenceRequest {
        var request = subject.request
        request.id = id
        request.runnerID = nil
        request.allowsMocks = true
        return request
    }

    @Test(arguments: ConformanceSubject.all)
    func `it describes itself`(subject: ConformanceSubject) async throws {
        let runner = try await subject.make()
        #expect(!runner.id.isEmpty)
        #expect(runner.id == runner.backend || runner.id.hasPrefix(runner.backend + ":"))
        #expect(!runner.supportedCapabilities.isEmpty)
        #expect(runner.supportedCapabilities.contains(subject.request.capability))
        #expect(runner.canRun(request: subject.request))
        #expect(!runner.canRun(request: InferenceRequest(AICapability(rawValue: "unheard-of"), prompt: "x")))
        #expect(runner.concurrency >= 1)
        #expect((0...9).contains(runner.qualityTier))
        #expect(await runner.availability() == .available)
        let names = runner.parameterSchema.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        for parameter in runner.parameterSchema.parameters {
            guard let value = parameter.defaultValue else { continue }
            guard case .valid = parameter.kind.check(value) else {
                Issue.record("the default of \(parameter.name) is not a value of its kind")
                continue
            }
        }
    }

    @Test(arguments: ConformanceSubject.all)
    func `loading twice is loading once, and unloading is undone by loading`(
        subject: ConformanceSubject
    ) async throws {
        let runner = try await subject.make()
        try await runner.load()
        try await runner.load()
        let first = try await runner.run(request: subject.request)
        await runner.unload()
        await runner.unload()
        try await runner.load()
        let second = try await runner.run(request: subject.request)
        #expect(first.output == second.output)
        #expect(first.runner == runner.id)
        #expect(first.requestID == subject.request.id)
        #expect(first.isMock == runner.isMock)
    }

    @Test(arguments: ConformanceSubject.all)
    func `a hundred callers load it once, and each gets the same answer`(
        subject: ConformanceSubject
    ) async throws {
        let runner = ObservedRunner(try await subject.make())
        let engine = try await engine(runner)
        let outputs = try await withThrowingTaskGroup { group in
            for index in 0..<100 {
                group.addTask { try await engine.run(request(subject, id: "\(index)")).output }
            }
            return try await group.reduce(into: Set<InferenceOutput>()) { $0.insert($1) }
        }
        #expect(runner.loads == 1)
        #expect(outputs.count == 1)
    }

    @Test(arguments: ConformanceSubject.all)
    func `the chunks are the answer in pieces`(subject: ConformanceSubject) async throws {
        let engine = try await engine(try await subject.make())
        var chunks: [InferenceChunk] = []
        for try await chunk in engine.stream(request(subject)) { chunks.append(chunk) }
        let result = try #require(chunks.last?.result)
        let pieces = chunks.dropLast().filter(\.isAnswer)
        #expect(pieces.count >= subject.steps)
        #expect(pieces.allSatisfy { $0.result == nil && $0.requestID == result.requestID })
        switch result.output {
        case .text(let text):
            #expect(pieces.compactMap(\.text).joined() == text)
        case .embeddings(let vectors):
            let sent = pieces.map { chunk -> [Float] in
                if case .embedding(_, let vector) = chunk.content { vector } else { [] }
            }
            #expect(sent == vectors)
        case .audio(let clip):
            let sent = pieces.map { chunk -> [UInt8] in
                if case .audio(let data) = chunk.content { Array(data) } else { [] }
            }
            #expect(sent.joined().elementsEqual(clip.data))
        default: break
        }
    }

    @Test(arguments: ConformanceSubject.all.filter { $0.steps > 2 })
    func `a cancelled run does at most one more step`(subject: ConformanceSubject) async throws {
        let runner = try await subject.make()
        try await runner.load()
        let steps = Mutex(0)
        let run = Mutex<Task<InferenceResult, any Error>?>(nil)
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in started.stream { break }
            return try await runner.stream(
                subject.request,
                into: ChunkSink { _ in
                    steps.withLock { $0 += 1 }
                    run.withLock { $0 }?.cancel()
                }
            )
        }
        run.withLock { $0 = task }
        started.continuation.yield()
        let outcome = await task.result
        #expect(steps.withLock { $0 } <= 2)
        let error = #expect(throws: (any Error).self) { try outcome.get() }
        #expect(error is CancellationError || (error as? BreezeError)?.code == .cancelled)
    }

    // A shorter answer may be whole before its first chunk is read.
    @Test(arguments: ConformanceSubject.all.filter { $0.steps > 2 * InferenceStream.defaultCapacity })
    func `cancelling by id ends a stream with one error`(subject: ConformanceSubject) async throws {
        let runner = ObservedRunner(try await subject.make())
        let engine = try await engine(runner)
        let error = await #expect(throws: BreezeError.self) {
            for try await _ in engine.stream(request(subject, id: "r")) { await engine.cancel("r") }
        }
        #expect(error?.code == .cancelled)
        #expect(runner.chunks <= InferenceStream.defaultCapacity + 2)
    }

    @Test(arguments: ConformanceSubject.all)
    func `unloading during a run lets it end well or fail with a typed error`(
        subject: ConformanceSubject
    ) async throws {
        let runner = try await subject.make()
        try await runner.load()
        do {
            let result = try await runner.stream(
                subject.request,
                into: ChunkSink { _ in await runner.unload() }
            )
            #expect(result.requestID == subject.request.id)
        } catch {
            #expect(error is BreezeError)
        }
    }

    @Test(arguments: ConformanceSubject.all)
    func `a slow reader holds it back`(subject: ConformanceSubject) async throws {
        let runner = ObservedRunner(try await subject.make())
        let engine = try await engine(runner)
        var read = 0
        for try await _ in engine.stream(request(subject)) {
            read += 1
            #expect(runner.chunks <= read + InferenceStream.defaultCapacity)
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(read >= subject.steps)
    }

    @Test(arguments: ConformanceSubject.all)
    func `what it cannot answer is a typed error`(subject: ConformanceSubject) async throws {
        let runner = try await subject.make()
        try await runner.load()
        let error = await #expect(throws: BreezeError.self) {
            try await runner.run(request: subject.impossible.request)
        }
        #expect(error?.code == subject.impossible.code)
        #expect(error?.message.isEmpty == false)
        let again = try await runner.run(request: subject.request)
        #expect(again.requestID == subject.request.id)
    }
}
