import BreezeCore
import Foundation
import Synchronization
import Testing

@testable import BreezeHub

@Suite struct `Responses to go on with` {
    private let turns = [ChatMessage(.user, "one"), ChatMessage(.assistant, "two")]

    @Test func `each is its caller's own`() throws {
        let stored = StoredResponses()
        stored.keep(turns, as: "resp_1", of: "app:a")
        #expect(try stored.conversation("resp_1", of: "app:a") == turns)
        #expect(throws: BreezeError.self) { try stored.conversation("resp_1", of: "app:b") }
        stored.forget(of: "app:a")
        #expect(throws: BreezeError.self) { try stored.conversation("resp_1", of: "app:a") }
    }

    @Test func `an hour later it is gone`() throws {
        let time = Mutex(Date(timeIntervalSince1970: 0))
        let stored = StoredResponses { time.withLock { $0 } }
        stored.keep(turns, as: "resp_1", of: "a")
        time.withLock { $0 += 3_599 }
        #expect(try stored.conversation("resp_1", of: "a") == turns)
        time.withLock { $0 += 2 }
        #expect(throws: BreezeError.self) { try stored.conversation("resp_1", of: "a") }
    }

    @Test func `the oldest gives way to new ones`() throws {
        let stored = StoredResponses()
        let long = [ChatMessage(.user, String(repeating: "x", count: 12 << 20))]
        for index in 1...3 { stored.keep(long, as: "resp_\(index)", of: "a") }
        #expect(throws: BreezeError.self) { try stored.conversation("resp_1", of: "a") }
        #expect(try stored.conversation("resp_3", of: "a") == long)
        let huge = [ChatMessage(.user, String(repeating: "x", count: 33 << 20))]
        stored.keep(huge, as: "resp_4", of: "a")
        #expect(throws: BreezeError.self) { try stored.conversation("resp_4", of: "a") }
        #expect(try stored.conversation("resp_3", of: "a") == long)
    }
}
