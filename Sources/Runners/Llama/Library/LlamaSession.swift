#if Llama
import BreezeCore
import BreezeModels
import CLlama
import CLlamaCommon
import Dispatch
import Foundation

/// One loaded model with its contexts, on a thread of its own: a decode blocks for milliseconds, which the
/// concurrency pool's few threads must not.
actor LlamaSession {
    /// A prompt as the model reads it.
    struct Prompt {
        let applied: ChatTemplates.Applied
        /// What the answer must be, from its first token on.
        let grammar: String?
        let tokens: [llama_token]
    }

    private nonisolated let executor = ThreadExecutor(label: "breeze.llama")
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    let model: LlamaModel
    let templates: ChatTemplates?
    private let facts: GGUFModelFacts
    private let threads: Int
    private var chatContext: LlamaContext?
    private var embeddingContext: LlamaContext?

    /// Loads the model. `progress` as in ``LlamaModel``.
    static func open(
        _ file: URL,
        threads: Int,
        progress: @escaping @Sendable (Double) -> Bool
    ) async throws -> LlamaSession {
        let loader = ThreadExecutor(label: "breeze.llama.load")
        let (model, facts) = try await loader.run {
            // Some damaged files end llama.cpp, and with it the process.
            let facts = try GGUFModelFacts(GGUFCheck.open(file))
            return (try LlamaModel(file: file, progress: progress), facts)
        }
        return try LlamaSession(model, facts, threads: threads)
    }

    private init(_ model: LlamaModel, _ facts: GGUFModelFacts, threads: Int) throws {
        self.model = model
        self.facts = facts
        self.threads = threads
        templates = try model.template.map {
            try ChatTemplates(jinja: $0, beginning: model.beginning, end: model.end)
        }
    }

    func prompt(of request: InferenceRequest) throws -> Prompt {
        guard let templates else {
            throw BreezeError(
                .unsupported,
                "This model's file holds no chat template, so it cannot chat.",
                remedy: "Use a model that was tuned for chat; its file names end in -Instruct or -Chat."
            )
        }
        var applied = try templates.apply(request)
        var grammar: String?
        if let schema = request.configuration.guidedOutput {
            if applied.thinking?.isOpen == true {
                // It thinks whatever it is told: then the template's grammar lets it.
                applied = try templates.apply(request, guides: true)
            } else {
                let schema = try schema.compactText()
                grammar = try lcText("make a grammar of the schema", code: .unsupported) {
                    lc_schema_to_grammar(schema, &$0)
                }
            }
        }
        let tokens = model.tokenize(applied.prompt, special: true, framed: true)
        return Prompt(applied: applied, grammar: grammar, tokens: tokens)
    }

    /// The context that chats, with room for `size` tokens as far as the model was trained for it.
    func context(size: Int) throws -> LlamaContext {
        let size = min(size, model.trainedContext)
        if let chatContext, chatContext.size >= size { return chatContext }
        try facts.checkContext(size, limit: Int64(clamping: ProcessInfo.processInfo.physicalMemory))
        // The old one's memory is given back before the new one's is asked for.
        chatContext = nil
        let context = try LlamaContext(model, size: size, threads: threads)
        chatContext = context
        return context
    }

    /// - Returns: A unit vector, and how many tokens the text has.
    func embed(_ text: String) throws -> (vector: [Float], tokens: Int) {
        let context =
            try embeddingContext
            ?? LlamaContext(
                model,
                size: min(model.trainedContext, LlamaParameters.defaultContextSize),
                threads: threads,
                purpose: .embedding
            )
        embeddingContext = context
        let tokens = model.tokenize(text, special: false, framed: true)
        guard tokens.count <= context.size else {
            throw BreezeError.contextSizeExceeded(limit: context.size, asked: tokens.count)
        }
        return (try context.embed(tokens), tokens.count)
    }
}

/// Runs jobs one after another on a queue, where they may block.
final class ThreadExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label, qos: .userInitiated) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func run<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result { try work() }) }
        }
    }
}
#endif
