import BreezeCore
import Foundation
import Testing

@testable import BreezeWorker

/// Workers that greet and load as they should, and then break the protocol.
@Suite(.enabled(if: Hosting.executable != nil, "breeze-test-worker was not built"))
struct `A worker that breaks the protocol in an answer` {
    private func runner(answering messages: [WorkerMessage]) throws -> WorkerRunner {
        let none = #"{"noNewPrivileges":false,"noCoreDumps":false,"notTraceable":false,"noInternet":false}"#
        let protection = try JSONDecoder().decode(WorkerProtection.self, from: Data(none.utf8))
        let greeting = [WorkerMessage.hello(Hello(program: "test", protection: protection)), .loaded]
        let bytes = try [greeting, messages].map { messages in
            try messages.flatMap { try $0.encoded() }.map { String(format: "%02x", $0) }.joined()
        }
        var options = WorkerOptions()
        options.cancelGrace = .seconds(1_000)
        return try Hosting.scripted(launch: Hosting.launch("babble", bytes[0], bytes[1]), options: options)
    }

    private func error(_ messages: [WorkerMessage]) async throws -> BreezeError? {
        let runner = try runner(answering: messages)
        let error = await #expect(throws: BreezeError.self) { try await runner.follow("anything") { _ in } }
        #expect(error?.code == .runnerCrashed)
        #expect(runner.processID == nil)
        return error
    }

    @Test func `more chunks than there is room for end it`() async throws {
        let window = WorkerOptions().window
        let runner = try runner(answering: (0...window).map { _ in .chunk(id: 1, [0, 65]) })
        // A reader that takes nothing gives no room back; its call lasts until the worker has ended, which the
        // chunk too many alone brings about.
        await #expect(throws: CocoaError.self) {
            try await runner.follow("anything") { _ in throw CocoaError(.userCancelled) }
        }
        #expect(runner.processID == nil)
    }

    @Test func `an answer to nobody's request ends it`() async throws {
        #expect(try await error([.chunk(id: 7, [0, 65])])?.message.contains("does not run") == true)
    }

    @Test(arguments: [[9], [0, 0xFF], [3, 0], [4, 0x7B]] as [[UInt8]])
    func `a chunk that is none ends it`(payload: [UInt8]) async throws {
        _ = try await error([.chunk(id: 1, payload[...])])
    }

    @Test func `a result that is none ends it`() async throws {
        _ = try await error([.result(id: 1, [4, 0, 0, 0, 0x6E, 0x75, 0x6C, 0x6C])])
    }
}
