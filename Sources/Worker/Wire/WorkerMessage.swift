import BreezeCore

/// What the worker tells the host.
enum WorkerMessage: Hashable, Sendable {
    case hello(Hello)
    case loading(InferenceChunk.Progress)
    case loaded
    case loadFailed(Failure)
    /// The payload of a ``ChunkPayload``; read by whoever waits for the chunk.
    case chunk(id: UInt32, ArraySlice<UInt8>)
    /// The payload of a ``ResultPayload``.
    case result(id: UInt32, ArraySlice<UInt8>)
    case failed(id: UInt32, Failure)
    case unloaded
    case pong(UInt64)

    /// What a runner threw.
    enum Failure: Hashable, Sendable {
        /// A `CancellationError`.
        case cancelled
        case error(BreezeError)
    }

    private enum Kind: UInt8 {
        case hello = 0x81, loading, loaded, loadFailed, chunk, result, failed, unloaded, pong
    }

    func encoded() throws -> [UInt8] {
        switch self {
        case .hello(let hello): return try Self.json(.hello, hello)
        case .loading(let progress): return try Self.json(.loading, progress)
        case .loaded: return Frame.bytes(Kind.loaded.rawValue) { _ in }
        case .loadFailed(let failure):
            let payload = try failure.encoded()
            return Frame.bytes(Kind.loadFailed.rawValue) { $0 += payload }
        case .chunk(let id, let payload): return Self.answer(.chunk, id, payload)
        case .result(let id, let payload): return Self.answer(.result, id, payload)
        case .failed(let id, let failure): return Self.answer(.failed, id, try failure.encoded()[...])
        case .unloaded: return Frame.bytes(Kind.unloaded.rawValue) { _ in }
        case .pong(let number): return Frame.bytes(Kind.pong.rawValue) { $0.append(number) }
        }
    }

    private static func json(_ kind: Kind, _ value: some Encodable) throws -> [UInt8] {
        let json = try WireJSON.encode(value)
        return Frame.bytes(kind.rawValue) { $0.append(contentsOf: json) }
    }

    private static func answer(_ kind: Kind, _ id: UInt32, _ payload: ArraySlice<UInt8>) -> [UInt8] {
        Frame.bytes(kind.rawValue) { bytes in
            bytes.append(id)
            bytes.append(contentsOf: payload)
        }
    }

    init(_ frame: Frame) throws(WireFault) {
        guard let kind = Kind(rawValue: frame.type) else {
            throw WireFault("a frame of the unknown type \(frame.type)")
        }
        var reader = ByteReader(frame.payload)
        switch kind {
        case .hello: self = .hello(try reader.json())
        case .loading: self = .loading(try reader.json())
        case .loaded: self = .loaded
        case .loadFailed: self = .loadFailed(try Failure(&reader))
        case .chunk:
            self = .chunk(id: try reader.word(), reader.rest)
            return
        case .result:
            self = .result(id: try reader.word(), reader.rest)
            return
        case .failed: self = .failed(id: try reader.word(), try Failure(&reader))
        case .unloaded: self = .unloaded
        case .pong: self = .pong(try reader.longWord())
        }
        try reader.finish()
    }
}

extension WorkerMessage.Failure {
    private static let cancelledTag: UInt8 = 0
    private static let errorTag: UInt8 = 1

    func encoded() throws -> [UInt8] {
        switch self {
        case .cancelled: [Self.cancelledTag]
        case .error(let error): [Self.errorTag] + (try WireJSON.encode(error))
        }
    }

    init(_ reader: inout ByteReader) throws(WireFault) {
        switch try reader.byte() {
        case Self.cancelledTag: self = .cancelled
        case Self.errorTag: self = .error(try reader.json())
        case let tag: throw WireFault("a failure of the unknown kind \(tag)")
        }
    }

    /// What the caller sees.
    var error: any Error {
        switch self {
        case .cancelled: CancellationError()
        case .error(let error): error
        }
    }
}
