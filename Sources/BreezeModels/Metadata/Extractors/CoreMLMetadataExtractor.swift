public import BreezeCore
public import Foundation

/// Reads Core ML models: `.mlmodel` files, `.mlpackage` folders, whose metadata lies in the model's protobuf
/// within, and `.mlmodelc` folders.
public struct CoreMLMetadataExtractor: MetadataExtractor {
    public let supportedFormats: [ModelFormat] = [.coreML]

    public init() {}

    public func extractMetadata(from url: URL) throws -> ModelMetadata {
        switch try FormatDetector.detect(url).layout {
        case .package: try metadata(ofPackage: url)
        case .compiled: try metadata(ofCompiled: url)
        case .file, .folder:
            try metadata(of: url, path: "@model_path", missing: { !Self.isThere($0, at: $1) })
        }
    }

    private static func isThere(_ name: String, at model: URL) -> Bool {
        ModelFolder.size(of: name, in: model.deletingLastPathComponent()) != nil
    }

    /// `path` is what an ML program writes in front of its weight files.
    private func metadata(
        of url: URL,
        path: String,
        missing: (_ name: String, _ model: URL) -> Bool
    ) throws -> ModelMetadata {
        try FormatFault.naming(url, "Core ML model") {
            let file = try PagedFile(url: url)
            let model = try CoreMLFile(file)
            var metadata = ModelMetadata(format: .coreML, size: Int64(file.size))
            metadata.modelType = model.kind
            metadata.inputs = model.inputs
            metadata.outputs = model.outputs
            let texts = [model.description, model.version, model.author, model.license]
                .map { $0.isEmpty ? nil : $0 }
            metadata.description = texts[0]
            metadata.version = texts[1]
            metadata.author = texts[2]
            metadata.license = texts[3].map(LicenseReader.canonical)
            let folder = url.deletingLastPathComponent()
            for stated in model.weightFiles.sorted() {
                let name = stated.hasPrefix(path + "/") ? String(stated.dropFirst(path.count + 1)) : stated
                guard ModelFolder.isInside(name) else {
                    throw FormatFault("its weights lie in \"\(name.excerpt)\", outside it")
                }
                metadata.size += ModelFolder.size(of: name, in: folder) ?? 0
                if missing(name, url) { metadata.missingPieces.append(name) }
            }
            if !model.weightFiles.isEmpty {
                metadata.tensorCount = model.weightCount
                metadata.parameterCount = Int64(model.parameterCount)
            }
            metadata.memoryEstimate = metadata.missingPieces.isEmpty ? metadata.size : nil
            addExtra(model, &metadata)
            return metadata
        }
    }

    private func addExtra(_ model: CoreMLFile, _ metadata: inout ModelMetadata) {
        metadata.extra["specificationVersion"] = .integer(model.specificationVersion)
        if model.isUpdatable { metadata.extra["isUpdatable"] = true }
        if !model.functions.isEmpty {
            metadata.extra["functions"] = .array(model.functions.map(JSONValue.string))
        }
        if !model.states.isEmpty {
            metadata.extra["states"] = .array(model.states.map { .string($0.name) })
        }
        if !model.predictedFeature.isEmpty {
            metadata.extra["predictedFeature"] = .string(model.predictedFeature)
        }
        if !model.userDefined.isEmpty {
            metadata.extra["userDefined"] = .object(model.userDefined.mapValues(JSONValue.string))
        }
    }

    private func metadata(ofPackage url: URL) throws -> ModelMetadata {
        let package = try CoreMLPackage(url)
        let absent = package.items.filter {
            !FileManager.default.fileExists(atPath: package.data.appending(path: $0).path)
        }
        var metadata: ModelMetadata
        if absent.contains(package.model) {
            metadata = ModelMetadata(format: .coreML)
        } else {
            let model = package.data.appending(path: package.model)
            metadata = try self.metadata(of: model, path: "@model_path") { !Self.isThere($0, at: $1) }
        }
        metadata.size += ModelFolder.size(of: CoreMLPackage.manifest, in: url) ?? 0
        for item in absent {
            // A folder that is not there, and the files in it that the model names.
            let inside = metadata.missingPieces.contains {
                item.hasSuffix($0) || $0.hasPrefix(Self.last(item))
            }
            if !inside { metadata.missingPieces.append(item) }
        }
        if !metadata.missingPieces.isEmpty { metadata.memoryEstimate = nil }
        return metadata
    }

    private static func last(_ path: String) -> String {
        path.split(separator: "/").last.map { "\($0)/" } ?? path
    }

    private func metadata(ofCompiled url: URL) throws -> ModelMetadata {
        var metadata = ModelMetadata(format: .coreML)
        for name in try ModelFolder.files(in: url) {
            metadata.size += ModelFolder.size(of: name, in: url) ?? 0
        }
        let weights = url.appending(path: "weights")
        if FileManager.default.fileExists(atPath: weights.path) {
            for name in try ModelFolder.files(in: weights) {
                metadata.size += ModelFolder.size(of: name, in: weights) ?? 0
            }
        }
        metadata.extra["compiled"] = true
        guard let model = try CompiledCoreML(url) else { return metadata }
        metadata.memoryEstimate = metadata.size
        metadata.inputs = model.inputs
        metadata.outputs = model.outputs
        func text(_ key: String) -> String? {
            model.tree[key]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        }
        metadata.author = text("author")
        metadata.description = text("shortDescription")
        metadata.version = text("version")
        metadata.license = text("license").map(LicenseReader.canonical)
        metadata.quantization = text("storagePrecision")
        metadata.modelType = model.tree["modelType"]?["name"]?.stringValue
            .map { $0.hasPrefix("MLModelType_") ? String($0.dropFirst("MLModelType_".count)) : $0 }
        for key in ["specificationVersion", "userDefinedMetadata", "computePrecision", "availability"] {
            if let value = model.tree[key] { metadata.extra[key] = value }
        }
        return metadata
    }
}
