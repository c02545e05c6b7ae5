import BreezeCore
import BreezeWorker
import Foundation

/// What hosting costs: the same runner here and in a worker, one request after the other.
enum Measurement {
    static func run(_ arguments: [String]) async {
        let rounds = arguments.first.flatMap { Int($0) } ?? 200
        do {
            let paces = arguments.dropFirst().compactMap { Double($0) }
            for pace in paces.isEmpty ? [0, 2, 20] : paces { try await compare(rounds, pace) }
        } catch {
            print("\(error)")
        }
    }

    /// A decode loop of a fixed pace, which computes as one does: on its thread, without giving it up.
    struct Pacer: StreamingRunner {
        let id = "test:pacer"
        let supportedCapabilities: [AICapability] = [.chat]
        let milliseconds: Double
        func load() async throws {}
        func unload() async {}

        func run(request: InferenceRequest, into sink: ChunkSink) async throws -> InferenceResult {
            for _ in 0..<Measurement.chunks {
                let end = ContinuousClock.now + .milliseconds(milliseconds)
                while ContinuousClock.now < end {}
                try await sink.send(InferenceChunk(requestID: request.id, .text(" token")))
            }
            return InferenceResult(requestID: request.id, output: .text(""), runner: id)
        }
    }

    static let chunks = 8

    private static func compare(_ rounds: Int, _ pace: Double) async throws {
        let pacer = Pacer(milliseconds: pace)
        let hosted = WorkerRunner(
            WorkerFacts(of: pacer),
            descriptor: WorkerDescriptor(
                kind: "pacer",
                settings: LoadSettings(["milliseconds": .number(pace)])
            ),
            launch: .thisProgram(arguments: ["worker"], version: TestWorker.version)
        )
        try await hosted.load()
        var here = Sample()
        var there = Sample()
        let count = pace > 0 ? min(rounds, Int(6_000 / (pace * Double(chunks)))) : rounds
        for _ in 0..<max(count, 5) {
            try await here.take(pacer)
            try await there.take(hosted)
        }
        await hosted.unload()
        let first = (there.median(\.first) - here.median(\.first)) * 1e6
        let each = (there.median(\.each) - here.median(\.each)) * 1e6
        let share = there.median(\.each) / here.median(\.each) - 1
        print(
            "pace \(pace) ms: first chunk +\(Int(first)) us "
                + "(\(Int(here.median(\.first) * 1e6)) to \(Int(there.median(\.first) * 1e6))), "
                + "each further chunk \(String(format: "%+.1f", each)) us (\(String(format: "%+.2f", share * 100)) %)"
        )
    }

    private struct Sample {
        var values: [(first: Double, each: Double)] = []

        mutating func take(_ runner: any StreamingRunner) async throws {
            var seen: [ContinuousClock.Instant] = []
            let begun = ContinuousClock.now
            // As a caller reads: from a task of its own, so that either way a thread is woken for a chunk.
            let stream = InferenceStream { sink in
                _ = try await runner.run(request: InferenceRequest(.chat, prompt: "go"), into: sink)
            }
            for try await _ in stream { seen.append(.now) }
            guard let first = seen.first, let last = seen.last else { return }
            values.append(((first - begun) / .seconds(1), (last - first) / .seconds(Measurement.chunks - 1)))
        }

        func median(_ part: (((first: Double, each: Double)) -> Double)) -> Double {
            let sorted = values.map(part).sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
    }
}
