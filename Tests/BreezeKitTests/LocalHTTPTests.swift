import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeLocalHTTP

/// The client against a server of plain bytes.
@Suite(.timeLimit(.minutes(1))) struct LocalHTTPTests {
    private static let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    private func client(
        _ server: ScriptedServer,
        _ limits: LocalLimits = LocalLimits()
    ) -> LocalHTTPClient {
        LocalHTTPClient(.loopback(.version4, port: server.port), limits: limits)
    }

    private func text(_ client: LocalHTTPClient) async throws -> String {
        let response = try await client.send(LocalRequest("GET", "/"))
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test(arguments: [true, false])
    func `a request arrives as it was meant, over a socket and over loopback`(_ isSocket: Bool) async throws {
        let folder = try ScratchFolder()
        let path = isSocket ? folder.url.appending(path: "hub.sock").path : nil
        let server = try ScriptedServer(socket: path) { _ in [.text(Self.answer)] }
        let address = path.map { LocalAddress.socket(path: $0) } ?? .loopback(.version4, port: server.port)
        let body = Array("{\"a\":1}".utf8)
        let request = LocalRequest("POST", "/x?y=1", fields: [("accept", "text/plain")], body: body)
        let response = try await LocalHTTPClient(address).send(request)
        #expect(response.head.status == 200)
        #expect(try await response.body.collect() == Array("ok".utf8))
        let got = try #require(server.requests.first)
        #expect((got.method, got.path) == ("POST", "/x?y=1"))
        #expect(got.body == body)
        #expect(got.headers["content-length"] == "7")
        #expect(got.headers["accept"] == "text/plain")
        #expect(got.headers["connection"] == "close")
        #expect(got.headers["host"] == (isSocket ? "localhost" : "127.0.0.1:\(server.port)"))
    }

    @Test func `a body that is larger than the system's buffers goes out whole`() async throws {
        let server = try ScriptedServer { request in
            let text = "\(request.body.count)"
            return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
        }
        let body = [UInt8](repeating: 7, count: 12 << 20)
        let response = try await client(server).send(LocalRequest("POST", "/", body: body))
        #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "\(12 << 20)")
        #expect(server.requests.first?.body == body)
    }

    @Test func `where nobody listens, nothing was sent`() async throws {
        let server = try ScriptedServer { _ in [] }
        server.stop()
        let folder = try ScratchFolder()
        let file = try folder.write("file", "no socket")
        let missing = folder.url.appending(path: "none.sock").path
        let places: [(LocalAddress, String)] = [
            (.loopback(.version4, port: server.port), "nobody listens there"),
            (.socket(path: missing), "nothing is there"),
            (.socket(path: file.path), "nobody listens there"),
            (.socket(path: "/" + String(repeating: "x", count: 200)), "its path is no socket's"),
            (.socket(path: ""), "its path is no socket's"),
        ]
        for (address, why) in places {
            let failure = await #expect(throws: LocalHTTPFailure.self) {
                try await text(LocalHTTPClient(address))
            }
            #expect(failure == .notThere(why))
            #expect(failure?.isBeforeSending == true)
        }
    }

    @Test func `a listener that takes no connection counts as not there`() async throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "full.sock").path
        let full = try FullListener(path)
        defer { full.close() }
        let client = LocalHTTPClient(
            .socket(path: path),
            limits: LocalLimits(connect: .milliseconds(50))
        )
        await #expect(throws: LocalHTTPFailure.notThere("it took no connection within 0.05 seconds")) {
            try await text(client)
        }
    }

    @Test(arguments: [
        "", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
    ])
    func `a connection that ends before the answer was cut`(_ sent: String) async throws {
        let server = try ScriptedServer { _ in [.text(sent)] }
        await #expect(throws: LocalHTTPFailure.cut) { try await text(client(server)) }
        #expect(server.requests.count == 1)
    }

    @Test func `what is no HTTP is named`() async throws {
        let server = try ScriptedServer { _ in [.text("+OK POP3 ready\r\n"), .waitForClose] }
        await #expect(throws: LocalHTTPFailure.malformed("its first line is no status line")) {
            try await text(client(server))
        }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `a server that says nothing is given up, and its connection closed`() async throws {
        let server = try ScriptedServer { _ in [.waitForClose] }
        let limits = LocalLimits(answer: .milliseconds(40))
        await #expect(throws: LocalHTTPFailure.silent(.milliseconds(40))) {
            try await text(client(server, limits))
        }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `a server that falls silent in its answer is given up`() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"), .waitForClose]
        }
        let limits = LocalLimits(idle: .milliseconds(40))
        let response = try await client(server, limits).send(LocalRequest("GET", "/"))
        #expect(try await response.body.next() == Array("hell".utf8))
        await #expect(throws: LocalHTTPFailure.silent(.milliseconds(40))) { try await response.body.next() }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `an answer that comes before the request was read is read`() async throws {
        let server = try ScriptedServer(readsRequest: false) { _ in
            [.text("HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig"), .waitForClose]
        }
        let request = LocalRequest("POST", "/", body: [UInt8](repeating: 0, count: 32 << 20))
        let response = try await client(server).send(request)
        #expect(response.head.status == 413)
        #expect(try await response.body.collect() == Array("big".utf8))
    }

    @Test func `a server that takes no more of the request, and says nothing, is given up`() async throws {
        let folder = try ScratchFolder()
        let path = folder.url.appending(path: "hub.sock").path
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer(socket: path, readsRequest: false) { _ in
            [.stopReading, .pause(gate)]
        }
        defer { gate.signal() }
        let client = LocalHTTPClient(.socket(path: path), limits: LocalLimits(answer: .milliseconds(40)))
        await #expect(throws: LocalHTTPFailure.silent(.milliseconds(40))) {
            _ = try await client.send(LocalRequest("POST", "/", body: [UInt8](repeating: 0, count: 8 << 20)))
        }
        #expect(server.requests.count == 1)
    }

    @Test func `cancelling closes the connection, while the answer is awaited and while it comes`()
        async throws
    {
        let starts = ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"]
        for (index, start) in starts.enumerated() {
            let server = try ScriptedServer { _ in [.text(start), .waitForClose] }
            let client = client(server)
            let task = Task { try await text(client) }
            await server.reaches { $0.requests == 1 }
            task.cancel()
            await #expect(throws: CancellationError.self, "case \(index)") { try await task.value }
            await server.reaches { $0.hangUps == 1 }
        }
    }

    @Test func `dropping the answer closes the connection`() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"), .waitForClose]
        }
        do {
            let response = try await client(server, LocalLimits(idle: .seconds(3_600))).send(
                LocalRequest("GET", "/")
            )
            #expect(response.head.status == 200)
        }
        await server.reaches { $0.hangUps == 1 }
    }

    @Test func `leaving lets the server end its answer`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { _ in
            [
                .text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"), .pause(gate), .markIfOpen,
                .text("o you"), .waitForClose,
            ]
        }
        var limits = LocalLimits()
        limits.end = .seconds(3_600)
        do {
            let response = try await client(server, limits).send(LocalRequest("GET", "/"))
            #expect(try await response.body.next() == Array("hell".utf8))
            response.body.leave()
        }
        gate.signal()
        await server.reaches { $0.marks == 1 && $0.hangUps == 1 }
    }

    @Test func `an end that does not come is not waited for much longer`() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhell"), .waitForClose]
        }
        var limits = LocalLimits(idle: .seconds(3_600))
        limits.end = .milliseconds(10)
        let response = try await client(server, limits).send(LocalRequest("GET", "/"))
        #expect(try await response.body.next() == Array("hell".utf8))
        response.body.leave()
        await server.reaches { $0.hangUps == 1 }
        withExtendedLifetime(response) {}
    }

    @Test func `a body beyond the limit is refused, and one at the limit is not`() async throws {
        let server = try ScriptedServer { _ in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123456789")]
        }
        var limits = LocalLimits()
        limits.bodyBytes = 9
        #expect(try await text(client(server, limits)) == "123456789")
        limits.bodyBytes = 8
        await #expect(throws: LocalHTTPFailure.tooLarge(limit: 8)) { try await text(client(server, limits)) }
    }

    @Test func `a slow reader holds the server back, and then gets everything`() async throws {
        let size = 64 << 20
        let server = try ScriptedServer { _ in
            [
                .text("HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n"),
                .bytes([UInt8](repeating: 1, count: size)),
            ]
        }
        let response = try await client(server).send(LocalRequest("GET", "/"))
        // What the system's buffers hold, and a megabyte of ours.
        #expect(await server.stalls() < size / 2)
        var count = 0
        while let part = try await response.body.next() { count += part.count }
        #expect(count == size)
    }

    @Test func `many requests at once each get their own answer`() async throws {
        let server = try ScriptedServer { request in
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \(request.path.utf8.count)\r\n\r\n\(request.path)")]
        }
        let client = client(server)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let response = try await client.send(LocalRequest("GET", "/\(index)"))
                    return try await response.body.collect() == Array("/\(index)".utf8)
                }
            }
            for try await isOwn in group { #expect(isOwn) }
        }
    }
}

/// Listens, and has no place left in its queue.
private final class FullListener: Sendable {
    private let descriptors: [Int32]

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var descriptors = [listener]
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                let size = socklen_t(MemoryLayout<sockaddr_un>.size)
                _ = bind(listener, raw, size)
                _ = listen(listener, 0)
                while true {
                    let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                    _ = fcntl(client, F_SETFL, O_NONBLOCK)
                    descriptors.append(client)
                    if connect(client, raw, size) != 0 { return }
                }
            }
        }
        self.descriptors = descriptors
    }

    func close() {
        for descriptor in descriptors { Foundation.close(descriptor) }
    }
}
