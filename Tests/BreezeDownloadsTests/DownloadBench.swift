import BreezeCore
import BreezeFiles
import BreezeTestSupport
import BreezeTransport
import Foundation
import Synchronization
import Testing

@testable import BreezeDownloads

/// A fault server, a real transport to it, and a staging folder.
struct DownloadBench: Sendable {
    let server: FaultServer
    let folder: ScratchFolder
    let transport: AsyncHTTPTransport
    let clock = InstantClock()
    /// What the bodies are made of; their digests come from the server's own language.
    static let size = 300_000

    static func run(
        transportClock: any Clock<Duration> = ContinuousClock(),
        _ body: @escaping @Sendable (DownloadBench) async throws -> Void
    ) async throws {
        try await FaultServer.run { server in
            let folder = try ScratchFolder()
            var settings = TransportSettings(environment: [:])
            settings.extraTrustRoots = server.trustRoot
            let transport = try AsyncHTTPTransport(
                ledger: EgressLedger(url: folder.url.appending(path: "egress.jsonl")),
                version: "test",
                settings: settings,
                clock: transportClock
            )
            try await body(DownloadBench(server: server, folder: folder, transport: transport))
        }
    }

    var staging: URL { folder.url.appending(path: "staging") }

    func downloader(
        freeBytes: @escaping @Sendable (URL) -> Int64? = { _ in nil },
        now: Date = Date(timeIntervalSince1970: 784_111_777),
        over transport: (any HTTPTransport)? = nil,
        _ change: (inout DownloadOptions) -> Void = { _ in }
    ) -> Downloader {
        var options = DownloadOptions()
        change(&options)
        let environment = DownloadEnvironment(
            clock: clock,
            now: { now },
            jitter: { 0 },
            freeBytes: freeBytes
        )
        return Downloader(transport: transport ?? self.transport, options: options, environment: environment)
    }

    /// A plan of one file, `model`, at the paths given, as bytes of that seed; without a digest where the
    /// seed is `nil`.
    func plan(
        _ paths: String...,
        seed: Int? = 1,
        size: Int64? = nil,
        authorization: DownloadAuthorization? = nil
    ) async throws -> DownloadPlan {
        let sources = try paths.map { try server.url($0) }
        let sha256: String? =
            if let seed { try await server.digest(seed: seed, size: Self.size) } else { nil }
        let file = DownloadPlan.File(name: "model", sources: sources, size: size, sha256: sha256)
        return DownloadPlan(id: "model", files: [file], authorization: authorization)
    }

    @discardableResult
    func fetch(_ plan: DownloadPlan, with downloader: Downloader? = nil) async throws -> [DownloadedFile] {
        let outcome = try await (downloader ?? self.downloader()).run(plan, into: staging)
        guard case .downloaded(let files) = outcome else { return [] }
        return files
    }

    func failure(_ plan: DownloadPlan, with downloader: Downloader? = nil) async throws -> BreezeError? {
        await #expect(throws: BreezeError.self) { try await fetch(plan, with: downloader) }
    }

    var remains: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: staging.path).filter { !$0.hasPrefix(".") }
                .sorted()
        }
    }

    func partSize(_ name: String = "model") -> Int? {
        FileStatus.size(of: StagingFolder(staging).part(name)).map { Int($0) }
    }
}

/// Tells how many bytes of each answer have reached the downloader, and hands them on in pieces of a known
/// size.
struct WatchingTransport: HTTPTransport {
    let transport: any HTTPTransport
    var pieceSize = Int.max
    var count: @Sendable (Int) -> Void = { _ in }

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        let response = try await transport.send(request)
        let (body, pieceSize, count) = (response.body, pieceSize, count)
        let cutter = Cutter()
        return HTTPResponse(
            status: response.status,
            headers: response.headers,
            url: response.url,
            body: HTTPBody(next: {
                if cutter.isEmpty {
                    var iterator = body.makeAsyncIterator()
                    guard let piece = try await iterator.next() else { return nil }
                    cutter.fill(piece)
                }
                let (piece, sum) = cutter.cut(pieceSize)
                count(sum)
                return piece
            })
        )
    }

    private final class Cutter: Sendable {
        private let state: Mutex<(rest: [UInt8], handedOn: Int)>

        init() {
            state = Mutex(([], 0))
        }

        var isEmpty: Bool { state.withLock { $0.rest.isEmpty } }

        func fill(_ piece: [UInt8]) {
            state.withLock { $0.rest = piece }
        }

        func cut(_ size: Int) -> ([UInt8], Int) {
            state.withLock { state in
                let piece = Array(state.rest.prefix(size))
                state.rest.removeFirst(piece.count)
                state.handedOn += piece.count
                return (piece, state.handedOn)
            }
        }
    }
}

/// What came of a download while it ran.
final class ProgressLog: Sendable {
    private let seen = Mutex<[DownloadProgress]>([])

    var all: [DownloadProgress] { seen.withLock { $0 } }

    func add(_ progress: DownloadProgress) {
        seen.withLock { $0.append(progress) }
    }
}
