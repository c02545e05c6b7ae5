import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct RegistrationTests {
    private func server(state: String = "approved") throws -> ScriptedServer {
        try ScriptedServer(
            HubScript.hub(state: state) { _ in HubScript.json("200 OK", HubScript.result("hello")) }
        )
    }

    private func configuration(_ server: ScriptedServer, _ keys: MemoryStore<HubKey>) -> BreezeConfiguration {
        var configuration = HubScript.configuration(address: server.address)
        configuration.keys = keys
        return configuration
    }

    @Test func `the first request registers the app, and the next ones use its key`() async throws {
        let server = try server()
        let keys = MemoryStore<HubKey>()
        var configuration = configuration(server, keys)
        configuration.capabilities = [.chat, .embedding]
        configuration.asksForNetwork = true
        let client = BreezeClient(configuration)
        #expect(try await client.chat(prompt: "hi").text == "hello")
        #expect(try await client.chat(prompt: "hi").text == "hello")
        #expect(keys.load() == HubKey(app: "abcdefghijkl", text: HubScript.key))
        let asked = server.requests("/breeze/v1/apps")
        #expect(asked.count == 1)
        let body = try #require(asked.first?.body)
        let json = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        #expect(json["name"] as? String == "Notes")
        #expect(json["capabilities"] as? [String] == ["chat", "embedding"])
        #expect(json["network"] as? Bool == true)
        #expect(asked.first?.headers["authorization"] == nil)
        // Another client of the app, later.
        #expect(try await BreezeClient(configuration).chat(prompt: "hi").text == "hello")
        #expect(server.requests("/breeze/v1/apps").count == 1)
        let keysSent = server.requests(HubScript.inference).map { $0.headers["authorization"] }
        #expect(keysSent == Array(repeating: "Bearer \(HubScript.key)", count: 3))
    }

    @Test func `requests that come at once register the app once`() async throws {
        let server = try server()
        let client = BreezeClient(configuration(server, MemoryStore()))
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<12 { group.addTask { try await client.chat(prompt: "hi").text } }
            for try await text in group { #expect(text == "hello") }
        }
        #expect(server.requests("/breeze/v1/apps").count == 1)
        #expect(server.requests(HubScript.inference).count == 12)
    }

    @Test func `what the owner has not approved is not sent, and says what to do`() async throws {
        let server = try server(state: "waiting")
        let keys = MemoryStore<HubKey>()
        let client = BreezeClient(configuration(server, keys))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "a secret") }
        #expect(error?.code == .approvalPending)
        #expect(error?.remedy?.contains("breeze apps approve abcdefghijkl") == true)
        #expect(keys.load() != nil)
        #expect(server.requests(HubScript.inference).isEmpty)
    }

    @Test(arguments: ["invalid_key", "revoked", "app_refused", "expired"])
    func `an app that lost its right is told so, and not registered anew`(_ code: String) async throws {
        let server = try ScriptedServer(
            HubScript.hub { _ in
                HubScript.json("403 Forbidden", "{\"error\":{\"code\":\"\(code)\",\"message\":\"No.\"}}")
            }
        )
        let keys = MemoryStore<HubKey>(HubKey(app: "a", text: "brz_old"))
        let own = CountingRunner()
        var configuration = configuration(server, keys)
        configuration.fallback = .runner(own)
        let client = BreezeClient(configuration)
        for _ in 0..<2 {
            let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
            #expect(error?.code.rawValue == code)
        }
        #expect(server.requests("/breeze/v1/apps").isEmpty)
        #expect(keys.load()?.text == "brz_old")
        // The owner said no: nobody else answers in the hub's place.
        #expect(own.requests.isEmpty)
    }

    @Test func `an app registers anew where it is told to`() async throws {
        let server = try server()
        let keys = MemoryStore<HubKey>(HubKey(app: "old", text: "brz_old"))
        let client = BreezeClient(configuration(server, keys))
        #expect(try await client.register().state == .ready)
        #expect(keys.load()?.app == "old")
        #expect(try await client.register(anew: true).state == .ready)
        #expect(keys.load()?.app == "abcdefghijkl")
        #expect(server.requests("/breeze/v1/apps").count == 1)
    }

    @Test func `registering ends in pending where the owner has yet to decide`() async throws {
        let server = try server(state: "waiting")
        let client = BreezeClient(configuration(server, MemoryStore()))
        let status = try await client.register()
        #expect(status.state == .pending)
        #expect(status.way == nil)
    }

    @Test(arguments: [
        "{\"id\":\"a\",\"key\":\"\",\"state\":\"approved\"}",
        "{\"id\":\"a\",\"key\":\"brz\\r\\nx-evil: 1\",\"state\":\"approved\"}", "{\"id\":\"a\"}", "<html>",
    ])
    func `a key that is none is not kept`(_ body: String) async throws {
        let server = try ScriptedServer { _ in HubScript.json("201 Created", body) }
        let keys = MemoryStore<HubKey>()
        let client = BreezeClient(configuration(server, keys))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.code == .malformedAnswer)
        #expect(keys.load() == nil)
    }

    @Test func `a name that the hub refuses is the hub's error`() async throws {
        let server = try ScriptedServer { _ in
            HubScript.json(
                "400 Bad Request",
                "{\"error\":{\"message\":\"The app's name is empty.\",\"type\":\"invalid_request_error\","
                    + "\"param\":null,\"code\":\"invalid_request\",\"remedy\":null}}"
            )
        }
        let client = BreezeClient(configuration(server, MemoryStore()))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == "The app's name is empty.")
    }

    @Test func `a key is not seen where it is printed`() {
        let key = HubKey(app: "abc", text: "brz_secret")
        var dumped = ""
        dump(key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains("brz_secret")) }
    }
}
