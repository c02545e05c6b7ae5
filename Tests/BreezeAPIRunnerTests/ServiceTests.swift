import BreezeCore
import BreezeTransport
import Foundation
import Testing

@testable import BreezeAPIRunner

@Suite struct ServiceTests {
    private let router = OpenRouterOptions(
        referer: URL(string: "https://app.example/"),
        title: "An app",
        models: ["acme/two"],
        provider: .init(
            order: ["anthropic", "openai"],
            allowFallbacks: false,
            zdr: true,
            sort: .price,
            maxPrice: ["prompt": 1, "completion": 2.5]
        )
    )

    @Test func `OpenRouter gets its headers and its own fields`() async throws {
        let transport = ScriptedTransport(streaming: Recordings.chat)
        _ = try await Bench.collect(try Bench.runner(transport, Bench.service(openRouter: router)))
        let headers = try #require(transport.requests.first?.headers)
        #expect(headers["HTTP-Referer"] == "https://app.example/")
        #expect(headers["X-Title"] == "An app")
        #expect(transport.body?["models"] == ["acme/one", "acme/two"])
        let provider = try Bench.json(
            """
            {"order":["anthropic","openai"],"allow_fallbacks":false,"require_parameters":true,
            "data_collection":"deny","zdr":true,"sort":"price","max_price":{"prompt":1,"completion":2.5}}
            """
        )
        #expect(transport.body?["provider"] == provider)
    }

    @Test func `a model that answered in the place of another is named`() async throws {
        let text =
            "data: {\"model\":\"acme/two\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a\"},\"finish_reason\":\"stop\"}]}\n\n"
        let runner = try Bench.runner(ScriptedTransport(streaming: text), Bench.service(openRouter: router))
        #expect(
            try await Bench.collect(runner).result.notices == ["acme/two answered in the place of acme/one."]
        )
    }

    @Test func `others get none of it`() async throws {
        let transport = ScriptedTransport(streaming: Recordings.chat)
        _ = try await Bench.collect(try Bench.runner(transport))
        #expect(transport.body?["provider"] == nil)
        #expect(transport.requests.first?.headers["X-Title"] == nil)
    }

    @Test func `a configuration survives its file, and a short one is enough`() throws {
        let service = Bench.service(openRouter: router)
        let data = try JSONEncoder().encode(service)
        #expect(try JSONDecoder().decode(APIService.self, from: data) == service)
        var indifferent = router
        indifferent.provider.dataCollection = nil
        let again = try JSONDecoder().decode(OpenRouterOptions.self, from: JSONEncoder().encode(indifferent))
        #expect(again == indifferent)
        let short = """
            {"name":"cluster","baseURL":"https://vllm.example/v1","models":[{"id":"qwen3"}],
            "openRouter":{"provider":{}}}
            """
        let read = try JSONDecoder().decode(APIService.self, from: Data(short.utf8))
        let address = try #require(URL(string: "https://vllm.example/v1"))
        let expected = APIService(
            name: "cluster",
            baseURL: address,
            openRouter: OpenRouterOptions(),
            models: [APIModel("qwen3")]
        )
        #expect(read == expected)
        #expect(read.locality == .network)
        #expect(read.openRouter?.provider.dataCollection == .deny)
        try read.validate()
    }

    @Test(
        arguments: [
            ("{\"name\":\"a:b\",\"baseURL\":\"https://a.example/v1\",\"models\":[]}", "a-z"),
            ("{\"name\":\"a\",\"baseURL\":\"http://a.example/v1\",\"models\":[]}", "https"),
            ("{\"name\":\"a\",\"baseURL\":\"https://u:p@a.example/v1\",\"models\":[]}", "password"),
            (
                "{\"name\":\"a\",\"baseURL\":\"https://a.example/v1\",\"models\":[],\"locality\":\"onDevice\"}",
                "loopback"
            ),
            (
                "{\"name\":\"a\",\"baseURL\":\"https://a.example/\",\"models\":[],\"headers\":{\"authorization\":\"x\"}}",
                "authorization"
            ),
            ("{\"name\":\"a\",\"baseURL\":\"https://a.example/v1\",\"models\":[{\"id\":\"\"}]}", "ids"),
            (
                "{\"name\":\"a\",\"baseURL\":\"https://a.example/v1\",\"models\":[{\"id\":\"m\",\"capabilities\":[\"tts\"]}]}",
                "tts"
            ),
        ]
    )
    func `a wrong configuration says what is wrong`(text: String, word: String) throws {
        let service = try JSONDecoder().decode(APIService.self, from: Data(text.utf8))
        let error = #expect(throws: BreezeError.self) { try service.validate() }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message.contains(word) == true)
    }

    @Test func `what is pinned to the device stays there, unless the developer says that it does`()
        async throws
    {
        let transport = ScriptedTransport(streaming: Recordings.chat)
        let request = InferenceRequest(.chat, prompt: "hello", privacy: .onDevice)
        let network = try Bench.runner(transport)
        #expect(network.locality == .network)
        #expect(!network.canRun(request: request))
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(network, request) }
        #expect(error?.code == .unsupported)
        #expect(transport.requests.isEmpty)
        var service = Bench.service()
        service.locality = .onDevice
        let local = try Bench.runner(transport, service)
        #expect(local.canRun(request: request))
        #expect(try await Bench.collect(local, request).result.output.text?.isEmpty == false)
    }

    @Test func `runners are named after service and model`() throws {
        let runners = try APIRunner.all(
            of: .openRouter(models: [APIModel("acme/one:free", qualityTier: 8), APIModel("acme/two")]),
            transport: ScriptedTransport(streaming: "")
        )
        #expect(runners.map(\.id) == ["openrouter:acme/one:free", "openrouter:acme/two"])
        #expect(runners[0].backend == "openrouter")
        #expect(runners[0].qualityTier == 8)
        #expect(runners[0].model?.id == "acme/one:free")
        let error = #expect(throws: BreezeError.self) {
            try APIRunner(Bench.service(), model: "acme/onne", transport: ScriptedTransport(streaming: ""))
        }
        #expect(error?.code == .unknownModel)
        #expect(error?.remedy == "Did you mean acme/one?")
    }

    private static let refused: [(InferenceRequest, APIService, BreezeError.Code)] = {
        func ask(_ change: (inout InferenceRequest) -> Void) -> InferenceRequest {
            var request = InferenceRequest(.chat, prompt: "hello")
            change(&request)
            return request
        }
        let (plain, responses) = (Bench.service(capabilities: [.chat]), Bench.service(dialect: .responses))
        return [
            (ask { $0.configuration.contextSize = 9 }, plain, .unsupported),
            (ask { $0.configuration.additional["thinking"] = true }, plain, .unsupported),
            (ask { $0.configuration.temperature = 9 }, plain, .invalidParameter),
            (ask { $0.configuration.seed = 1 }, responses, .unsupported),
            (ask { $0.configuration.stop = ["a"] }, responses, .unsupported),
            (ask { $0.imageData = Data([0x89, 0x50]) }, plain, .unsupported),
            (ask { $0.imageData = Data("BM".utf8) }, Bench.service(), .unsupported),
            (ask { $0.configuration.toolChoice = .required }, plain, .invalidRequest),
            (ask { $0.configuration.toolChoice = .named("a") }, plain, .invalidRequest),
            (ask { $0.configuration.guidedOutput = ["not": [:]] }, plain, .unsupported),
            (
                ask { $0.configuration.guidedOutput = ["properties": ["a": ["if": true]]] }, plain,
                .unsupported
            ),
            (ask { $0.configuration.guidedOutput = ["type": 7] }, plain, .invalidRequest),
            (ask { $0.capability = .tts }, plain, .unsupported),
            (ask { $0.prompt = "" }, plain, .invalidRequest),
        ]
    }()

    @Test(arguments: refused.indices)
    func `what cannot be done is refused before anything is sent`(index: Int) async throws {
        let (request, service, code) = Self.refused[index]
        let transport = ScriptedTransport(streaming: Recordings.chat)
        let runner = try Bench.runner(transport, service)
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner, request) }
        #expect(error?.code == code)
        #expect(transport.requests.isEmpty)
    }

    @Test(
        arguments: [
            ("{\\\"a\\\":1}", "stop", nil), ("{\\\"a\\\":\\\"1\\\"}", "stop", "type"),
            ("{}", "stop", "required"),
            ("{\\\"a\\\":", "length", "ended before"), ("ja", "stop", "not the JSON"),
        ] as [(String, String, String?)]
    )
    func `a guided answer is valid or an error`(answer: String, finish: String, fault: String?) async throws {
        let transport = ScriptedTransport(streaming: Recordings.piece(answer, finish: finish))
        let schema: JSONValue = [
            "type": "object", "properties": ["a": ["type": "integer"]], "required": ["a"],
        ]
        let request = InferenceRequest(
            .chat,
            prompt: "hello",
            configuration: InferenceConfig(guidedOutput: schema)
        )
        guard let fault else {
            #expect(
                try await Bench.collect(try Bench.runner(transport), request).result.output
                    == .text("{\"a\":1}")
            )
            return
        }
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(try Bench.runner(transport), request)
        }
        #expect(error?.code == .invalidOutput)
        #expect(error?.message.contains(fault) == true)
    }

    @Test func `log-probabilities`() async throws {
        let text = """
            data: {"choices":[{"index":0,"delta":{"content":"ö"},"logprobs":{"content":[{"token":"ö","logprob":-0.25,\
            "bytes":[195,182],"top_logprobs":[{"token":"ö","logprob":-0.25,"bytes":[195,182]},\
            {"token":"o","logprob":-2,"bytes":null}]}]},"finish_reason":"stop"}]}\n\n
            """
        let request = InferenceRequest(.chat, prompt: "hello", configuration: InferenceConfig(logprobs: 2))
        let (_, result) = try await Bench.collect(
            try Bench.runner(ScriptedTransport(streaming: text)),
            request
        )
        let first = TokenLogprobs.Entry(id: -1, token: "ö", bytes: [195, 182], logprob: -0.25)
        let second = TokenLogprobs.Entry(id: -1, token: "o", bytes: [111], logprob: -2)
        #expect(result.logprobs == [TokenLogprobs(chosen: first, top: [first, second])])
    }

    @Test func `personal data is taken out of everything that is sent, when asked`() async throws {
        let transport = ScriptedTransport(streaming: Recordings.piece("ja", finish: "stop"))
        // Mastercard's published test number; a number of the range that Ofcom keeps for drama.
        let secrets = ["jane.doe@example.org", "5555 5555 5555 4444", "+44 20 7946 0958"]
        let request = InferenceRequest(
            .chat,
            messages: [
                ChatMessage(.user, "Write to \(secrets[0]), größer."),
                ChatMessage(
                    .assistant,
                    "",
                    toolCalls: [ToolCall(id: "a", name: "pay", arguments: ["card": .string(secrets[1])])]
                ),
                ChatMessage(.tool, "Call \(secrets[2]) first.", toolCallID: "a"),
            ]
        )
        let runner = try Bench.runner(transport, redaction: .personalData)
        let (_, result) = try await Bench.collect(runner, request)
        let sent = try #require(transport.requests.first).body
        let text = String(decoding: sent, as: UTF8.self)
        for secret in secrets { #expect(!text.contains(secret)) }
        #expect(text.contains("Write to [removed: personal-data.email-address], größer."))
        #expect(text.contains("[removed: personal-data.payment-card]"))
        #expect(text.contains("Call [removed: personal-data.phone-number] first."))
        #expect(
            result.notices == ["Personal data was taken out of 3 texts before the request left the device."]
        )
        _ = try await Bench.collect(try Bench.runner(transport), request)
        #expect(
            String(decoding: try #require(transport.requests.last).body, as: UTF8.self).contains(secrets[0])
        )
    }

    @Test func `a redaction that fails lets nothing out`() async throws {
        let transport = ScriptedTransport(streaming: Recordings.chat)
        let fails = Redaction { _ in throw BreezeError(.guardianBlocked, "no") }
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(try Bench.runner(transport, redaction: fails))
        }
        #expect(error?.code == .guardianBlocked)
        #expect(transport.requests.isEmpty)
    }
}
