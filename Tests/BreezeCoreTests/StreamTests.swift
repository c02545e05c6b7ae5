import BreezeCore
import Synchronization
import Testing

@Suite struct StreamTests {
    private static func text(_ index: Int) -> InferenceChunk {
        InferenceChunk(requestID: "r", .text("\(index)"))
    }

    @Test func `chunks arrive in order, then the stream ends`() async throws {
        let stream = InferenceStream(capacity: 2) { sink in
            for index in 0..<100 { try await sink.send(Self.text(index)) }
        }
        var texts: [String] = []
        for try await chunk in stream { texts.append(chunk.text ?? "") }
        #expect(texts == (0..<100).map(String.init))
    }

    @Test func `what the producer throws comes after what it sent`() async throws {
        let stream = InferenceStream { sink in
            try await sink.send(Self.text(0))
            throw BreezeError(.runFailed, "broken")
        }
        var iterator = stream.makeAsyncIterator()
        #expect(try await iterator.next()?.text == "0")
        await #expect(throws: BreezeError(.runFailed, "broken")) { try await iterator.next() }
    }

    @Test func `a slow reader holds the producer back`() async throws {
        let sent = Mutex(0)
        let stream = InferenceStream(capacity: 3) { sink in
            for index in 0..<50 {
                try await sink.send(Self.text(index))
                sent.withLock { $0 += 1 }
            }
        }
        var read = 0
        for try await _ in stream {
            read += 1
            // Read so far, three in the queue, and the one that is just being handed over.
            #expect(sent.withLock { $0 } <= read + 3)
            await Task.yield()
        }
        #expect(read == 50)
    }

    @Test func `a runner may send from several tasks`() async throws {
        let stream = InferenceStream(capacity: 2) { sink in
            try await withThrowingTaskGroup { group in
                for index in 0..<50 { group.addTask { try await sink.send(Self.text(index)) } }
                try await group.waitForAll()
            }
        }
        var texts: Set<String> = []
        for try await chunk in stream { texts.insert(chunk.text ?? "") }
        #expect(texts.count == 50)
    }

    @Test func `dropping the reader cancels the producer`() async throws {
        let ended = AsyncStream.makeStream(of: Bool.self)
        do {
            let stream = InferenceStream(capacity: 1) { sink in
                defer { ended.continuation.yield(Task.isCancelled) }
                while true { try await sink.send(Self.text(0)) }
            }
            var iterator = stream.makeAsyncIterator()
            _ = try await iterator.next()
        }
        var endings = ended.stream.makeAsyncIterator()
        #expect(await endings.next() == true)
    }

    @Test func `cancelling the reading task ends the read at once`() async throws {
        let started = AsyncStream.makeStream(of: Void.self)
        let stream = InferenceStream { _ in
            started.continuation.yield()
            let never = AsyncStream.makeStream(of: Void.self)
            for await _ in never.stream {}
            try Task.checkCancellation()
        }
        let reader = Task {
            for try await _ in stream {}
        }
        var starts = started.stream.makeAsyncIterator()
        await starts.next()
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
    }

    @Test func `a runner with a callback alone still streams into a sink`() async throws {
        struct Published: Runner {
            let id = "published"
            let supportedCapabilities: [AICapability] = [.chat]
            func load() async throws {}
            func unload() async {}
            func run(request: InferenceRequest) async throws -> InferenceResult {
                for index in 0..<5 { request.streamingCallback?(StreamTests.text(index)) }
                return InferenceResult(requestID: request.id, output: .text("01234"), runner: id)
            }
        }
        let stream = InferenceStream { sink in
            let result = try await Published().stream(InferenceRequest(.chat, prompt: "x"), into: sink)
            try await sink.send(InferenceChunk(requestID: "r", .result(result)))
        }
        var joined = ""
        var result: InferenceResult?
        for try await chunk in stream {
            joined += chunk.text ?? ""
            result = chunk.result ?? result
        }
        #expect(joined == "01234")
        #expect(result?.output.text == "01234")
    }
}
