import BreezeCore
import BreezeTransport
import Foundation
import Testing

@testable import BreezeURLSessionTransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct URLSessionExchangeTests {
    /// Where the server cannot be held back, memory is bounded all the same.
    @Test func `what nobody reads is kept up to a limit, and the answer ends with an error beyond it`()
        async throws
    {
        let session = URLSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let url = try #require(URL(string: "http://127.0.0.1:9/"))
        let exchange = URLSessionExchange(session.dataTask(with: url), url: url)
        let piece = [UInt8](repeating: 1, count: 1 << 20)
        let count = URLSessionExchange.limit / piece.count + 1
        for _ in 0..<(count + 5) { exchange.received(piece) }
        #expect(try await exchange.next()?.count == count * piece.count)
        let error = await #expect(throws: BreezeError.self) { try await exchange.next() }
        #expect(error?.code == .invalidResponse)
        #expect(error?.message == "http://127.0.0.1:9/ sent faster than its answer could be taken.")
    }
}
