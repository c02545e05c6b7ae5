public import BreezeCore
public import Foundation

/// Reads ONNX models, and looks for the files beside them in which large ones keep their weights.
public struct ONNXMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.onnx]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        try FormatFault.naming(url, "ONNX model") {
            let file = try PagedFile(url: url)
            let model = try ONNXFile(file)
            var metadata = ModelMetadata(format: .onnx, size: Int64(file.size))
            describe(model, &metadata)
            try addExternalFiles(of: model, beside: url, &metadata)
            metadata.inputs = model.inputs
            metadata.outputs = model.outputs
            metadata.tensorCount = model.tensorCount
            metadata.parameterCount = Int64(model.parameterCount)
            metadata.memoryEstimate = Int64(model.weightBytes)
            metadata.quantization = WeightType.main(model.bytesByType, name: ONNXElementType.name)
            return metadata
        }
    }

    private func describe(_ model: ONNXFile, _ metadata: inout ModelMetadata) {
        let texts = [model.documentation, model.graphDocumentation]
        metadata.description = texts.first { !$0.isEmpty } ?? model.properties["description"]
        metadata.name = model.graphName.isEmpty ? nil : model.graphName
        metadata.version =
            model.modelVersion == 0 ? model.properties["version"] : "\(model.modelVersion)"
        // The keys that ONNX's documentation gives, and those that exporters use.
        metadata.author = model.properties["model_author"] ?? model.properties["author"]
        metadata.license = (model.properties["model_license"] ?? model.properties["license"])
            .map(LicenseReader.canonical)
        metadata.extra["irVersion"] = .integer(model.irVersion)
        let opsets = model.operators.map { ($0.domain.isEmpty ? "ai.onnx" : $0.domain, $0.version) }
        metadata.extra["opset"] = .object(
            Dictionary(opsets.map { ($0.0, JSONValue.integer($0.1)) }) { _, last in last }
        )
        let producer = [model.producer, model.producerVersion].filter { !$0.isEmpty }
        if !producer.isEmpty { metadata.extra["producer"] = .string(producer.joined(separator: " ")) }
        if !model.domain.isEmpty { metadata.extra["domain"] = .string(model.domain) }
        if !model.properties.isEmpty {
            metadata.extra["properties"] = .object(model.properties.mapValues(JSONValue.string))
        }
    }

    private func addExternalFiles(
        of model: ONNXFile,
        beside url: URL,
        _ metadata: inout ModelMetadata
    ) throws {
        let folder = url.deletingLastPathComponent()
        for (name, external) in model.externalFiles.sorted(by: { $0.key < $1.key }) {
            guard ModelFolder.isInside(name) else {
                throw FormatFault("its weights lie in \"\(name.excerpt)\", outside its folder")
            }
            let size = ModelFolder.size(of: name, in: folder)
            metadata.size += size ?? 0
            if size.map({ $0 < external.byteCount }) ?? true { metadata.missingPieces.append(name) }
        }
    }
}
