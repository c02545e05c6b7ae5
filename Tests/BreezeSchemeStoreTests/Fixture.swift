#if Hub
import BreezeCore
import BreezeScheme
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeSchemeStore

let now: Int64 = 1_800_000_000_000
let minute: Int64 = 60_000

/// A home of its own, whose file may be opened again and again.
struct Home {
    let scratch: ScratchFolder
    let file: URL

    init() throws {
        scratch = try ScratchFolder()
        file = scratch.url.appending(path: "scheme/scheme.sqlite")
    }

    func open() throws -> SchemeStore {
        try SchemeStore(file, now: { Date(timeIntervalSince1970: 1_800_000_000) })
    }

    /// All that lies on the disk, logs of changes too.
    func bytes(but excluded: String = "") throws -> Data {
        let folder = file.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0 != excluded }
            .reduce(Data()) { $0 + (try Data(contentsOf: folder.appending(path: $1))) }
    }
}

/// Pairs an app, each step with a store of its own, as each URL has a process of its own.
func pair(
    _ home: Home,
    name: String = "Cool Notes",
    callback: String = "mycoolapp",
    asked: [AICapability: SchemeReach] = [.chat: .onDevice],
    at now: Int64 = now
) throws -> AppPairing.Paired {
    var app = try AppPairing(
        name: name,
        callback: CallbackScheme(callback),
        asked: asked,
        at: now,
        last: nil
    )
    var store = try home.open()
    let offer = try store.begin(app.hello, at: now)
    try store.close()
    let reveal = try app.take(SchemeAnswer(parsing: offer.bytes()), at: now)
    store = try home.open()
    let revealed = try store.reveal(reveal, at: now)
    try store.close()
    try #require(revealed.question.code == app.code)
    store = try home.open()
    let paired = try store.approve(revealed.question.app, at: now)
    try store.close()
    #expect(app.confirm(at: now) == nil)
    return try #require(try app.take(paired: paired.envelope.bytes, at: now))
}

func receiver(_ store: SchemeStore, uptime: Int64 = 0) throws -> SealedReceiver {
    try SealedReceiver(
        ledger: store,
        parts: store,
        handoff: nil,
        start: SchemeMoment(wall: 0, uptime: uptime)
    ) { try store.pairedApp($0) }
}

func nonce(_ number: Int) throws -> MessageNonce {
    try #require(MessageNonce((0..<12).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }))
}

/// The code of what is thrown; `nil` where nothing is.
func refusal(_ work: () throws -> Void) -> String? {
    do {
        try work()
        return nil
    } catch let error as SealedRefusal {
        return error.error.code.rawValue
    } catch let error as SchemeRefusal {
        return error.error.code.rawValue
    } catch {
        return (error as? BreezeError)?.code.rawValue ?? "\(error)"
    }
}
#endif
