import BreezeCore
import BreezeKit
import BreezeTestSupport
import Foundation
import Testing

/// Where the user's hub is: by the two files that it leaves in its home.
@Suite(.timeLimit(.minutes(1))) struct HubPlaceTests {
    private func configuration(_ home: URL, key: HubKey? = HubKey(app: "a", text: "brz"))
        -> BreezeConfiguration
    {
        var configuration = HubScript.configuration(key: key)
        configuration.hub = .standard
        configuration.environment = ["BREEZE_HOME": home.path]
        return configuration
    }

    /// As a living hub holds it.
    private func lock(_ home: ScratchFolder) throws -> FileHandle {
        let file = FileHandle(forUpdatingAtPath: try home.write("hub.lock", "").path)
        let handle = try #require(file)
        #expect(flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0)
        return handle
    }

    @Test func `a hub that runs is found by its file`() async throws {
        let home = try ScratchFolder()
        let path = home.url.appending(path: "hub.sock").path
        let server = try ScriptedServer(
            socket: path,
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result("hello")) }
        )
        let lock = try lock(home)
        try home.write(
            "hub.json",
            "{\"process\":1,\"address\":\"http:\\/\\/127.0.0.1:11535\",\"socket\":\"\(path)\",\"proof\":\"brzp_x\"}"
        )
        let answer = try await BreezeClient(configuration(home.url)).chat(prompt: "hi")
        #expect(answer.transport == TransportReport(.socket))
        #expect(server.requests.count == 1)
        try lock.close()
    }

    @Test func `without a socket it is found at its address`() async throws {
        let home = try ScratchFolder()
        let server = try ScriptedServer(
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result("hello")) }
        )
        let lock = try lock(home)
        try home.write("hub.json", "{\"process\":1,\"address\":\"\(server.address)\",\"proof\":\"x\"}")
        let answer = try await BreezeClient(configuration(home.url)).chat(prompt: "hi")
        #expect(
            answer.transport
                == TransportReport(
                    .loopback,
                    skipped: [TransportReport.Skipped(.socket, "The hub has none.")]
                )
        )
        try lock.close()
    }

    @Test func `what a killed hub left is not asked, whoever listens there now`() async throws {
        let home = try ScratchFolder()
        let stranger = try ScriptedServer(
            HubScript.hub { _ in HubScript.json("200 OK", HubScript.result("x")) }
        )
        try home.write("hub.lock", "")
        try home.write("hub.json", "{\"process\":1,\"address\":\"\(stranger.address)\",\"proof\":\"x\"}")
        let client = BreezeClient(configuration(home.url))
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(error?.code == .noHub)
        #expect(error?.message.contains("The hub does not run.") == true)
        #expect(stranger.requests.isEmpty)
        let status = await client.status()
        #expect(status.state == .notRunning)
        #expect(status.remedy?.contains("breeze serve") == true)
    }

    @Test func `where no hub ever ran, it is not installed`() async throws {
        let home = try ScratchFolder()
        let client = BreezeClient(configuration(home.url))
        let status = await client.status()
        #expect(status.state == .notInstalled)
        #expect(status.way == nil)
        #expect(
            status.reasons == [
                "No hub has run for this user.", "URL scheme: This app was built without it.",
                "Fallback: The app has none.",
            ]
        )
        #expect(status.remedy?.contains("Install Breeze.") == true)
        let error = await #expect(throws: BreezeError.self) { try await client.chat(prompt: "hi") }
        #expect(
            error?.message
                == "Nobody is there to answer. Unix socket, Loopback HTTP: No hub has run for this user. "
                + "URL scheme: This app was built without it. Fallback: The app has none."
        )
        // Looking leaves nothing behind.
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.url.path).isEmpty)
    }

    @Test(arguments: [nil, "{", "[]"])
    func `a hub that is just starting is not there yet`(_ file: String?) async throws {
        let home = try ScratchFolder()
        let lock = try lock(home)
        if let file { try home.write("hub.json", file) }
        let error = await #expect(throws: BreezeError.self) {
            try await BreezeClient(configuration(home.url)).chat(prompt: "hi")
        }
        #expect(error?.code == .noHub)
        #expect(error?.message.contains("starts or stops just now") == true)
        try lock.close()
    }
}
