import BreezeCore
import Foundation

extension LlamaBenchmark {
    /// From the call of `cancel` until the caller has its thread of control back: `count` times, at moments spread
    /// over the reading of the prompt or the writing of the answer.
    func cancel(_ command: Command) async throws -> Figures {
        let runner = try chosen(by: command)[0]
        let request = Self.request(command)
        var seconds: [Double] = []
        // A prompt that was cancelled is not in the cache; an answer's first one is.
        var dice = SystemRandomNumberGenerator()
        while seconds.count < command.count ?? 20 {
            let (signal, pieces) = AsyncStream.makeStream(of: Void.self)
            let task = Task {
                try await runner.stream(request, into: ChunkSink { _ in pieces.yield() })
            }
            if command.phase == .decode {
                let wanted = Int.random(in: 1...8, using: &dice)
                var seen = 0
                for await _ in signal {
                    seen += 1
                    if seen == wanted { break }
                }
            }
            try await Task.sleep(for: .milliseconds(Int.random(in: Self.delay(command.phase), using: &dice)))
            let clock = Stopwatch()
            task.cancel()
            let outcome = await task.result
            // What was over before counts for nothing.
            if case .failure(let error) = outcome {
                guard error is CancellationError else { throw error }
                seconds.append(clock.wallSeconds)
            }
        }
        return Figures(seconds: [seconds])
    }

    /// Milliseconds: within one token's time in decode, and past the first steps of a long prompt.
    private static func delay(_ phase: Command.Phase?) -> ClosedRange<Int> {
        phase == .decode ? 0...20 : 20...600
    }
}
