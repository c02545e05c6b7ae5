package import BreezeCore

/// The events of a streamed transcript.
package struct TranscriptionStream: WireStream {
    package static let contentType = EventStream.contentType

    private let call: TranscriptionCall
    private var hasText = false
    private var result: InferenceResult?

    package init(_ call: TranscriptionCall) {
        self.call = call
    }

    package mutating func encode(_ chunk: InferenceChunk, choice: Int = 0) throws -> [UInt8] {
        guard result == nil else { return [] }
        switch chunk.content {
        case .text(let text): return delta(text)
        case .progress(let progress): return EventStream.comment(progress)
        case .result(let result):
            let text = result.output.text ?? ""
            let rest = hasText || text.isEmpty ? [] : delta(text)
            self.result = result
            return rest
                + EventStream.event(
                    JSONWriter.object { writer in
                        writer.field("type", "transcript.text.done")
                        writer.field("text", text)
                        writer.field("breeze", BreezeAccount([result], call.remarks))
                    }
                )
        case .reasoning, .toolCall, .audio, .embedding, .classification: return []
        }
    }

    private mutating func delta(_ text: String) -> [UInt8] {
        hasText = true
        return EventStream.event(
            JSONWriter.object { writer in
                writer.field("type", "transcript.text.delta")
                writer.field("delta", text)
            }
        )
    }

    package mutating func finish() -> [UInt8] { EventStream.done }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        EventStream.event(WireFailure.event(error)) + EventStream.done
    }
}
