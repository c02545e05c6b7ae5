/// One event of a stream.
package struct ServerEvent: Equatable, Sendable {
    package var name: String?
    package var data: [UInt8]

    package init(name: String?, data: [UInt8]) {
        self.name = name
        self.data = data
    }
}

/// Cuts a byte stream into events (HTML standard, section 9.2.6), wherever the network cut it: what is half a line,
/// or half a character, waits for its rest.
package struct EventStreamParser: Sendable {
    /// A line, or an event, that is longer than ``limit``: a server that sends no line ends would fill the memory.
    package struct TooLong: Error {
        package let limit: Int
    }

    /// In bytes.
    package let limit: Int
    private var line: [UInt8] = []
    private var event = ServerEvent(name: nil, data: [])
    private var hasData = false
    private var isAfterCR = false
    private var isFirstLine = true
    /// Lines that are part of the format: whoever sends none sends no event stream.
    package private(set) var hasSeenField = false

    package init(limit: Int = 16 << 20) {
        self.limit = limit
    }

    package mutating func append(_ bytes: [UInt8]) throws(TooLong) -> [ServerEvent] {
        var events: [ServerEvent] = []
        var rest = bytes[...]
        while let first = rest.first {
            if isAfterCR, first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
            isAfterCR = false
            let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            line += rest[..<(end ?? rest.endIndex)]
            guard line.count + event.data.count <= limit else { throw TooLong(limit: limit) }
            guard let end else { break }
            isAfterCR = rest[end] == UInt8(ascii: "\r")
            endLine(&events)
            rest = rest[(end + 1)...]
        }
        return events
    }

    /// What the last lines say that no empty line followed. The standard drops them; servers that close right after
    /// their last event are too common.
    package mutating func finish() -> ServerEvent? {
        var events: [ServerEvent] = []
        if !line.isEmpty { endLine(&events) }
        return hasData ? event : nil
    }

    private mutating func endLine(_ events: inout [ServerEvent]) {
        let whole = self.line
        self.line = []
        var line = whole[...]
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        }
        guard let first = line.first else {
            if hasData { events.append(event) }
            event = ServerEvent(name: nil, data: [])
            hasData = false
            return
        }
        // A comment keeps the connection alive and says nothing.
        if first == UInt8(ascii: ":") {
            hasSeenField = true
            return
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        take(field: line[..<colon], value: value)
    }

    private mutating func take(field: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
        if field.elementsEqual("data".utf8) {
            if hasData { event.data.append(UInt8(ascii: "\n")) }
            event.data += value
            (hasData, hasSeenField) = (true, true)
        } else if field.elementsEqual("event".utf8) {
            event.name = String(decoding: value, as: UTF8.self)
            hasSeenField = true
        }
    }
}
