import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeWorker

@Suite struct `Frames and what is in them` {
    @Test func `a frame is its length, its type and its payload`() throws {
        // By hand: five bytes follow, type 5, the number 7 in little endian.
        #expect(try HostMessage.cancel(id: 7).encoded() == [5, 0, 0, 0, 5, 7, 0, 0, 0])
        #expect(try WorkerMessage.pong(0x0102).encoded() == [9, 0, 0, 0, 0x89, 2, 1, 0, 0, 0, 0, 0, 0])
    }

    static let hostMessages: [HostMessage] = [
        .open(
            Opening(
                program: "1",
                descriptor: WorkerDescriptor(kind: "k", settings: LoadSettings(["a": [1, "b"]]))
            )
        ),
        .load, .run(id: 1, credit: 16, streams: true, request: Data("{}".utf8)), .credit(id: 2, count: 8),
        .cancel(id: .max), .unload, .ping(.max),
    ]
    static let workerMessages: [WorkerMessage] = [
        .loading(.init(stage: "s", completed: 1, total: 2)), .loaded, .loadFailed(.cancelled),
        .chunk(id: 1, [0, 65]), .result(id: 1, [1, 2, 3]), .unloaded, .pong(0),
        .failed(id: 3, .error(BreezeError(.busy, "m", remedy: "r", retryAfter: .seconds(1)))),
    ]

    private func frames(_ bytes: [UInt8], cutBy generator: inout SeededGenerator) throws -> [Frame] {
        var decoder = FrameDecoder()
        var rest = bytes[...]
        var frames: [Frame] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...40, using: &generator))
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { decoder.append($0) }
            while let frame = try decoder.next() { frames.append(frame) }
        }
        #expect(decoder.isBetweenFrames)
        return frames
    }

    @Test(arguments: 0..<50)
    func `messages survive however the stream is cut`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let asked = Self.hostMessages.shuffled(using: &generator)
        let toWorker = try frames(asked.flatMap { try $0.encoded() }, cutBy: &generator)
        #expect(try toWorker.map { try HostMessage($0) } == asked)
        let said = Self.workerMessages.shuffled(using: &generator)
        let toHost = try frames(said.flatMap { try $0.encoded() }, cutBy: &generator)
        #expect(try toHost.map { try WorkerMessage($0) } == said)
    }

    @Test(arguments: 0..<300)
    func `damaged bytes are a fault or another message, and never more`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var bytes = try Self.hostMessages.flatMap { try $0.encoded() }
        bytes += try Self.workerMessages.flatMap { try $0.encoded() }
        for _ in 0...Int.random(in: 0..<8, using: &generator) {
            let index = Int.random(in: bytes.indices, using: &generator)
            bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
        }
        var decoder = FrameDecoder(maximumLength: 1 << 16)
        bytes.withUnsafeBytes { decoder.append($0) }
        var count = 0
        do {
            while let frame = try decoder.next() {
                count += 1
                _ = try? HostMessage(frame)
                _ = try? WorkerMessage(frame)
                _ = try? ChunkPayload.decode(frame.payload, of: "r")
                _ = try? ResultPayload.decode(frame.payload)
            }
        } catch {
            #expect(!error.reason.isEmpty)
        }
        #expect(count <= bytes.count / 5)
    }

    @Test(arguments: 0..<100)
    func `random bytes are never read beyond their end`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
            UInt8.random(in: .min ... .max, using: &generator)
        }
        for type in UInt8.min...UInt8.max {
            let frame = Frame(type: type, payload: bytes[...])
            _ = try? HostMessage(frame)
            _ = try? WorkerMessage(frame)
        }
        _ = try? ChunkPayload.decode(bytes[...], of: "r")
        _ = try? ResultPayload.decode(bytes[...])
    }

    @Test(
        arguments: [
            ([0, 0, 0, 0], "without a type"), ([0x01, 0x00, 0x01, 0x00, 1], "65537"),
        ] as [([UInt8], String)]
    )
    func `a length out of bounds is refused before anything is read for it`(
        bytes: [UInt8],
        reason: String
    ) throws {
        var decoder = FrameDecoder(maximumLength: 1 << 16)
        bytes.withUnsafeBytes { decoder.append($0) }
        let fault = #expect(throws: WireFault.self) { _ = try decoder.next() }
        #expect(fault?.reason.contains(reason) == true)
    }

    static let contents: [InferenceChunk.Content] = [
        .text("naïve 🌬"), .text(""), .reasoning("hm"), .audio(Data([0, 255])),
        .embedding(index: 3, vector: [1.5, -0.0, .infinity, .leastNonzeroMagnitude]),
        .classification(index: 1, Classification(scores: [.init(label: "a", score: 1)])),
        .toolCall(ToolCall(id: "1", name: "t", arguments: ["x": 1])),
        .progress(.init(stage: "s", completed: 1, total: 2)),
    ]

    @Test(arguments: contents)
    func `a chunk is the same on the other side`(content: InferenceChunk.Content) throws {
        for id in ["r", "another"] {
            let chunk = InferenceChunk(requestID: id, content)
            // JSON has no negative zero of its own, so bits are compared by the binary form alone.
            let bytes = try ChunkPayload.encode(chunk, of: "r")
            #expect(try ChunkPayload.decode(bytes[...], of: "r") == chunk)
        }
    }

    @Test func `a vector is little-endian IEEE 754`() throws {
        // 1.5 is 0x3FC00000.
        let chunk = InferenceChunk(requestID: "r", .embedding(index: 2, vector: [1.5]))
        #expect(try ChunkPayload.encode(chunk, of: "r") == [3, 2, 0, 0, 0, 0x00, 0x00, 0xC0, 0x3F])
    }

    @Test func `a result keeps what JSON has no form for`() throws {
        let result = InferenceResult(
            requestID: "r",
            output: .embeddings([[.nan, .infinity, 0.1], [1, 2, 3]]),
            runner: "x",
            usage: Usage(inputTokens: 1, outputTokens: 2, truncatedTokens: 3),
            timings: Timings(run: 0.1 + 0.2),
            notices: ["a notice"]
        )
        let back = try ResultPayload.decode(ResultPayload.encode(result)[...])
        guard case .embeddings(let vectors) = back.output else {
            Issue.record("no embeddings")
            return
        }
        #expect(vectors.map { $0.map(\.bitPattern) }[1] == [1, 2, 3].map { Float($0).bitPattern })
        #expect(vectors[0][0].isNaN && vectors[0][1] == .infinity && vectors[0][2] == 0.1)
        #expect(back.usage == result.usage)
        #expect(back.timings == result.timings)
        #expect(back.notices == result.notices)
    }

    @Test func `the end of a long complaint is what is kept`() {
        let tail = ErrorTail(capacity: 10)
        for index in 0..<100 { Array("\(index) ".utf8).withUnsafeBytes { tail.append($0) } }
        #expect(tail.text == "97 98 99 ".suffix(10) || tail.text == " 97 98 99 ")
    }

    @Test func `waits between starts double up to a minute, and an answer ends them`() {
        var backoff = CrashBackoff()
        backoff.crashed(at: .zero)
        #expect(backoff.wait(at: .zero) == nil)
        var waits: [Duration] = []
        for _ in 0..<8 {
            backoff.crashed(at: .seconds(10))
            waits.append(backoff.wait(at: .seconds(10)) ?? .zero)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60].map { .seconds($0) })
        #expect(backoff.wait(at: .seconds(70)) == nil)
        backoff.answered()
        #expect(backoff.wait(at: .zero) == nil)
    }
}
