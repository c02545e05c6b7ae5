import BreezeCore
public import Foundation

/// A server's answer, whatever its status: a 404 is no error here.
public struct HTTPResponse: Sendable {
    public let status: Int
    public let headers: HeaderFields
    /// Where the answer came from, after redirects. A download server's signed address is a secret: show
    /// `url.withoutSecrets` instead.
    public let url: URL
    public let body: HTTPBody

    public init(status: Int, headers: HeaderFields = [:], url: URL, body: HTTPBody = HTTPBody([])) {
        self.status = status
        self.headers = headers
        self.url = url
        self.body = body
    }
}

/// The bytes of an answer, in pieces as they come: the server is held back while nobody asks for the next
/// one.
///
/// For one reader. Dropping the body and its iterators closes the connection, and so does cancelling the task
/// that reads.
public struct HTTPBody: AsyncSequence, Sendable {
    public typealias Element = [UInt8]

    private final class Source: Sendable {
        let next: @Sendable () async throws -> [UInt8]?
        let close: @Sendable () -> Void

        init(next: @escaping @Sendable () async throws -> [UInt8]?, close: @escaping @Sendable () -> Void) {
            self.next = next
            self.close = close
        }

        deinit { close() }
    }

    private let source: Source

    /// - Parameters:
    ///   - next: The next piece, `nil` after the last; throws `BreezeError`, or `CancellationError` where the
    ///     task was cancelled.
    ///   - close: Called once, when nobody can ask for more.
    public init(
        next: @escaping @Sendable () async throws -> [UInt8]?,
        close: @escaping @Sendable () -> Void = {}
    ) {
        source = Source(next: next, close: close)
    }

    /// A body that is there already.
    public init(_ bytes: [UInt8]) {
        let rest = OneTime(bytes.isEmpty ? nil : bytes)
        self.init(next: { rest.take() })
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let body: HTTPBody

        public mutating func next() async throws -> [UInt8]? {
            try await body.source.next()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(body: self)
    }

    /// The whole body.
    /// - Throws: ``BreezeError`` `.invalidResponse` where it is longer than `limit`.
    public func collect(upTo limit: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        for try await piece in self {
            guard bytes.count + piece.count <= limit else {
                throw BreezeError(.invalidResponse, "The server's answer is longer than \(limit) bytes.")
            }
            bytes += piece
        }
        return bytes
    }
}
