import BreezeCore
import Foundation

/// What the host tells the worker.
enum HostMessage: Hashable, Sendable {
    case open(Opening)
    case load
    /// `credit` chunks may be sent before more is granted. Without `streams` nobody sees the chunks.
    case run(id: UInt32, credit: UInt32, streams: Bool, request: Data)
    case credit(id: UInt32, count: UInt32)
    case cancel(id: UInt32)
    case unload
    case ping(UInt64)

    private enum Kind: UInt8 {
        case open = 1, load, run, credit, cancel, unload, ping
    }

    func encoded() throws -> [UInt8] {
        switch self {
        case .open(let opening):
            let json = try WireJSON.encode(opening)
            return Frame.bytes(Kind.open.rawValue) { $0.append(contentsOf: json) }
        case .load: return Frame.bytes(Kind.load.rawValue) { _ in }
        case .run(let id, let credit, let streams, let request):
            return Frame.bytes(Kind.run.rawValue) { bytes in
                bytes.append(id)
                bytes.append(credit)
                bytes.append(streams ? UInt8(1) : UInt8(0))
                bytes.append(contentsOf: request)
            }
        case .credit(let id, let count):
            return Frame.bytes(Kind.credit.rawValue) { bytes in
                bytes.append(id)
                bytes.append(count)
            }
        case .cancel(let id): return Frame.bytes(Kind.cancel.rawValue) { $0.append(id) }
        case .unload: return Frame.bytes(Kind.unload.rawValue) { _ in }
        case .ping(let number): return Frame.bytes(Kind.ping.rawValue) { $0.append(number) }
        }
    }

    init(_ frame: Frame) throws(WireFault) {
        guard let kind = Kind(rawValue: frame.type) else {
            throw WireFault("a frame of the unknown type \(frame.type)")
        }
        var reader = ByteReader(frame.payload)
        switch kind {
        case .open: self = .open(try reader.json())
        case .load: self = .load
        case .run:
            let (id, credit) = (try reader.word(), try reader.word())
            let streams = try reader.byte() != 0
            self = .run(id: id, credit: credit, streams: streams, request: Data(reader.rest))
            return
        case .credit: self = .credit(id: try reader.word(), count: try reader.word())
        case .cancel: self = .cancel(id: try reader.word())
        case .unload: self = .unload
        case .ping: self = .ping(try reader.longWord())
        }
        try reader.finish()
    }
}
