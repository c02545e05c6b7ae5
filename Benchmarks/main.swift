// Measures Breeze in CPU-seconds, which a busy machine disturbs little. `scripts/bench.py` drives it: a line of JSON
// in, a line of JSON out, so that rounds of a peer can stand between ours.
import BreezeCore
import BreezeWorker
import Foundation

switch Array(CommandLine.arguments.dropFirst()) {
case []:
    var benchmark = EncoderBenchmark()
    try await answerLines { try await benchmark.answer($0) }
case ["llama"]:
    var benchmark = LlamaBenchmark()
    try await answerLines { try await benchmark.answer($0) }
case ["tokenizer"]:
    var benchmark = TokenizerBenchmark()
    try await answerLines { try await benchmark.answer($0) }
case ["vectors"]:
    var benchmark = VectorBenchmark()
    try await answerLines { try await benchmark.answer($0) }
#if Hub
case ["mail"]:
    let benchmark = MailBenchmark()
    try await answerLines { try await benchmark.answer($0) }
case ["mailsearch"]:
    var benchmark = MailSearchBenchmark()
    try await answerLines { try await benchmark.answer($0) }
#endif
case ["engine"]:
    var benchmark = HubBenchmark()
    try await answerLines { try await benchmark.answer($0) }
#if Hub
case ["server"]:
    try await BareServer.run()
#endif
case ["worker"]:
    await WorkerHost.serve(LlamaBenchmark.registry, version: LlamaBenchmark.launch.version)
case let words where words.count == 3 && words[0] == "model":
    try GeneratedModel.write(words[1], to: URL(filePath: words[2]))
case let words:
    throw BreezeError(
        .invalidRequest,
        "breeze-benchmark does not know \(words.joined(separator: " ")).",
        remedy:
            "Use it without arguments, or with: llama, tokenizer, vectors, mail, mailsearch, engine, server, worker, "
            + "model tiny FILE, model tiny-embedding FILE, model qwen3-0.6b FILE"
    )
}
