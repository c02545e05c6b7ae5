import BreezeCore
import BreezeLlamaRunner
import BreezeMockRunners
import BreezeWorker
import Foundation

/// A worker whose runners do what a test wants of them, good or bad.
@main
enum TestWorker {
    static let version = "test"

    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.isEmpty ? "" : arguments.removeFirst() {
        case "worker": await WorkerHost.serve(registry, version: arguments.first ?? version)
        case "babble": babble(arguments)
        case "deaf": while true { sleep(1_000) }
        case "measure": await Measurement.run(arguments)
        default: exit(64)
        }
    }

    static let registry: WorkerRegistry = {
        var builders: [String: WorkerRegistry.Build] = [
            ScriptedRunner.kind: { ScriptedRunner($0) },
            "pacer": { descriptor in
                Measurement.Pacer(milliseconds: descriptor.settings.values["milliseconds"]?.doubleValue ?? 0)
            },
        ]
        builders["llama"] = { descriptor in
            let (model, file) = try descriptor.modelFile()
            return LlamaRunner(model: model, file: file, settings: descriptor.settings)
        }
        for mock in MockRunners.all(clock: ImpatientClock()) { builders[mock.id] = { _ in mock } }
        return WorkerRegistry(builders)
    }()

    /// Says the bytes that each argument spells in hexadecimal; a second one when three messages have come. Then
    /// nothing more.
    private static func babble(_ arguments: [String]) {
        for (index, argument) in arguments.enumerated() {
            if index == 1 { for _ in 0..<3 { skipFrame() } }
            var digits = argument[...]
            var bytes: [UInt8] = []
            while let byte = UInt8(digits.prefix(2), radix: 16) {
                bytes.append(byte)
                digits = digits.dropFirst(2)
            }
            _ = write(STDOUT_FILENO, bytes, bytes.count)
        }
        while true { sleep(1_000) }
    }

    private static func skipFrame() {
        let length = input(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        _ = input(length)
    }

    private static func input(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        for index in 0..<count where read(STDIN_FILENO, &bytes[index], 1) != 1 { exit(1) }
        return bytes
    }
}

/// No time passes while somebody sleeps.
struct ImpatientClock: Clock {
    var now: ContinuousClock.Instant { ContinuousClock.now }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        await Task.yield()
    }
}
