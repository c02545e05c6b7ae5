// Measures Breeze in CPU-seconds, which a busy machine disturbs little. `scripts/bench.py` drives it: a line
// of JSON in, a line of JSON out, so that rounds of a peer can stand between ours.
import BreezeCore
import BreezeEncoderRunner
import BreezeEngine
import BreezeMockRunners
import BreezeModels
import BreezeOnnxRuntime
import BreezeTokenizers
import Foundation

/// CPU time of all the threads of this process.
func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

struct Command: Decodable {
    enum Kind: String, Decodable { case load, embed, overhead }

    let kind: Kind
    /// `load`: the model store's folder and the model's id there.
    let home: String?
    let model: String?
    /// `embed`: what to embed.
    let texts: [String]?
    /// `overhead`: how many requests.
    let count: Int?
}

struct Figures: Encodable {
    var cpuSeconds: Double?
    var embeddings: [[Float]]?
    var graph: String?
    /// CPU seconds a request, at the median.
    var engine: Double?
    var runnerAlone: Double?
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

let engine = Engine()
for runner in MockRunners.all() { try await engine.register(runner) }

func load(_ command: Command) async throws -> Figures {
    let store = ModelStore(home: URL(filePath: command.home ?? "", directoryHint: .isDirectory))
    let id = command.model ?? ""
    let info = try store.manifest(for: id).info
    let factory = EncoderRunnerFactory(
        library: { try OnnxRuntimeLibrary.locate(environment: ProcessInfo.processInfo.environment) },
        assets: { _ in
            let files = try await store.files(for: id)
            guard let graph = files.graph else { throw BreezeError(.invalidFile, "\(id) has no graph.") }
            return EncoderAssets(graph: graph, tokenizer: try WordPieceTokenizer(files: files.files))
        }
    )
    try await engine.register(try factory.makeRunner(for: info, settings: LoadSettings()))
    let start = cpuSeconds()
    _ = try await engine.run(InferenceRequest(.embedding, prompt: "warm"))
    return Figures(
        cpuSeconds: cpuSeconds() - start,
        graph: try await store.files(for: id).graph?.path
    )
}

func embed(_ texts: [String]) async throws -> Figures {
    let start = cpuSeconds()
    let result = try await engine.run(InferenceRequest(.embedding, inputs: texts))
    let spent = cpuSeconds() - start
    guard case .embeddings(let vectors) = result.output else { return Figures(cpuSeconds: spent) }
    return Figures(cpuSeconds: spent, embeddings: vectors)
}

func overhead(count: Int) async throws -> Figures {
    let request = InferenceRequest(.guardian, prompt: "hello", allowsMocks: true)
    guard let runner = MockRunners.all().first(where: { $0.canRun(request: request) }) else {
        return Figures()
    }
    var engineTimes: [Double] = []
    var runnerTimes: [Double] = []
    for index in 0..<count {
        var request = request
        request.id = "\(index)"
        let start = cpuSeconds()
        _ = try await runner.run(request: request)
        let middle = cpuSeconds()
        _ = try await engine.run(request)
        runnerTimes.append(middle - start)
        engineTimes.append(cpuSeconds() - middle)
    }
    return Figures(engine: median(engineTimes), runnerAlone: median(runnerTimes))
}

while let line = readLine() {
    let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
    let figures =
        switch command.kind {
        case .load: try await load(command)
        case .embed: try await embed(command.texts ?? [])
        case .overhead: try await overhead(count: command.count ?? 1_000)
        }
    print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
    fflush(nil)
}
