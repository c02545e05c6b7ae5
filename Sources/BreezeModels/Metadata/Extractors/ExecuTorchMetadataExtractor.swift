public import BreezeCore
public import Foundation

/// Reads ExecuTorch programs: their methods, and what they state about themselves in methods that only return
/// a constant, as `get_max_seq_len` does.
public struct ExecuTorchMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.executorch]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        try FormatFault.naming(url, "ExecuTorch program") {
            let file = try PagedFile(url: url)
            guard file.size >= 8, try file.bytes(4..<8) == Array("ET12".utf8) else {
                throw FormatFault("ET12 does not stand at byte 4")
            }
            let program = try ExecuTorchFile(file)
            var metadata = ModelMetadata(format: .executorch, size: Int64(file.size))
            let computing = program.methods.filter { $0.constants == nil }
            let main = computing.first { $0.name == "forward" } ?? computing.first
            metadata.inputs = main?.inputs ?? []
            metadata.outputs = main?.outputs ?? []
            metadata.tensorCount = program.constantCount
            // The program is mapped whole, and each method has memory of its own planned beside it.
            let planned = program.methods.reduce(0) { $0.addingOrMost($1.plannedMemory) }
            metadata.memoryEstimate = Int64(file.size.addingOrMost(planned))
            metadata.contextLength = Self.contextLength(program)
            if !program.externalTensors.isEmpty {
                metadata.missingPieces = ["a .ptd file with \(program.externalTensors.count) tensors"]
                metadata.extra["externalTensors"] = .array(program.externalTensors.map(JSONValue.string))
            }
            addExtra(program, &metadata)
            return metadata
        }
    }

    private static func contextLength(_ program: ExecuTorchFile) -> Int? {
        for name in ["get_max_context_len", "get_max_seq_len"] {
            let values = program.methods.first { $0.name == name }?.constants
            if let length = values?.first?.intValue, values?.count == 1, length > 0 { return length }
        }
        return nil
    }

    private func addExtra(_ program: ExecuTorchFile, _ metadata: inout ModelMetadata) {
        metadata.extra["schemaVersion"] = .integer(program.version)
        metadata.extra["methods"] = .array(program.methods.map { .string($0.name) })
        for method in program.methods {
            guard let values = method.constants else { continue }
            let one = values.count == 1 ? values.first : nil
            metadata.extra[method.name] = one ?? .array(values)
        }
        let backends = Set(program.methods.flatMap(\.backends)).sorted()
        if !backends.isEmpty { metadata.extra["backends"] = .array(backends.map(JSONValue.string)) }
    }
}
