#if Llama
import BreezeCore
import CLlama
import Synchronization

/// Set from any thread: the decode that runs stops at the next step of its graph, some milliseconds later.
final class CancelFlag: Sendable {
    private let flag: Atomic<Bool> = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
    func reset() { flag.store(false, ordering: .relaxed) }
}

/// What a model computes with: the cache of what it has read, and the buffers of its graph. Confined to one
/// thread at a time, apart from its ``CancelFlag``.
final class LlamaContext {
    enum Purpose {
        case chat
        case embedding
    }

    let model: LlamaModel
    let size: Int
    let cancel: CancelFlag = CancelFlag()
    private let pointer: OpaquePointer
    /// Tokens that llama.cpp takes in one call; it cuts them into micro-batches of 512.
    private let batch: Int
    /// What the cache holds, in order.
    private var read: [llama_token] = []

    init(_ model: LlamaModel, size: Int, threads: Int, purpose: Purpose = .chat) throws {
        var parameters = llama_context_default_params()
        parameters.n_ctx = UInt32(size)
        parameters.n_batch = UInt32(purpose == .chat ? min(size, 2_048) : size)
        // An encoder reads a text as a whole.
        if purpose == .embedding { parameters.n_ubatch = UInt32(size) }
        parameters.n_threads = Int32(threads)
        parameters.n_threads_batch = Int32(threads)
        parameters.embeddings = purpose == .embedding
        parameters.no_perf = true
        parameters.abort_callback = { data in
            guard let data else { return false }
            return Unmanaged<CancelFlag>.fromOpaque(data).takeUnretainedValue().isSet
        }
        parameters.abort_callback_data = Unmanaged.passUnretained(cancel).toOpaque()
        guard let pointer = llama_init_from_model(model.pointer, parameters) else {
            throw BreezeError(
                .insufficientMemory,
                "llama.cpp cannot make a context of \(size) tokens: "
                    + (LlamaLibrary.takeComplaints() ?? "it gives no reason."),
                remedy: "Ask for a smaller contextSize."
            )
        }
        self.model = model
        // llama.cpp rounds it up; who asked for less gets less.
        self.size = min(size, Int(llama_n_ctx(pointer)))
        batch = Int(llama_n_batch(pointer))
        self.pointer = pointer
    }

    deinit { llama_free(pointer) }

    /// Reads a prompt. What it has in common with the one before is in the cache already.
    /// - Returns: How many tokens that spared.
    @discardableResult
    func prefill(_ prompt: [llama_token]) throws -> Int {
        // The last one is read in any case, for its logits.
        var shared = zip(read, prompt.dropLast()).prefix { $0 == $1 }.count
        if shared < read.count, !llama_memory_seq_rm(llama_get_memory(pointer), 0, llama_pos(shared), -1) {
            // A recurrent model cannot forget its last words alone.
            llama_memory_clear(llama_get_memory(pointer), true)
            shared = 0
        }
        read.removeLast(read.count - shared)
        var rest = prompt[shared...]
        while !rest.isEmpty {
            let piece = rest.prefix(batch)
            try decode(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return shared
    }

    func advance(_ token: llama_token) throws { try decode([token]) }

    private func decode(_ tokens: [llama_token]) throws {
        var tokens = tokens
        let code = tokens.withUnsafeMutableBufferPointer { buffer in
            llama_decode(pointer, llama_batch_get_one(buffer.baseAddress, Int32(buffer.count)))
        }
        if code == 0 {
            read += tokens
            return
        }
        // Micro-batches that were done before it stopped are in the cache; nobody knows which.
        forget()
        if code == 2 { throw CancellationError() }
        throw failure("decode", code)
    }

    private func forget() {
        llama_memory_clear(llama_get_memory(pointer), true)
        read = []
    }

    /// The vector of a text: of the whole of it where the model pools, of its last token where it does not.
    func embed(_ tokens: [llama_token]) throws -> [Float] {
        var tokens = tokens
        let hasCache = llama_get_memory(pointer) != nil
        if hasCache { forget() }
        let code = tokens.withUnsafeMutableBufferPointer { buffer in
            let batch = llama_batch_get_one(buffer.baseAddress, Int32(buffer.count))
            return hasCache ? llama_decode(pointer, batch) : llama_encode(pointer, batch)
        }
        guard code == 0 else {
            if cancel.isSet { throw CancellationError() }
            throw failure("encode", code)
        }
        let row = llama_get_embeddings_seq(pointer, 0) ?? llama_get_embeddings_ith(pointer, -1)
        guard let row else { throw failure("embed", code) }
        let vector = UnsafeBufferPointer(start: row, count: model.width)
        let length = vector.reduce(0) { $0 + $1 * $1 }.squareRoot()
        guard length.isFinite else { throw failure("embed", code) }
        return length > 0 ? vector.map { $0 / length } : Array(vector)
    }

    /// The scores of what may come next, a number a token of the vocabulary; valid until the next decode.
    func withLogits<Result>(_ body: (UnsafeBufferPointer<Float>) throws -> Result) throws -> Result {
        guard let row = llama_get_logits_ith(pointer, -1) else { throw failure("give logits", 0) }
        let count = Int(llama_vocab_n_tokens(model.vocabulary))
        return try body(UnsafeBufferPointer(start: row, count: count))
    }

    func next(_ sampler: LlamaSampler) throws -> llama_token { try sampler.next(pointer) }

    private func failure(_ what: String, _ code: Int32) -> BreezeError {
        BreezeError(
            .runFailed,
            "llama.cpp could not \(what) (code \(code)): "
                + (LlamaLibrary.takeComplaints() ?? "it gives no reason.")
        )
    }
}
#endif
