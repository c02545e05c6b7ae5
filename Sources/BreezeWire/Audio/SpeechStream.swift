package import BreezeCore

/// The events of a recording that is sent as it is made.
package struct SpeechStream: WireStream {
    package static let contentType = EventStream.contentType

    private let call: SpeechCall
    private var hasAudio = false

    package init(_ call: SpeechCall) {
        self.call = call
    }

    package mutating func encode(_ chunk: InferenceChunk, choice: Int = 0) throws -> [UInt8] {
        switch chunk.content {
        case .audio(let audio):
            hasAudio = true
            return SpeechCall.event(audio)
        case .progress(let progress): return EventStream.comment(progress)
        case .result(let result):
            let whole = hasAudio ? [] : SpeechCall.event(try call.audio(of: result).data)
            return whole + call.ending(result)
        case .text, .reasoning, .toolCall, .embedding, .classification: return []
        }
    }

    package mutating func finish() -> [UInt8] { EventStream.done }

    package mutating func fail(_ error: BreezeError) -> [UInt8] {
        EventStream.event(WireFailure.event(error)) + EventStream.done
    }
}

extension SpeechCall {
    package var generation: Generation {
        Generation(model: model, requests: [request], streams: sendsEvents, remarks: remarks)
    }
}

extension TranscriptionCall {
    package var generation: Generation {
        Generation(model: model, requests: [request], streams: streams, remarks: remarks)
    }
}
