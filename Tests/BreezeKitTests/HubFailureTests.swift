import BreezeCore
import BreezeKit
import BreezeTestSupport
import Testing

/// What the hub refuses, and what breaks off, byte for byte.
@Suite(.timeLimit(.minutes(1))) struct HubFailureTests {
    private func client(_ server: ScriptedServer) -> BreezeClient {
        BreezeClient(HubScript.configuration(address: server.address))
    }

    private func ask(_ client: BreezeClient, isStream: Bool) async throws {
        if isStream {
            for try await _ in client.stream(prompt: "hi") {}
        } else {
            _ = try await client.chat(prompt: "hi")
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let status: String
        let body: String
        var headers = ""
        let code: String
        var message: String?
        var retryAfter: Duration?

        var testDescription: String { "\(status) \(code)" }
    }

    static let refusals = [
        Refusal(
            status: "401 Unauthorized",
            body: "{\"error\":{\"code\":\"invalid_key\",\"message\":\"The key is not valid.\"}}",
            code: "invalid_key"
        ),
        Refusal(status: "401 Unauthorized", body: "", code: "invalid_key"),
        Refusal(
            status: "403 Forbidden",
            body:
                "{\"error\":{\"code\":\"app_waiting\",\"message\":\"The owner has not approved Notes yet.\","
                + "\"remedy\":\"breeze apps approve x\"}}",
            code: "app_waiting",
            message: "The owner has not approved Notes yet."
        ),
        Refusal(
            status: "403 Forbidden",
            body: "{\"error\":{\"code\":\"revoked\",\"message\":\"The owner withdrew it.\"}}",
            code: "revoked",
            message: "The owner withdrew it."
        ),
        Refusal(
            status: "429 Too Many Requests",
            body: "{\"error\":{\"code\":\"busy\",\"message\":\"Full.\",\"retryAfter\":1.5}}",
            headers: "retry-after: 2\r\n",
            code: "busy",
            message: "Full.",
            retryAfter: .milliseconds(1_500)
        ),
        Refusal(
            status: "429 Too Many Requests",
            body:
                "{\"error\":{\"code\":\"daily_quota_exceeded\",\"message\":\"Spent.\",\"type\":\"rate_limit_error\"}}",
            headers: "Retry-After: 60\r\n",
            code: "daily_quota_exceeded",
            message: "Spent.",
            retryAfter: .seconds(60)
        ),
        Refusal(
            status: "503 Service Unavailable",
            body: "busy",
            headers: "retry-after: soon\r\n",
            code: "resource_unavailable"
        ),
        Refusal(
            status: "500 Internal Server Error",
            body: "{\"error\":{\"code\":\"internal_error\",\"message\":\"Unforeseen.\"}}",
            code: "internal_error",
            message: "Unforeseen."
        ),
        Refusal(
            status: "404 Not Found",
            body: "{\"error\":{\"code\":\"not_found\",\"message\":\"There is no such path here.\"}}",
            code: "unsupported"
        ),
        Refusal(status: "502 Bad Gateway", body: "<html>", code: "invalid_response"),
        Refusal(status: "404 Not Found", body: "{\"error\":\"no such path\"}", code: "invalid_response"),
        Refusal(status: "302 Found", body: "", headers: "location: http://e\r\n", code: "invalid_response"),
        Refusal(status: "200 OK", body: "{\"requestID\":\"r1\"}", code: "invalid_response"),
        Refusal(status: "200 OK", body: "<html>", code: "invalid_response"),
    ]

    @Test(arguments: refusals, [true, false])
    func `what the hub refuses is a typed error, and is sent once`(
        _ refusal: Refusal,
        _ isStream: Bool
    ) async throws {
        let server = try ScriptedServer(
            HubScript.hub { _ in HubScript.json(refusal.status, refusal.body, headers: refusal.headers) }
        )
        let client = client(server)
        let error = await #expect(throws: BreezeError.self) { try await ask(client, isStream: isStream) }
        #expect(error?.code.rawValue == refusal.code)
        if let message = refusal.message { #expect(error?.message == message) }
        #expect(error?.retryAfter == refusal.retryAfter)
        #expect(server.requests.count == 1)
    }

    struct Break: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let code: BreezeError.Code
        var testDescription: String { name }
    }

    static let breaks = [
        Break(name: "no end", body: HubScript.chunk(HubScript.text("one")), code: .answerCut),
        Break(
            name: "an end without result",
            body: HubScript.chunk(HubScript.text("one")) + "0\r\n\r\n",
            code: .answerCut
        ),
        Break(name: "nothing at all", body: "0\r\n\r\n", code: .answerCut),
        Break(
            name: "half a result",
            body: HubScript.chunk(String(HubScript.last("one").dropLast(30))) + "0\r\n\r\n",
            code: .answerCut
        ),
        Break(
            name: "a chunk of no size",
            body: HubScript.chunk(HubScript.text("one")) + "zz\r\n",
            code: .malformedAnswer
        ),
        Break(name: "no JSON", body: HubScript.chunk("data: {\"requestID\n\n"), code: .malformedAnswer),
        Break(
            name: "an unknown kind",
            body: HubScript.chunk("data: {\"requestID\":\"r1\",\"kind\":\"smell\"}\n\n"),
            code: .malformedAnswer
        ),
        Break(
            name: "an error in it",
            body: HubScript.chunk(HubScript.text("one"))
                + HubScript.chunk(
                    "event: error\ndata: {\"error\":{\"code\":\"run_failed\",\"message\":\"It broke.\"}}\n\n"
                ) + "0\r\n\r\n",
            code: .runFailed
        ),
        Break(
            name: "an error without an empty line",
            body: HubScript.chunk(
                "event: error\ndata: {\"error\":{\"code\":\"cancelled\",\"message\":\"The hub stops.\"}}\n"
            ) + "0\r\n\r\n",
            code: .cancelled
        ),
        Break(
            name: "an error without words",
            body: HubScript.chunk("event: error\ndata: {}\n\n"),
            code: .malformedAnswer
        ),
    ]

    @Test func `a request that JSON cannot hold is a typed error, and is not sent`() async throws {
        let server = try ScriptedServer(HubScript.hub { _ in [] })
        let options = AskingOptions(configuration: InferenceConfig(temperature: .infinity))
        let error = await #expect(throws: BreezeError.self) {
            try await client(server).chat(prompt: "hi", options: options)
        }
        #expect(error?.code == .invalidRequest)
        #expect(server.requests.isEmpty)
    }

    @Test func `an error of an app's own store reaches the caller as one of ours`() async throws {
        struct LockedStore: ValueStore {
            struct Locked: Error {}
            func load() throws -> HubKey? { throw Locked() }
            func save(_ value: HubKey) throws { throw Locked() }
            func remove() throws { throw Locked() }
        }
        let server = try ScriptedServer(HubScript.hub { _ in [] })
        var configuration = HubScript.configuration(address: server.address)
        configuration.keys = LockedStore()
        let error = await #expect(throws: BreezeError.self) {
            try await BreezeClient(configuration).chat(prompt: "hi")
        }
        #expect(error?.underlying is LockedStore.Locked)
        #expect(server.requests.isEmpty)
    }

    @Test(arguments: breaks)
    func `a stream that ends without its result is a typed error`(_ broken: Break) async throws {
        let server = try ScriptedServer(HubScript.hub { _ in [.text(HubScript.streamHead + broken.body)] })
        let error = await #expect(throws: BreezeError.self) {
            try await ask(client(server), isStream: true)
        }
        #expect(error?.code == broken.code)
        #expect(server.requests.count == 1)
    }
}
