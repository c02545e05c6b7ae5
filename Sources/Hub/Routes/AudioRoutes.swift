#if Hub
import BreezeCore
import BreezeWire
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    func addAudioRoutes(to router: Router<HubContext>) {
        router.post("/v1/audio/speech") { request, context in
            var call = try SpeechCall(parsing: try await self.body(of: request, context))
            guard !call.sendsEvents else {
                let form = GenerationForm(
                    answer: { _, _, _ in [] },
                    stream: { [call] _ in SpeechStream(call) },
                    contentType: SpeechStream.contentType
                )
                return try await self.answer(call.generation, form, request, context)
            }
            call.request.apply(try request.hints)
            try self.check(call.remarks)
            let (audio, type) = try call.audio(of: try await self.ask(call.request, request, context))
            return Response(bytes: Array(audio), type: type)
        }
        router.post("/v1/audio/transcriptions") { request, context in
            let body = try await self.body(of: request, context)
            let form = try MultipartForm(contentType: request.headers[.contentType] ?? "", body: body)
            var call = try TranscriptionCall(form)
            guard !call.streams else {
                let form = GenerationForm(
                    answer: { _, _, _ in [] },
                    stream: { [call] _ in TranscriptionStream(call) },
                    contentType: TranscriptionStream.contentType
                )
                return try await self.answer(call.generation, form, request, context)
            }
            call.request.apply(try request.hints)
            try self.check(call.remarks)
            let (bytes, type) = try call.answer(try await self.ask(call.request, request, context))
            return Response(bytes: bytes, type: type)
        }
    }
}

extension Response {
    fileprivate init(bytes: [UInt8], type: String) {
        self.init(
            status: .ok,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
#endif
