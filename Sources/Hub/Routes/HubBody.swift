#if Hub
import BreezeAccess
import BreezeCore
import BreezeWire
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    /// The whole body, of a client that is known: nobody else has the hub keep 64 MB.
    func body(of request: Request, _ context: HubContext) async throws -> [UInt8] {
        if !parts.access.gate.knows(credential(of: request), from: context.caller) {
            _ = try caller(request, context)
        }
        let bytes = try await request.bytes(options.limits, on: context.connection)
        context.tally.cameIn(bytes.count)
        return bytes
    }
}

extension Request {
    /// The whole body.
    /// - Throws: ``BreezeError`` for one that is larger than the limits allow, or does not come whole in time.
    func bytes(_ limits: HubLimits, on connection: Connection) async throws -> [UInt8] {
        let length = headers[.contentLength].flatMap { Int($0) }
        if length == 0 { return [] }
        if let length, length > limits.body { throw Self.tooLarge(limits.body) }
        connection.beginReading(within: limits.reading)
        defer { connection.endReading() }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(length ?? 0, 1 << 20))
        for try await part in body {
            guard bytes.count + part.readableBytes <= limits.body else { throw Self.tooLarge(limits.body) }
            bytes.append(contentsOf: part.readableBytesView)
        }
        return bytes
    }

    private static func tooLarge(_ limit: Int) -> BreezeError {
        BreezeError(
            .payloadTooLarge,
            "The request's body has more than \(limit) bytes.",
            remedy: "Send less at once."
        )
    }
}

extension Response {
    init(text: String, type: String = "text/plain; charset=utf-8") {
        self.init(
            status: .ok,
            headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }

    init(json bytes: [UInt8], status: HTTPResponse.Status = .ok) {
        self.init(
            status: status,
            headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        )
    }
}
#endif
