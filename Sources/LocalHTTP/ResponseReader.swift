/// Reads one HTTP/1.1 answer from bytes that may be cut anywhere. Strict: what two readers could take for two
/// things is refused. Bytes behind the answer's end are passed over, since no connection is used twice.
struct ResponseReader {
    enum Event: Hashable {
        case head(ResponseHead)
        /// The next part of the body; never empty.
        case body([UInt8])
    }

    private enum State {
        case status, fields
        /// So many bytes are left.
        case length(Int)
        case chunkSize
        case chunk(Int)
        case chunkEnd, trailers
        case untilClose, done
    }

    private let limits: LocalLimits
    private var state = State.status
    /// Of the line that has no end yet.
    private var line: [UInt8] = []
    private var headBytes = 0
    private var status = 0
    private var fields: [ResponseHead.Field] = []

    init(_ limits: LocalLimits) {
        self.limits = limits
    }

    var isDone: Bool { if case .done = state { true } else { false } }
    /// Whether the head of the answer, and not only of an interim one, is there.
    private(set) var hasHead = false

    mutating func read(_ bytes: [UInt8]) throws(LocalHTTPFailure) -> [Event] {
        var events: [Event] = []
        var rest = bytes[...]
        while !rest.isEmpty, !isDone {
            switch state {
            case .length(let left):
                let taken = take(min(left, rest.count), from: &rest, &events)
                state = taken == left ? .done : .length(left - taken)
            case .chunk(let left):
                let taken = take(min(left, rest.count), from: &rest, &events)
                state = taken == left ? .chunkEnd : .chunk(left - taken)
            case .untilClose: _ = take(rest.count, from: &rest, &events)
            default:
                guard let line = try nextLine(&rest) else { break }
                if let head = try take(line) { events.append(.head(head)) }
            }
        }
        return events
    }

    /// The connection has ended.
    mutating func close() throws(LocalHTTPFailure) {
        switch state {
        case .untilClose, .done: state = .done
        default: throw .cut
        }
    }

    private func take(_ count: Int, from rest: inout ArraySlice<UInt8>, _ events: inout [Event]) -> Int {
        events.append(.body(Array(rest.prefix(count))))
        rest = rest.dropFirst(count)
        return count
    }

    /// Without its end; `nil` where the end has not come.
    private mutating func nextLine(_ rest: inout ArraySlice<UInt8>) throws(LocalHTTPFailure) -> [UInt8]? {
        let end = rest.firstIndex(of: UInt8(ascii: "\n"))
        let part = rest[..<(end ?? rest.endIndex)]
        headBytes += part.count
        guard headBytes <= limits.headBytes else { throw .malformed("its header is too long") }
        line += part
        guard let end else {
            rest = []
            return nil
        }
        rest = rest[(end + 1)...]
        guard line.popLast() == UInt8(ascii: "\r") else {
            throw .malformed("it has a line that does not end as lines do")
        }
        defer { line = [] }
        return line
    }

    /// - Returns: The head, with its last line.
    private mutating func take(_ line: [UInt8]) throws(LocalHTTPFailure) -> ResponseHead? {
        switch state {
        case .status:
            status = try ResponseHead.status(line)
            state = .fields
        case .fields where line.isEmpty: return try endOfHead()
        case .fields:
            guard fields.count < limits.fields else { throw .malformed("its header has too many fields") }
            fields.append(try ResponseHead.field(line))
        case .chunkSize:
            let size = try Self.chunkSize(line)
            headBytes = 0
            state = size == 0 ? .trailers : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { throw .malformed("a chunk is longer than it says") }
            state = .chunkSize
        case .trailers:
            if line.isEmpty { state = .done } else { _ = try ResponseHead.field(line) }
        case .length, .chunk, .untilClose, .done: break
        }
        return nil
    }

    private mutating func endOfHead() throws(LocalHTTPFailure) -> ResponseHead? {
        let head = ResponseHead(status: status, fields: fields)
        guard status >= 200 else {
            guard status != 101 else { throw .malformed("it changes to another protocol") }
            (state, fields) = (.status, [])
            return nil
        }
        (hasHead, headBytes) = (true, 0)
        state = try Self.body(of: head)
        return head
    }

    /// RFC 9112, section 6.3.
    private static func body(of head: ResponseHead) throws(LocalHTTPFailure) -> State {
        let (codings, lengths) = (head.all("transfer-encoding"), head.all("content-length"))
        if head.status == 204 || head.status == 304 { return .done }
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw .malformed("its body is encoded in an unknown way")
            }
            guard lengths.isEmpty else { throw .malformed("its body has two lengths") }
            return .chunkSize
        }
        guard let text = lengths.first else { return .untilClose }
        guard lengths.count == 1, (1...15).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text)
        else { throw .malformed("its body has no readable length") }
        return length == 0 ? .done : .length(length)
    }

    /// Hexadecimal digits, and extensions that nobody uses behind a semicolon.
    private static func chunkSize(_ line: [UInt8]) throws(LocalHTTPFailure) -> Int {
        var digits = line.prefix { $0 != UInt8(ascii: ";") }
        while digits.count > 1, let last = digits.last, last == 0x20 || last == 0x09 { digits.removeLast() }
        guard (1...15).contains(digits.count), digits.allSatisfy(isHexadecimal),
            let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw .malformed("a chunk has no readable size") }
        return size
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }
}
