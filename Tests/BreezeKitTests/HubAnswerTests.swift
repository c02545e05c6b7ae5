import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Testing

/// What the hub's answers become, byte for byte.
@Suite(.timeLimit(.minutes(1))) struct HubAnswerTests {
    private typealias Steps = [ScriptedServer.Step]

    private func client(_ server: ScriptedServer) -> BreezeClient {
        BreezeClient(HubScript.configuration(address: server.address))
    }

    private func server(
        _ inference: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
    ) throws -> ScriptedServer {
        try ScriptedServer(HubScript.hub(inference))
    }

    private func texts(_ stream: InferenceStream) async throws -> (texts: [String], result: InferenceResult?)
    {
        var (texts, result): ([String], InferenceResult?) = ([], nil)
        for try await chunk in stream {
            if let text = chunk.text { texts.append(text) }
            result = chunk.result ?? result
        }
        return (texts, result)
    }

    @Test func `a whole answer, and the request as the hub reads it`() async throws {
        let server = try server { _ in HubScript.json("200 OK", HubScript.result("hello")) }
        let options = AskingOptions(
            id: "r1",
            configuration: InferenceConfig(temperature: 0.5),
            privacy: .onDevice,
            modelID: "tiny"
        )
        let answer = try await client(server).chat(prompt: "hi", options: options)
        #expect(answer.text == "hello")
        #expect("\(answer)" == "hello")
        #expect(answer.result.runner == "llama:tiny")
        #expect(answer.transport?.way == .loopback)
        let got = try #require(server.requests(HubScript.inference).first)
        #expect(got.headers["authorization"] == "Bearer \(HubScript.key)")
        #expect(got.headers["accept"] == "application/json")
        let body = try #require(try JSONSerialization.jsonObject(with: Data(got.body)) as? [String: Any])
        #expect(body["capability"] as? String == "chat")
        #expect(body["id"] as? String == "r1")
        #expect(body["privacy"] as? String == "onDevice")
        #expect(body["modelID"] as? String == "tiny")
        let messages = try #require(body["messages"] as? [[String: String]])
        #expect(messages == [["role": "user", "content": "hi"]])
        #expect((body["configuration"] as? [String: Any])?["temperature"] as? Double == 0.5)
    }

    /// Comments, empty events, several data lines, every line end, text of four bytes a character.
    private static let events =
        "\u{FEFF}: wait\n\n" + HubScript.text("Grüße ") + ": still here\n\ndata:\n\nid: 3\nretry: 9\n\n"
        + "data: {\"requestID\":\"r1\",\r\ndata: \"kind\":\"text\",\rdata:\"text\":\"👩‍🔬 €\"}\r\n\r\n"
        + "event: message\n" + HubScript.text(" end") + HubScript.last("Grüße 👩‍🔬 € end")

    @Test(arguments: [true, false])
    func `a stream reads the same wherever it is cut`(_ isChunked: Bool) async throws {
        let bytes = Array(Self.events.utf8)
        // Each cut point once, and every byte alone.
        let pieces =
            [[bytes]]
            + stride(from: 1, to: bytes.count, by: Soak.isWhole ? 1 : 7).map {
                [Array(bytes[..<$0]), Array(bytes[$0...])]
            } + [bytes.map { [$0] }]
        for piece in pieces {
            let server = try server { _ in
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n"
                guard isChunked else { return [.text(head + "\r\n")] + piece.map { .bytes($0) } }
                return [.text(HubScript.streamHead)]
                    + piece.map {
                        .bytes(Array("\(String($0.count, radix: 16))\r\n".utf8) + $0 + Array("\r\n".utf8))
                    }
                    + [.text("0\r\n\r\n")]
            }
            let (texts, result) = try await texts(client(server).stream(prompt: "hi"))
            #expect(texts == ["Grüße ", "👩‍🔬 €", " end"])
            #expect(result?.output == .text("Grüße 👩‍🔬 € end"))
            #expect(result?.transport?.way == .loopback)
            #expect(server.requests(HubScript.inference).first?.headers["accept"] == "text/event-stream")
        }
    }

    @Test func `pieces are there before the answer ends`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try server { _ in
            [
                .text(HubScript.streamHead + HubScript.chunk(HubScript.text("one"))), .pause(gate),
                .text(HubScript.chunk(HubScript.last("one"))), .text("0\r\n\r\n"),
            ]
        }
        var texts: [String] = []
        for try await chunk in client(server).stream(prompt: "hi") {
            guard let text = chunk.text else { continue }
            texts.append(text)
            gate.signal()
        }
        #expect(texts == ["one"])
    }

    @Test func `when the result is there, the hub may still end its answer`() async throws {
        let server = try server { _ in
            [
                .text(HubScript.streamHead + HubScript.chunk(HubScript.last("one"))), .markIfOpen,
                .text("0\r\n\r\n"), .waitForClose,
            ]
        }
        let (_, result) = try await texts(client(server).stream(prompt: "hi"))
        #expect(result?.output == .text("one"))
        await server.reaches { $0.marks == 1 && $0.hangUps == 1 }
    }

    @Test func `a callback hears the pieces of a whole answer`() async throws {
        let server = try server { _ in
            [.text("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + Self.events)]
        }
        let heard = MemoryStore<[String]>([])
        let request = InferenceRequest(.chat, prompt: "hi") { chunk in
            if let text = chunk.text { heard.save((heard.load() ?? []) + [text]) }
        }
        #expect(try await client(server).run(request).output == .text("Grüße 👩‍🔬 € end"))
        #expect(heard.load() == ["Grüße ", "👩‍🔬 €", " end"])
    }

    @Test func `a hub that is killed in its answer is a typed error, and the next call works`() async throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "hub.sock").path
        let first = try ScriptedServer(
            socket: path,
            HubScript.hub { _ in [.text(HubScript.streamHead + HubScript.chunk(HubScript.text("one"))), .die]
            }
        )
        let client = BreezeClient(HubScript.configuration(socket: path))
        let error = await #expect(throws: BreezeError.self) { try await texts(client.stream(prompt: "hi")) }
        #expect(error?.code == .answerCut)
        // Nobody is there now: that is another error.
        let absent = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(absent?.code == .noHub)
        try FileManager.default.removeItem(atPath: path)
        let second = try ScriptedServer(
            socket: path,
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result("back")) }
        )
        #expect(try await client.chat(prompt: "hi").text == "back")
        #expect((first.requests.count, second.requests.count) == (1, 1))
    }

    @Test func `a hub that says nothing ends in a timeout`() async throws {
        let server = try server { _ in [.waitForClose] }
        var configuration = HubScript.configuration(address: server.address)
        configuration.timeouts = HubTimeouts(answer: .milliseconds(40))
        let error = await #expect(throws: BreezeError.self) {
            try await BreezeClient(configuration).chat(prompt: "hi")
        }
        #expect(error?.code == .timeout)
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `each kind of answer is what its method returns`() async throws {
        let server = try server { request in
            let text = String(decoding: request.body, as: UTF8.self)
            let output =
                switch true {
                case text.contains("\"embedding\""):
                    "{\"kind\":\"embeddings\",\"embeddings\":[[0.5,-1],[0,2]]}"
                case text.contains("\"classification\""):
                    "{\"kind\":\"classifications\",\"classifications\":[{\"scores\":[{\"label\":\"a\",\"score\":1}]}]}"
                case text.contains("\"asr\""): "{\"kind\":\"transcript\",\"transcript\":{\"text\":\"said\"}}"
                case text.contains("\"tts\""):
                    "{\"kind\":\"audio\",\"audio\":{\"data\":\"AQI=\",\"mediaType\":\"audio/wav\","
                        + "\"sampleRate\":16000,\"duration\":0.5}}"
                case text.contains("\"guardian\""):
                    "{\"kind\":\"verdict\",\"verdict\":{\"action\":\"warn\",\"findings\":[]}}"
                default: "{\"kind\":\"text\",\"text\":\"a cat\"}"
                }
            let result = HubScript.result("").replacing("{\"kind\":\"text\",\"text\":\"\"}", with: output)
            return HubScript.json("200 OK", result)
        }
        let client = client(server)
        #expect(try await client.embed(["a", "b"], as: .query).value == [[0.5, -1], [0, 2]])
        #expect(try await client.classify(["a"]).value.map(\.label) == ["a"])
        #expect(try await client.transcribe(Data([1])).value.text == "said")
        #expect(try await client.speak("hello").value.data == Data([1, 2]))
        #expect(try await client.guard("hello").value.action == .warn)
        #expect(try await client.see(Data([1]), prompt: "what").text == "a cat")
        let bodies = server.requests.map { String(decoding: $0.body, as: UTF8.self) }
        #expect(
            bodies[0].contains("\"inputs\":[\"a\",\"b\"]") && bodies[0].contains("\"inputType\":\"query\"")
        )
        #expect(bodies[2].contains("\"audioData\":\"AQ==\""))
        #expect(bodies[5].contains("\"imageData\":\"AQ==\"") && bodies[5].contains("\"vlm\""))
    }

    @Test func `an answer of another kind than was asked for is none`() async throws {
        let server = try server { _ in HubScript.json("200 OK", HubScript.result("text")) }
        let error = await #expect(throws: BreezeError.self) { try await client(server).embed(["a"]) }
        #expect(error?.code == .malformedAnswer)
    }

    @Test func `a request without what it needs is not sent`() async throws {
        let server = try server { _ in [] }
        let error = await #expect(throws: BreezeError.self) { try await client(server).chat(prompt: "") }
        #expect(error?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }
}
