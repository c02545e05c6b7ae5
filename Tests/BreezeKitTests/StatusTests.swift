import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Testing

@Suite(.timeLimit(.minutes(1))) struct StatusTests {
    private func status(
        _ state: String,
        key: HubKey? = HubKey(app: "abcdefghijkl", text: "brz"),
        fallback: Fallback = .none
    ) async throws -> (BreezeStatus, ScriptedServer) {
        let server = try ScriptedServer(HubScript.hub(state: state) { _ in [] })
        let client = BreezeClient(
            HubScript.configuration(address: server.address, key: key, fallback: fallback)
        )
        return (await client.status(), server)
    }

    @Test(arguments: [
        ("approved", HubFinding.State.ready), ("waiting", .pending), ("refused", .refused),
        ("revoked", .revoked), ("expired", .expired), ("dreaming", .faulty),
    ])
    func `what the hub says of the app is its state`(_ word: String, _ state: HubFinding.State) async throws {
        let (status, server) = try await status(word, fallback: .runner(CountingRunner()))
        #expect(status.state == state)
        #expect(status.way == (state == .ready ? .loopback : nil))
        #expect((status.remedy == nil) == (state == .ready))
        #expect(server.requests.map(\.path) == ["/breeze/v1/app"])
        #expect(server.requests.first?.headers["authorization"] == "Bearer brz")
    }

    @Test func `an app without a key is not paired, and looking does not register it`() async throws {
        let (status, server) = try await status("approved", key: nil)
        #expect(status.state == .notPaired)
        #expect(status.remedy?.contains("register()") == true)
        #expect(server.requests.map(\.path) == ["/healthz"])
    }

    @Test func `a key that the hub does not know is told as revoked`() async throws {
        let server = try ScriptedServer { _ in
            HubScript.json("401 Unauthorized", "{\"error\":{\"code\":\"invalid_key\",\"message\":\"No.\"}}")
        }
        let status = await BreezeClient(HubScript.configuration(address: server.address)).status()
        #expect(status.state == .revoked)
        #expect(status.remedy?.contains("register(anew: true)") == true)
    }

    @Test(arguments: ["", "hello\r\n", "HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n"])
    func `what answers as no hub does is faulty`(_ text: String) async throws {
        let server = try ScriptedServer { _ in [.text(text)] }
        for key in [nil, HubKey(app: "a", text: "brz")] {
            let configuration = HubScript.configuration(address: server.address, key: key)
            let status = await BreezeClient(configuration).status()
            #expect(status.state == .faulty)
            #expect(status.way == nil)
        }
    }

    @Test func `without a hub the fallback is next, where it may`() async throws {
        let service = CountingRunner("api:service", locality: .network)
        var status = await BreezeClient(HubScript.configuration(fallback: .runner(CountingRunner()))).status()
        #expect(status.state == .notRunning)
        #expect(status.way == .fallback)
        #expect(status.skipped.map(\.way) == [.socket, .loopback, .urlScheme])
        status = await BreezeClient(HubScript.configuration(fallback: .api(service))).status()
        #expect(status.way == nil)
        #expect(status.remedy?.contains("allowNetwork()") == true)
        #expect(status.reasons.contains { $0.contains("has not allowed the network service api:service") })
        status = await BreezeClient(
            HubScript.configuration(fallback: .api(service), consent: NetworkConsent(runner: "api:service"))
        ).status()
        #expect(status.way == .fallback)
        #expect(service.loads == 0)
    }

    @Test func `the hub behind the scheme counts, where the app could get its answer`() async throws {
        var configuration = HubScript.configuration()
        configuration.scheme = ScriptedScheme(HubFinding(.pending, reason: "The owner has yet to say yes."))
        var status = await BreezeClient(configuration).status()
        #expect(status.skipped.map(\.reason).contains("The app has no callback scheme."))
        configuration.callbackScheme = "mycoolapp"
        status = await BreezeClient(configuration).status()
        #expect(status.state == .pending)
        configuration.scheme = ScriptedScheme()
        status = await BreezeClient(configuration).status()
        #expect((status.state, status.way) == (.ready, .urlScheme))
        configuration.host = HostApp(info: nil, canOpenHub: { false })
        status = await BreezeClient(configuration).status()
        #expect(status.way == nil)
        #expect(status.skipped.map(\.reason).contains("No app here opens breezeapp://."))
    }
}

@Suite(.timeLimit(.minutes(1))) struct ExplainTests {
    private let request = InferenceRequest(.chat, prompt: "hi")

    @Test func `the first open way is chosen, and those before it say why not`() async throws {
        let server = try ScriptedServer(HubScript.hub { _ in [] })
        let client = BreezeClient(
            HubScript.configuration(address: server.address, fallback: .runner(CountingRunner()))
        )
        let decision = try await client.explain(request)
        #expect(decision.chosen == "breeze:loopback")
        #expect(decision.candidates.map(\.runner) == ["breeze:loopback", "breeze:socket"])
        #expect(decision.candidates.last?.exclusion == .unavailable)
        #expect(server.requests(HubScript.inference).isEmpty)
    }

    @Test func `a hub that does not let the app in is not passed by`() async throws {
        let server = try ScriptedServer(HubScript.hub(state: "waiting") { _ in [] })
        let client = BreezeClient(
            HubScript.configuration(address: server.address, fallback: .runner(CountingRunner()))
        )
        let decision = try await client.explain(request)
        #expect(decision.chosen == nil)
        #expect(!decision.candidates.contains { $0.runner == "tiny:own" })
    }

    @Test func `without a hub it is the fallback, or the consent that it lacks`() async throws {
        var client = BreezeClient(HubScript.configuration(fallback: .runner(CountingRunner())))
        #expect(try await client.explain(request).chosen == "tiny:own")
        let service = CountingRunner("api:service", locality: .network)
        client = BreezeClient(HubScript.configuration(fallback: .api(service)))
        let decision = try await client.explain(request)
        #expect(decision.chosen == nil)
        #expect(decision.candidates.last?.exclusion == .noConsent)
        #expect(decision.candidates.last?.locality == .network)
    }
}
