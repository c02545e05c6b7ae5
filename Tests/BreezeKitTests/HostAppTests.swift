import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// What the app's Info.plist says, and what is said of what it lacks.
@Suite(.timeLimit(.minutes(1))) struct HostAppTests {
    private static func info(_ schemes: [String], queries: [String] = []) -> [String: Any] {
        [
            "CFBundleURLTypes": [["CFBundleURLName": "x"], ["CFBundleURLSchemes": schemes]],
            "LSApplicationQueriesSchemes": queries,
        ]
    }

    private func client(_ host: HostApp, callback: String? = "mycoolapp") -> BreezeClient {
        var configuration = HubScript.configuration(fallback: .runner(CountingRunner()))
        (configuration.host, configuration.callbackScheme) = (host, callback)
        configuration.scheme = ScriptedScheme()
        return BreezeClient(configuration)
    }

    @Test(arguments: ["mycoolapp", "mycoolapp://", "MyCoolApp"])
    func `a callback scheme that Info.plist registers is well, however it is written`(_ callback: String)
        async throws
    {
        let client = client(HostApp(info: Self.info(["other", "MYCOOLAPP"])), callback: callback)
        #expect(await client.status().problems.isEmpty)
        #expect(try await client.chat(prompt: "hi").text == "over the scheme")
    }

    @Test func `one that it does not register is a typed error with the lines to add`() async throws {
        for info in [[:], Self.info([]), Self.info(["other"]), ["CFBundleURLTypes": "text"]] {
            let client = client(HostApp(info: info))
            let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
            #expect(error?.code == .callbackNotRegistered)
            #expect(error?.remedy?.contains("<key>CFBundleURLSchemes</key>") == true)
            #expect(error?.remedy?.contains("<string>mycoolapp</string>") == true)
            let status = await client.status()
            #expect(status.problems.map(\.reason) == [error?.message])
            #expect(status.remedy == error?.remedy)
        }
    }

    @Test func `the lines to add are a property list`() async throws {
        let status = await client(HostApp(info: [:], asksForSchemes: true)).status()
        #expect(status.problems.count == 2)
        for problem in status.problems {
            let lines = problem.remedy.split(separator: "\n").dropFirst().joined(separator: "\n")
            let document = "<plist version=\"1.0\"><dict>\(lines)</dict></plist>"
            let list = try PropertyListSerialization.propertyList(from: Data(document.utf8), format: nil)
            #expect((list as? [String: Any])?.count == 1)
        }
    }

    @Test func `a missing list of schemes is named, and closes that way alone`() async throws {
        let host = HostApp(info: Self.info(["mycoolapp"]), asksForSchemes: true, canOpenHub: { true })
        let client = client(host)
        let status = await client.status()
        #expect(status.problems.map { $0.remedy.contains("LSApplicationQueriesSchemes") } == [true])
        #expect(status.reasons.contains { $0.contains("does not list the scheme breezeapp") })
        let answer = try await client.chat(prompt: "hi")
        #expect(answer.transport?.way == .fallback)
        let listed = HostApp(info: Self.info(["mycoolapp"], queries: ["BreezeApp"]), asksForSchemes: true)
        #expect(await self.client(listed).status().problems.isEmpty)
    }

    @Test func `where no app opens the scheme, that way is closed`() async throws {
        let host = HostApp(info: Self.info(["mycoolapp"]), canOpenHub: { false })
        let answer = try await client(host).chat(prompt: "hi")
        #expect(answer.transport?.way == .fallback)
        #expect(answer.transport?.skipped.last?.reason == "No app here opens breezeapp://.")
    }

    @Test func `an app without a callback scheme needs no lines`() async throws {
        let client = client(HostApp(info: [:]), callback: nil)
        #expect(await client.status().problems.isEmpty)
        #expect(try await client.chat(prompt: "hi").transport?.way == .fallback)
    }
}

@Suite(.timeLimit(.minutes(1))) struct BackgroundTimeTests {
    private final class ScriptedTime: BackgroundTime {
        private let state: Mutex<(begun: Int, ended: Int, expire: (@Sendable () -> Void)?)> = Mutex(
            (0, 0, nil)
        )

        var counts: [Int] { state.withLock { [$0.begun, $0.ended] } }

        func begin(onExpiry: @escaping @Sendable () -> Void) async -> @Sendable () -> Void {
            state.withLock { state in
                state.begun += 1
                state.expire = onExpiry
            }
            return { self.state.withLock { $0.ended += 1 } }
        }

        func expire() { state.withLock { $0.expire }?() }
    }

    private func client(_ time: ScriptedTime, _ server: ScriptedServer) -> BreezeClient {
        var configuration = HubScript.configuration(address: server.address)
        configuration.host = HostApp(info: nil, background: time)
        return BreezeClient(configuration)
    }

    @Test func `time is asked for before the answer, and given back after it`() async throws {
        let time = ScriptedTime()
        let server = try ScriptedServer(
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result("hello")) }
        )
        #expect(try await client(time, server).chat(prompt: "hi").text == "hello")
        #expect(time.counts == [1, 1])
    }

    @Test func `time that is over ends the request with its own error`() async throws {
        let time = ScriptedTime()
        let server = try ScriptedServer(HubScript.hub { _ in [.waitForClose] })
        let client = client(time, server)
        let task = Task { try await client.chat(prompt: "hi") }
        await server.reaches { $0.requests == 1 }
        while time.counts[0] == 0 { await Task.yield() }
        time.expire()
        let error = await #expect(throws: BreezeError.self) { try await task.value }
        #expect(error?.code.rawValue == "background_time_expired")
        await server.reaches { $0.hangUps == 1 }
        #expect(time.counts == [1, 1])
    }
}
