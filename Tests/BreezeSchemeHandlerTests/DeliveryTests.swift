#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// What is larger than a URL takes.
@Suite struct DeliveryTests {
    private let desk: Desk

    init() throws { desk = try Desk() }

    private func run(_ prompt: String, _ way: HubMessage.Reply) -> HubMessage {
        .run(InferenceRequest(.chat, prompt: prompt, id: "q-1"), reply: way)
    }

    private func answers(_ count: Int) {
        desk.service.answer { result(String(repeating: "x", count: count), to: $0) }
    }

    private func sent(_ url: String) async throws -> String {
        let before = desk.opener.urls.count
        try await desk.handle(url)
        try #require(desk.opener.urls.count == before + 1)
        return try #require(desk.opener.urls.last)
    }

    private func text(_ answer: SchemeAnswer) -> String? {
        if case .text(let text) = answer.result?.output { text } else { nil }
    }

    @Test func `an answer that one URL takes goes in one, whatever the app asked for`() async throws {
        let client = try await desk.pair()
        for way in [HubMessage.Reply.url, .parts, .file] {
            let url = try await sent(client.url(run("hello", way), at: desk.now))
            #expect(text(try client.answer(url, at: desk.now)) == "You said: hello")
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: desk.handoffPath)
        #expect(files.isEmpty)
    }

    @Test func `a larger answer without another way is payload_too_large`() async throws {
        let client = try await desk.pair()
        answers(70_000)
        let url = try await sent(client.url(run("hello", .url), at: desk.now))
        let answer = try client.answer(url, at: desk.now)
        #expect(code(answer) == "payload_too_large" && answer.requestID == "q-1")
    }

    @Test func `a larger answer goes through a file that is there once`() async throws {
        let client = try await desk.pair()
        answers(500_000)
        let url = try await sent(client.url(run("hello", .file), at: desk.now))
        #expect(url.count < 100)
        let folder = try HandoffFolder(opening: desk.handoffPath)
        guard case .answer(let answer) = try client.received(url, at: desk.now, handoff: folder) else {
            Issue.record("no answer")
            return
        }
        #expect(text(answer)?.count == 500_000)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.handoffPath).isEmpty)
    }

    @Test func `a file that nobody was told of does not stay`() async throws {
        let client = try await desk.pair()
        answers(70_000)
        let url = try client.url(run("hello", .file), at: desk.now)
        desk.opener.fail(with: BreezeError(.unavailable, "nobody"))
        let outcome = try await desk.handle(url)
        #expect(outcome.error?.code == .unavailable)
        #expect(try FileManager.default.contentsOfDirectory(atPath: desk.handoffPath).isEmpty)
    }

    @Test func `a larger answer in parts is fetched part by part`() async throws {
        let client = try await desk.pair()
        answers(150_000)
        var url = try await sent(client.url(run("hello", .parts), at: desk.now))
        for number in 1...2 {
            guard case .part(let digest, let next) = try client.received(url, at: desk.now) else {
                Issue.record("part \(number - 1) is none")
                return
            }
            #expect(next == number)
            url = try await sent(client.url(.more(digest: digest, next: next), at: desk.now))
            if number == 2 {
                let answer = try client.answer(url, at: desk.now)
                #expect(text(answer)?.count == 150_000 && answer.requestID == "q-1")
                let again = try await sent(client.url(.more(digest: digest, next: 1), at: desk.now))
                #expect(code(try client.answer(again, at: desk.now)) == "invalid_request")
            }
        }
        #expect(desk.service.requests.count == 1)
    }

    @Test func `an answer beyond sixteen parts is payload_too_large`() async throws {
        let client = try await desk.pair()
        answers(983_041)
        let url = try await sent(client.url(run("hello", .parts), at: desk.now))
        #expect(code(try client.answer(url, at: desk.now)) == "payload_too_large")
    }

    @Test func `a request in parts runs when its last part is there`() async throws {
        let client = try await desk.pair()
        let prompt = String(repeating: "long ", count: 30_000)
        let parts = try AppSession.parts(of: run(prompt, .parts))
        #expect(parts.count == 3)
        desk.service.answer { result("read \($0.prompt?.count ?? 0)", to: $0) }
        for (number, part) in parts.enumerated() {
            let url = try await sent(client.url(part: part, at: desk.now))
            let answer = try client.answer(url, at: desk.now)
            if number < 2 {
                #expect(answer.state == .more && !answer.isFinal && answer.next == number + 1)
                #expect(desk.service.requests.isEmpty)
            } else {
                #expect(text(answer) == "read 150000")
            }
        }
    }

    @Test func `a request in a file is taken once`() async throws {
        let client = try await desk.pair()
        let message = run(String(repeating: "x", count: 200_000), .url)
        let folder = try HandoffFolder(opening: desk.handoffPath)
        let pointer = try folder.put(client.envelope(message, at: desk.now))
        desk.service.answer { result("read \($0.prompt?.count ?? 0)", to: $0) }
        let url = try SchemeURL.sealed(pointer).written()
        #expect(text(try client.answer(await sent(url), at: desk.now)) == "read 200000")
        let outcome = try await desk.handle(url)
        #expect(outcome.error?.code.rawValue == "invalid_handoff" && outcome.delivery == .nothing)
    }

    @Test(arguments: [5, 3_000_000])
    func `an answer of any size goes to the socket of the process that waits for it`(size: Int) async throws {
        let client = try await desk.pair()
        answers(size)
        let message = try client.envelope(run("hello", .socket), at: desk.now)
        let listener = try Listener("\(desk.handoffPath)/\(message.header.nonce.hexadecimal).sock")
        let before = desk.opener.urls.count
        let outcome = try await desk.handle(SchemeURL.sealed(message.bytes).written())
        #expect(outcome.delivery == .socket && desk.opener.urls.count == before)
        guard case .answer(let answer) = try await client.received(listener.received(), at: desk.now) else {
            Issue.record("no answer")
            return
        }
        #expect(text(answer)?.count == size)
    }

    @Test func `an answer that nobody listens for in ten seconds is dropped`() async throws {
        let client = try await desk.pair()
        let url = try client.url(run("hello", .socket), at: desk.now)
        let before = desk.opener.urls.count
        let clock = InstantClock()
        try await clock.sleep(for: desk.clock.now.offset)
        let outcome = try await desk.handler(instant: clock).handle(url)
        #expect(outcome.error?.code == .timeout && outcome.delivery == .nothing)
        #expect(desk.opener.urls.count == before && desk.service.requests.count == 1)
    }

    @Test func `what is no socket gets no answer`() async throws {
        let client = try await desk.pair()
        let message = try client.envelope(run("hello", .socket), at: desk.now)
        let path = "\(desk.handoffPath)/\(message.header.nonce.hexadecimal).sock"
        try #require(FileManager.default.createFile(atPath: path, contents: Data()))
        let outcome = try await desk.handle(SchemeURL.sealed(message.bytes).written())
        #expect(outcome.delivery == .nothing && outcome.error?.code.rawValue == "invalid_handoff")
    }
}

/// A process that waits for one answer.
private final class Listener: Sendable {
    private let descriptor: Int32
    private let pieces: AsyncStream<[UInt8]>

    init(_ path: String) throws {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
            guard path.utf8.count < room.count else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        try #require(fits)
        #if os(Linux)
        let listening = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        let listening = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        let isBound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listening, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound && listen(listening, 1) == 0)
        let (pieces, into) = AsyncStream.makeStream(of: [UInt8].self)
        self.pieces = pieces
        descriptor = listening
        Thread.detachNewThread {
            let peer = accept(listening, nil, nil)
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            while case let count = read(peer, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
            close(peer)
            into.yield(bytes)
            into.finish()
        }
    }

    deinit { close(descriptor) }

    func received() async -> [UInt8] { await pieces.first { _ in true } ?? [] }
}
#endif
