public import BreezeCore
public import Foundation

/// Reads GGUF files, and looks for the other pieces of a model that was cut into several.
public struct GGUFMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.gguf]

    /// Keys beyond it are a tokenizer's or a stranger's.
    private static let largestExtra = 256

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        let file = try GGUFFile(url: url)
        guard let count = file.metadata["split.count"]?.intValue, count > 1 else {
            return metadata(of: file, pieces: [file])
        }
        return try metadata(ofPiece: file, count: count)
    }

    /// Only the first piece describes the model.
    private func metadata(ofPiece file: GGUFFile, count: Int) throws -> ModelMetadata {
        let folder = file.url.deletingLastPathComponent()
        guard let name = PieceName(file.url.lastPathComponent), name.count == count else {
            var metadata = metadata(of: file, pieces: [file], isWhole: false)
            let number = (file.metadata["split.no"]?.intValue ?? 0).addingOrMost(1)
            metadata.missingPieces = ["the other \(count - 1) pieces of \(count), of which this is \(number)"]
            return metadata
        }
        var (pieces, missing): ([GGUFFile], [String]) = ([], [])
        for piece in name.all {
            if ModelFolder.size(of: piece, in: folder) != nil {
                pieces.append(try GGUFFile(url: folder.appending(path: piece)))
            } else {
                missing.append(piece)
            }
        }
        let first = missing.contains(name.name(of: 1)) ? file : pieces.first ?? file
        var metadata = metadata(of: first, pieces: pieces, isWhole: missing.isEmpty)
        metadata.missingPieces = missing
        metadata.extra["pieces"] = .integer(count)
        return metadata
    }

    private func metadata(of file: GGUFFile, pieces: [GGUFFile], isWhole: Bool = true) -> ModelMetadata {
        var metadata = ModelMetadata(format: .gguf)
        metadata.size = pieces.reduce(0) { $0 + Int64($1.size) }
        func text(_ key: String) -> String? { file.metadata[key]?.stringValue }
        metadata.name = text("general.name")
        metadata.author = text("general.author") ?? text("general.organization")
        metadata.description = text("general.description")
        metadata.version = text("general.version")
        metadata.modelType = text("general.type")
        metadata.architecture = text("general.architecture")
        metadata.license = (text("general.license") ?? text("general.license.name"))
            .map(LicenseReader.canonical)
        metadata.tokenizer = text("tokenizer.ggml.model")
        metadata.hasChatTemplate = text("tokenizer.chat_template") != nil
        if let architecture = metadata.architecture {
            metadata.contextLength = file.metadata["\(architecture).context_length"]?.intValue
        }
        let stated = file.metadata["general.file_type"]?.intValue.flatMap(GGUFFileType.name)
        metadata.quantization = stated ?? Self.mainType(pieces)
        addTotals(of: file, pieces, isWhole: isWhole, &metadata)
        addExtra(file, &metadata)
        return metadata
    }

    private func addTotals(
        of file: GGUFFile,
        _ pieces: [GGUFFile],
        isWhole: Bool,
        _ metadata: inout ModelMetadata
    ) {
        guard isWhole else {
            metadata.tensorCount = file.metadata["split.tensors.count"]?.intValue
            return
        }
        let tensors = pieces.flatMap(\.tensors)
        let weights = tensors.reduce(0) { $0.addingOrMost($1.byteCount ?? 0) }
        metadata.tensorCount = tensors.count
        metadata.parameterCount = Int64(tensors.reduce(0) { $0.addingOrMost($1.elementCount) })
        metadata.memoryEstimate = tensors.isEmpty ? nil : Int64(weights)
        // Adapters, projectors and bare vocabularies are no model, and have no facts.
        guard let facts = try? GGUFModelFacts(file), !tensors.isEmpty else { return }
        metadata.license = facts.license ?? metadata.license
        if facts.vocabularySize > 0, metadata.modelType ?? "model" == "model" {
            metadata.capabilities = facts.capabilities
        }
        var memory = facts.memory(context: GGUFModelFacts.usualContext)
        memory.weights = Int64(weights)
        metadata.memoryEstimate = memory.total
        metadata.extra["memoryContext"] = .integer(min(GGUFModelFacts.usualContext, facts.contextLength))
    }

    private static func mainType(_ pieces: [GGUFFile]) -> String? {
        var bytes: [GGMLType: Int] = [:]
        for tensor in pieces.flatMap(\.tensors) {
            guard let type = tensor.type else { continue }
            bytes[type] = (bytes[type] ?? 0).addingOrMost(tensor.byteCount ?? 0)
        }
        return bytes.max { ($0.value, $1.key.rawValue) < ($1.value, $0.key.rawValue) }?.key.name
    }

    /// Numbers and short texts under the file's own keys; vocabularies and templates are left out.
    private func addExtra(_ file: GGUFFile, _ metadata: inout ModelMetadata) {
        metadata.extra["ggufVersion"] = .integer(Int(file.version))
        for (key, value) in file.metadata.sorted(by: { $0.key < $1.key }).prefix(Self.largestExtra) {
            guard key != "tokenizer.chat_template", let value = Self.json(value) else { continue }
            metadata.extra[key] = value
        }
    }

    private static func json(_ value: GGUFValue) -> JSONValue? {
        switch value {
        case .string(let text): return text.utf8.count <= 4096 ? .string(text) : nil
        case .bool(let flag): return .bool(flag)
        case .array(let array):
            guard array.count <= 64 else { return nil }
            if let strings = array.strings { return .array(strings.map(JSONValue.string)) }
            return array.integers.map { .array($0.map(JSONValue.integer)) }
        default:
            if let number = value.intValue { return .integer(number) }
            return value.doubleValue.flatMap { $0.isFinite ? .number($0) : nil }
        }
    }
}
