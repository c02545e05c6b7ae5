import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeKit

/// The one client of the app. In turn, since there is one.
@Suite(.serialized, .timeLimit(.minutes(1))) struct BreezeTests {
    @Test func `asking before configuring is a typed error with the line to add`() async throws {
        Breeze.forgetConfiguration()
        let url = try #require(URL(string: "mycoolapp://breeze-response?result=e30"))
        let calls: [() async throws -> Void] = [
            { _ = try await Breeze.chat(prompt: "hi") }, { _ = try Breeze.stream(prompt: "hi") },
            { _ = try await Breeze.embed(["a"]) }, { _ = try await Breeze.status() },
            { _ = try await Breeze.guard("a") }, { _ = try Breeze.handle(url: url) },
            { _ = try await Breeze.cancelLast() },
        ]
        for call in calls {
            let error = await #expect(throws: BreezeError.self) { try await call() }
            #expect(error?.code == .notConfigured)
            #expect(error?.remedy?.contains("try Breeze.configure(appName:") == true)
        }
    }

    @Test func `what is configured is asked`() async throws {
        let server = try ScriptedServer(
            HubScript.hub { _ in
                [
                    .text(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + HubScript.text("one")
                            + HubScript.last("one")
                    )
                ]
            }
        )
        try Breeze.configure(HubScript.configuration(address: server.address))
        #expect(try await Breeze.status().state == .ready)
        var text = ""
        for try await chunk in try Breeze.stream(prompt: "hi") { text += chunk.text ?? "" }
        #expect(text == "one")
        #expect(try await !Breeze.cancelLast())
        Breeze.forgetConfiguration()
    }

    @Test func `a callback scheme that the app does not register is refused at once`() async throws {
        Breeze.forgetConfiguration()
        var configuration = HubScript.configuration()
        (configuration.callbackScheme, configuration.host) = ("mycoolapp", HostApp(info: [:]))
        let error = #expect(throws: BreezeError.self) { try Breeze.configure(configuration) }
        #expect(error?.code == .callbackNotRegistered)
        #expect(throws: BreezeError.self) { try Breeze.client }
    }
}
