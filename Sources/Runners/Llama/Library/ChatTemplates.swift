#if Llama
import BreezeCore
import CLlamaCommon
import Foundation

/// The chat template of a model, as llama.cpp's own library reads it.
// @unchecked: only read after it was made, and asked on one session's thread.
final class ChatTemplates: @unchecked Sendable {
    /// A conversation as the model is to read it, and how its answer is to be read.
    struct Applied {
        /// For the C functions that take it back.
        let json: String
        let prompt: String
        /// Texts that end an answer, beside the caller's.
        let stops: [String]
        /// Tokens that must not vanish from the answer though they are control tokens.
        let preserved: [String]
        let thinking: ThinkingTags?
        /// A parser of its own for the answer, for tool calls above all.
        let hasParser: Bool
    }

    private struct Result: Decodable {
        let prompt: String
        let parser: String
        let generation_prompt: String
        let preserved: [String]
        let stops: [String]
        let thinking_start: String
        let thinking_ends: [String]
    }

    private let pointer: OpaquePointer

    /// - Throws: ``BreezeError/Code/invalidFile`` where the template does not parse.
    init(jinja: String, beginning: String, end: String) throws {
        pointer = try lcResult("read the model's chat template", code: .invalidFile) {
            lc_templates_new(jinja, beginning, end, &$0)
        }
    }

    deinit { lc_templates_free(pointer) }

    /// `guides`: see ``ChatQuestion``.
    func apply(_ request: InferenceRequest, guides: Bool = false) throws -> Applied {
        let question = try ChatQuestion(request: request, guides: guides).json
        let json = try lcText("apply the chat template", code: .invalidRequest) {
            lc_templates_apply(pointer, question, &$0)
        }
        let result = try JSONDecoder().decode(Result.self, from: Data(json.utf8))
        return Applied(
            json: json,
            prompt: result.prompt,
            stops: result.stops,
            preserved: result.preserved,
            thinking: ThinkingTags(
                start: result.thinking_start,
                ends: result.thinking_ends,
                after: result.generation_prompt
            ),
            hasParser: !result.parser.isEmpty
        )
    }
}
#endif
