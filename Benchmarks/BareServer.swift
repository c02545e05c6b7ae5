#if Hub
import Foundation
import Hummingbird
import Logging

/// The least that takes a question in JSON and gives an answer in JSON, with the hub's server and its defaults: what
/// the hub's requests a second are held against.
enum BareServer {
    /// Listens until the process ends; prints its port.
    static func run() async throws {
        let router = Router()
        router.post("/v1/chat/completions") { request, context in
            let question = try await request.decode(as: Question.self, context: context)
            return Answer(to: question)
        }
        router.get("/readyz") { _, _ in "ready\n" }
        var logger = Logger(label: "bare")
        logger.logLevel = .error
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: 0),
                backlog: 1_024
            ),
            onServerRunning: { channel in
                print(#"{"port": \#(channel.localAddress?.port ?? 0)}"#)
                fflush(nil)
            },
            logger: logger
        )
        try await application.run()
    }

    private struct Message: Codable {
        var role: String
        var content: String
    }

    private struct Question: Decodable {
        var model: String
        var messages: [Message]
    }

    /// As much of an OpenAI answer as every client needs.
    private struct Answer: ResponseEncodable {
        struct Choice: Encodable {
            var index = 0
            var message: Message
            var finishReason = "stop"

            enum CodingKeys: String, CodingKey { case index, message, finishReason = "finish_reason" }
        }

        var id = "chatcmpl-\(UUID().uuidString.lowercased())"
        var object = "chat.completion"
        var created = Int(Date().timeIntervalSince1970)
        var model: String
        var choices: [Choice]

        init(to question: Question) {
            model = question.model
            let content = question.messages.last?.content ?? ""
            choices = [Choice(message: Message(role: "assistant", content: content))]
        }
    }
}
#endif
