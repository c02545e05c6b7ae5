#if Llama
import BreezeCore
import BreezeModels
import CLlama
import Foundation

/// A loaded GGUF file: its weights, and its vocabulary.
// @unchecked: the C object is only read once it is loaded.
final class LlamaModel: @unchecked Sendable {
    let pointer: OpaquePointer
    let vocabulary: OpaquePointer
    /// The file is mapped: who removes it meanwhile gets no space back.
    private let lease: FileLease

    /// Takes as long as reading the file: call it where blocking is allowed. `progress` gets the part that is
    /// done, 0…1, and returns `false` to end the load.
    init(file: URL, progress: @escaping (Double) -> Bool = { _ in true }) throws {
        LlamaLibrary.start()
        _ = LlamaLibrary.takeComplaints()
        let report = Report(progress)
        var parameters = llama_model_default_params()
        parameters.n_gpu_layers = 0
        parameters.load_mode = LLAMA_LOAD_MODE_MMAP
        parameters.progress_callback_user_data = Unmanaged.passUnretained(report).toOpaque()
        parameters.progress_callback = { part, data in
            guard let data else { return true }
            return Unmanaged<Report>.fromOpaque(data).takeUnretainedValue().tell(Double(part))
        }
        let loaded = withExtendedLifetime(report) { llama_model_load_from_file(file.path, parameters) }
        guard let loaded else {
            if report.isEnded { throw CancellationError() }
            throw BreezeError(
                .loadFailed,
                "llama.cpp cannot load \(file.lastPathComponent): "
                    + (LlamaLibrary.takeComplaints() ?? "it gives no reason."),
                remedy: "Get the file again, or another quantisation of the model."
            )
        }
        lease = FileLease([file])
        pointer = loaded
        vocabulary = llama_model_get_vocab(loaded)
    }

    deinit { llama_model_free(pointer) }

    private final class Report {
        private let progress: (Double) -> Bool
        private(set) var isEnded = false

        init(_ progress: @escaping (Double) -> Bool) { self.progress = progress }

        func tell(_ part: Double) -> Bool {
            isEnded = !progress(part)
            return !isEnded
        }
    }

    /// Tokens of input and output that it was trained for.
    var trainedContext: Int { Int(llama_model_n_ctx_train(pointer)) }
    /// Numbers in an embedding.
    var width: Int { Int(llama_model_n_embd_out(pointer)) }
    /// `nil` where the file holds none.
    var template: String? { llama_model_chat_template(pointer, nil).map { String(cString: $0) } }

    var beginning: String { text(of: llama_vocab_bos(vocabulary)) }
    var end: String { text(of: llama_vocab_eos(vocabulary)) }

    private func text(of token: llama_token) -> String {
        token == LLAMA_TOKEN_NULL ? "" : String(decoding: bytes(of: token, special: true), as: UTF8.self)
    }

    /// Whether the answer ends with it.
    func ends(with token: llama_token) -> Bool { llama_vocab_is_eog(vocabulary, token) }

    /// `special`: texts such as `<|im_end|>` become the control tokens that they name. `framed`: the tokens that
    /// the model wants around every text are added.
    func tokenize(_ text: String, special: Bool, framed: Bool) -> [llama_token] {
        var text = text
        return text.withUTF8 { utf8 in
            utf8.withMemoryRebound(to: CChar.self) { characters in
                let length = Int32(clamping: characters.count)
                let start = characters.baseAddress
                let needed = -llama_tokenize(vocabulary, start, length, nil, 0, framed, special)
                guard needed > 0 else { return [] }
                return [llama_token](unsafeUninitializedCapacity: Int(needed)) { tokens, count in
                    let written = llama_tokenize(
                        vocabulary,
                        start,
                        length,
                        tokens.baseAddress,
                        needed,
                        framed,
                        special
                    )
                    count = Int(max(0, written))
                }
            }
        }
    }

    /// A part of a text, which may begin or end inside a character. Control tokens have one only where `special`.
    func bytes(of token: llama_token, special: Bool) -> [UInt8] {
        var capacity: Int32 = 32
        while true {
            var written: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: Int(capacity)) { buffer, count in
                buffer.withMemoryRebound(to: CChar.self) { characters in
                    written = llama_token_to_piece(
                        vocabulary,
                        token,
                        characters.baseAddress,
                        capacity,
                        0,
                        special
                    )
                }
                count = Int(max(0, written))
            }
            if written >= 0 { return bytes }
            capacity = -written
        }
    }
}
#endif
