import BreezeCore

/// The metadata of one GGUF file, read as strictly as llama.cpp reads it: a number of another width than the
/// format prescribes is a fault.
struct GGUFFields {
    let file: GGUFFile
    /// What stands in front of the model's own keys.
    let architecture: String

    init(_ file: GGUFFile) throws {
        self.file = file
        guard let value = file.metadata["general.architecture"] else {
            throw GGUFFile.damaged(file.url, "general.architecture is missing")
        }
        guard let name = value.stringValue, !name.isEmpty, name.utf8.count <= 64,
            name.utf8.allSatisfy({ (33..<127).contains($0) })
        else {
            throw GGUFFile.damaged(file.url, "general.architecture is no name")
        }
        architecture = name
    }

    func key(_ name: String) -> String { "\(architecture).\(name)" }

    func fault(_ text: String) -> BreezeError { GGUFFile.damaged(file.url, text) }

    func required(_ key: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = try integer(key, range) else { throw fault("\(key) is missing") }
        return number
    }

    /// `nil` where the key is not there.
    func integer(_ key: String, _ range: ClosedRange<Int>) throws -> Int? {
        guard let value = file.metadata[key] else { return nil }
        guard case .uint32(let number) = value else {
            throw fault("\(key) is \(value.kind) and not uint32")
        }
        return try checked(key, Int(number), range)
    }

    /// One number a layer, of which the file may state one for all; `nil` where the key is not there.
    func integers(_ key: String, _ range: ClosedRange<Int>, layers: Int) throws -> [Int]? {
        guard let array = file.metadata[key]?.arrayValue else {
            return try integer(key, range).map { Array(repeating: $0, count: layers) }
        }
        guard [.int32, .uint32].contains(array.kind), let numbers = array.integers else {
            throw fault("\(key) holds \(array.kind) and not whole numbers of 32 bits")
        }
        guard numbers.count == layers else {
            throw fault("\(key) has \(numbers.count) elements for \(layers) layers")
        }
        return try numbers.map { try checked(key, $0, 0...range.upperBound) }
    }

    func number(_ key: String, _ range: ClosedRange<Double>) throws -> Double? {
        guard let value = file.metadata[key] else { return nil }
        guard case .float32(let number) = value else {
            throw fault("\(key) is \(value.kind) and not float32")
        }
        guard range.contains(Double(number)) else {
            throw fault("\(key) is \(number); it must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return Double(number)
    }

    func text(_ key: String) throws -> String? {
        guard let value = file.metadata[key] else { return nil }
        guard let text = value.stringValue else { throw fault("\(key) is \(value.kind) and no text") }
        return text
    }

    func array(_ key: String, of kinds: [GGUFValue.Kind], count: Int? = nil) throws -> GGUFArray? {
        guard let value = file.metadata[key] else { return nil }
        guard let array = value.arrayValue, kinds.contains(array.kind) else {
            throw fault("\(key) is no array of \(kinds.map { "\($0)" }.joined(separator: " or "))")
        }
        if let count, array.count != count {
            throw fault("\(key) has \(array.count) elements and the vocabulary \(count)")
        }
        return array
    }

    private func checked(_ key: String, _ number: Int, _ range: ClosedRange<Int>) throws -> Int {
        guard range.contains(number) else {
            throw fault("\(key) is \(number); it must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }
}
