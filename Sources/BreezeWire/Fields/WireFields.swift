import BreezeCore

/// Reads the fields of one JSON object by name. A field of a wrong kind is an error that names its path and what it
/// takes; `null` counts as left out; what nobody asked for is ignored and reported.
///
/// Errors never hold a value: it may be what a user typed.
struct WireFields {
    let path: WirePath
    let collector: RemarkCollector
    private let members: [StrictJSON.Member]
    private var isRead: [Bool]

    init(_ value: StrictJSON, at path: WirePath, _ collector: RemarkCollector) throws {
        guard case .object(let members) = value else {
            throw BreezeError.field(path, "is \(value.kindName)", takes: "an object")
        }
        self.path = path
        self.collector = collector
        self.members = members
        isRead = Array(repeating: false, count: members.count)
        if let index = Self.repeated(members) {
            let name = String(decoding: members[index].key, as: UTF8.self)
            let fault = path.member(String(name.prefix(80)))
            throw BreezeError.field(fault, "stands there twice", takes: "one value", code: .invalidRequest)
        }
    }

    private static func repeated(_ members: [StrictJSON.Member]) -> Int? {
        var seen: Set<[UInt8]> = []
        // Two names that differ only in how accents are composed are one to a Swift dictionary and two here.
        return members.indices.first { !seen.insert(members[$0].key).inserted }
    }

    /// Ends the reading: what is left over goes into the report.
    func finish() {
        for (index, member) in members.enumerated() where !isRead[index] {
            collector.ignore(path.member(String(decoding: member.key, as: UTF8.self)))
        }
    }

    private func index(of name: String) -> Int? {
        members.firstIndex { $0.key.count == name.utf8.count && $0.key.elementsEqual(name.utf8) }
    }

    /// The value of that name; `nil` where there is none, or it is `null`.
    mutating func raw(_ name: String) -> StrictJSON? {
        guard let index = index(of: name) else { return nil }
        isRead[index] = true
        return members[index].value.isNull ? nil : members[index].value
    }

    /// The same, and still to be read.
    func peek(_ name: String) -> StrictJSON? {
        guard let index = index(of: name), !members[index].value.isNull else { return nil }
        return members[index].value
    }

    /// Fields that change no answer here.
    mutating func accept(_ names: String...) {
        for name in names { _ = raw(name) }
    }

    func wrong(_ name: String, _ value: StrictJSON, takes: String) -> BreezeError {
        .field(path.member(name), "is \(value.kindName)", takes: takes)
    }

    func missing(_ name: String, takes: String) -> BreezeError {
        .field(path.member(name), "is missing", takes: takes, code: .invalidRequest)
    }

    /// A known field that nothing here can honour: an error where it is there and does not pass `harmless`.
    mutating func refuse(
        _ name: String,
        _ fault: String = "cannot be honoured",
        remedy: String = "Leave it out.",
        unless harmless: (StrictJSON) -> Bool = { _ in false }
    ) throws {
        guard let value = raw(name), !harmless(value) else { return }
        throw BreezeError.unsupported(path.member(name), fault, remedy: remedy)
    }
}

extension WireFields {
    mutating func string(_ name: String) throws -> String? {
        guard let value = raw(name) else { return nil }
        guard let string = value.string else { throw wrong(name, value, takes: "a string") }
        return string
    }

    mutating func requiredString(_ name: String) throws -> String {
        guard let string = try string(name) else { throw missing(name, takes: "a string") }
        guard !string.isEmpty else {
            throw BreezeError.field(path.member(name), "is empty", takes: "a string that is not empty")
        }
        return string
    }

    mutating func bool(_ name: String) throws -> Bool? {
        guard let value = raw(name) else { return nil }
        guard let bool = value.bool else { throw wrong(name, value, takes: "true or false") }
        return bool
    }

    mutating func number(_ name: String) throws -> Double? {
        guard let value = raw(name) else { return nil }
        guard let number = value.double else { throw wrong(name, value, takes: "a number") }
        return number
    }

    mutating func integer(_ name: String, in range: ClosedRange<Int>? = nil) throws -> Int? {
        guard let value = raw(name) else { return nil }
        let takes = Self.words(range)
        guard let integer = value.wholeNumber else { throw wrong(name, value, takes: takes) }
        guard range?.contains(integer) ?? true else {
            throw BreezeError.field(path.member(name), "is out of its range", takes: takes)
        }
        return integer
    }

    private static func words(_ range: ClosedRange<Int>?) -> String {
        guard let range else { return "an integer" }
        let end = range.upperBound == .max ? "" : " to \(range.upperBound)"
        return "an integer from \(range.lowerBound)\(end)"
    }

    /// One of a dialect's words.
    mutating func word<Word>(_ name: String, _ words: KeyValuePairs<String, Word>) throws -> Word? {
        guard let value = raw(name) else { return nil }
        let takes = "one of " + words.map(\.key).joined(separator: ", ")
        guard let string = value.string else { throw wrong(name, value, takes: takes) }
        guard let found = words.first(where: { $0.key == string })?.value else {
            throw BreezeError.field(path.member(name), "is none of its words", takes: takes)
        }
        return found
    }

    /// A list of strings, or one string alone.
    mutating func strings(_ name: String) throws -> [String]? {
        guard let value = raw(name) else { return nil }
        if let string = value.string { return [string] }
        let takes = "a string or a list of strings"
        guard let elements = value.array else { throw wrong(name, value, takes: takes) }
        return try elements.enumerated().map { index, element in
            if let string = element.string { return string }
            let place = path.member(name).element(index)
            throw BreezeError.field(place, "is \(element.kindName)", takes: "a string")
        }
    }

    mutating func json(_ name: String) throws -> JSONValue? {
        try raw(name)?.jsonValue(at: path.member(name))
    }

    /// What a client keeps with a request, and gets back as it is.
    mutating func metadata() throws -> JSONValue? {
        let value = try json("metadata")
        guard let value, value.objectValue == nil else { return value }
        throw BreezeError.field(path.member("metadata"), "is \(value.kindName)", takes: "an object")
    }

    mutating func object<Value>(
        _ name: String,
        _ body: (inout WireFields) throws -> Value
    ) throws -> Value? {
        guard let value = raw(name) else { return nil }
        return try read(value, at: path.member(name), body)
    }

    mutating func list(_ name: String, of what: String) throws -> [(value: StrictJSON, path: WirePath)]? {
        guard let value = raw(name) else { return nil }
        guard let elements = value.array else { throw wrong(name, value, takes: "a list of \(what)") }
        let place = path.member(name)
        return elements.enumerated().map { ($1, place.element($0)) }
    }

    /// Reads any object of the same body.
    func read<Value>(
        _ value: StrictJSON,
        at path: WirePath,
        _ body: (inout WireFields) throws -> Value
    ) throws -> Value {
        var fields = try WireFields(value, at: path, collector)
        let result = try body(&fields)
        fields.finish()
        return result
    }
}
