import BreezeTestSupport
import Foundation
import Testing

/// A service of the network as a person sets it up: here another home's hub, which speaks OpenAI's protocol, too.
@Suite struct NetworkServiceTests {
    @Test func `a service answers once its models are named, its key is there and consent is on record`()
        async throws
    {
        let (peer, own) = (try Program(), try Program())
        let outcome = try await peer.start(["serve", "--mock", "--port", "0", "--json"]) { hub in
            try await hub.waits(for: "}\n")
            let place = try JSONSerialization.jsonObject(with: Data(hub.text.utf8)) as? [String: Any]
            let address = try #require(place?["address"] as? String)
            let added = try await peer.run("apps", "add", "Peer", "--allow", "chat", "--json").json()
            var own = own
            for (name, value) in [
                ("url", "\(address)/v1"), ("models", "mock-llm"), ("key", "custom:peer"),
            ] {
                #expect(try await own.run("config", "set", "services.peer.\(name)", value).code == 0)
            }
            let ask = ["chat", "--model", "mock-llm", "--json", "hello"]

            let unconsented = try await own.run(ask).failure()
            #expect(unconsented["code"] == "no_runner")
            let route = try await own.run("route", "chat", "--model", "mock-llm")
            #expect(route.output.contains("breeze config set privacy.consent peer"))
            #expect(try await own.run("config", "set", "privacy.consent", "peer").code == 0)

            let keyless = try await own.run(ask).failure()
            #expect(keyless["remedy"]?.contains("custom:peer") == true)
            own.environment["BREEZE_SECRET_PEER"] = try #require(added["key"] as? String)
            let answer = try await own.run(ask)
            #expect(answer.code == 0, "\(answer.errors)")
            let result = try answer.json()
            #expect(result["runner"] as? String == "peer:mock-llm")
            #expect("\(result)".contains("[mock]"))

            #expect(try await own.run(ask + ["--on-device"]).failure()["code"] == "no_runner")
            #expect(try await own.run("egress").output.contains("127.0.0.1"))
            try hub.send(SIGTERM)
        }
        #expect(outcome.code == 128 + SIGTERM)
    }

    @Test(arguments: [
        (["services.x.models": "m"], "services.x.url"),
        (["services.x.url": "https://example.org/v1"], "services.x.models"),
        (["services.mock.url": "https://example.org/v1", "services.mock.models": "m"], "services.mock.url"),
        (["services.x.url": "http://example.org/v1", "services.x.models": "m"], "https"),
    ])
    func `a service that cannot be asked says what is wrong`(settings: [String: String], word: String)
        async throws
    {
        let program = try Program()
        for (name, value) in settings {
            #expect(try await program.run("config", "set", name, value).code == 0)
        }
        let failure = try await program.run("runners", "--json").failure()
        #expect(
            failure["code"] == "invalid_setting" && failure["message"]?.contains(word) == true,
            "\(failure)"
        )
        let flag = try await program.run("runners", "--set", "services.y.models=m").errors
        #expect(flag.contains("counts only in the settings file"))
    }
}
