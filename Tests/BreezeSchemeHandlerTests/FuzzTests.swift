#if Hub
import BreezeCore
import BreezeScheme
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeTestSupport
import Foundation
import Testing

/// Whatever a URL holds: no crash, and no answer without a valid envelope or the owner's yes.
@Suite struct FuzzTests {
    /// An owner who says no, an app that is paired, and an hour for each URL: no limit on rates hides what a URL does.
    @Test func `nothing runs, and no sealed answer is given, for any fuzzed URL or envelope`() async throws {
        let desk = try Desk()
        let client = try await desk.pair()
        let opened = desk.opener.urls.count
        var generator = SeededGenerator(seed: 31)
        let seeds = try seeds(client, at: desk.now)
        let sealed = Set(seeds.compactMap(Self.envelope))
        var asked = 0
        var told = 0
        for round in 0..<Soak.count(100_000) {
            let url = Self.mutated(seeds, &generator)
            // `BREEZEAPP://sealed/` with what the app sealed is the app's own.
            guard !seeds.contains(url), Self.envelope(in: url).map(sealed.contains) != true else { continue }
            let before = desk.opener.urls.count
            try await desk.handle(String(decoding: url, as: UTF8.self))
            desk.clock.advance(by: .seconds(700))
            #expect(desk.opener.urls.count - before < 2, "round \(round)")
            told += desk.opener.urls.count - before
        }
        asked = desk.owner.questions.count - 1
        #expect(desk.service.requests.isEmpty)
        #expect(try desk.store.apps().map(\.id) == [client.app])
        for url in desk.opener.urls.dropFirst(opened) {
            let scheme = try #require(url.split(separator: ":").first)
            let data = try CallbackScheme(String(scheme)).answer(in: url)
            #expect(data.first == UInt8(ascii: "{"), "a sealed answer")
            let answer = try SchemeAnswer(parsing: data)
            #expect(answer.result == nil && answer.state != .paired && answer.app == nil)
        }
        // It reaches what lies behind the grammar.
        #expect(asked > Soak.count(100_000) / 500 && told > asked)
    }

    private func seeds(_ client: Client, at now: Int64) throws -> [[UInt8]] {
        var pairing = try AppPairing(
            name: "Cool Notes",
            callback: CallbackScheme("mycoolapp"),
            asked: [.chat: .onDevice],
            at: now,
            last: nil
        )
        var hub = HubPairing()
        let offer = try hub.take(pairing.hello, at: now)
        let request = InferenceRequest(.chat, prompt: "Is it urgent?", id: "q-1")
        let plain = PlainRequest(request, callback: try CallbackScheme("mycoolapp"))
        return try [
            question("Is it urgent?"), SchemeURL.run(plain).written(), "breezeapp://settings",
            SchemeURL.status(callback: CallbackScheme("mycoolapp"), app: client.app).written(),
            SchemeURL.hello(pairing.hello).written(),
            SchemeURL.reveal(pairing.take(offer, at: now)).written(),
            client.url(.status, at: now), client.url(.run(request, reply: .parts), at: now),
            client.url(.cancel(id: "q-1"), at: now),
            SchemeURL.sealed(Array("BRZ1".utf8) + [5] + [UInt8](repeating: 7, count: 32)).written(),
        ].map { Array($0.utf8) }
    }

    private static func envelope(in url: [UInt8]) -> [UInt8]? {
        guard case .sealed(let data)? = try? SchemeURL(parsing: String(decoding: url, as: UTF8.self)) else {
            return nil
        }
        return data
    }

    /// One to three small changes; most new bytes are such as URLs have.
    private static func mutated(_ seeds: [[UInt8]], _ generator: inout SeededGenerator) -> [UInt8] {
        let likely = Array("abzAZ09-_.~:/?@=&%+".utf8)
        var data = seeds.randomElement(using: &generator) ?? []
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
            let place = Int.random(in: 0...data.count, using: &generator)
            let byte =
                Bool.random(using: &generator)
                ? likely.randomElement(using: &generator) ?? 0 : UInt8.random(in: 0...127, using: &generator)
            switch Int.random(in: 0..<6, using: &generator) {
            case 0 where place < data.count: data[place] = byte
            case 1 where place < data.count: data[place] ^= 1 << (byte & 7)
            case 2: data.insert(byte, at: place)
            case 3 where place < data.count: data.remove(at: place)
            case 4: data.removeSubrange(place...)
            default:
                let other = seeds.randomElement(using: &generator) ?? []
                let start = Int.random(in: 0...other.count, using: &generator)
                data.insert(contentsOf: other[start...].prefix(Int(byte)), at: place)
            }
        }
        return data
    }
}
#endif
