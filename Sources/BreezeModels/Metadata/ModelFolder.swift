import BreezeCore
import Foundation

/// A folder that may hold a model, told by the files that its format prescribes.
struct ModelFolder {
    let url: URL

    /// Names of one folder that are looked at; a model's has a few dozen.
    private static let largestCount = 4096

    init(_ url: URL) { self.url = url }

    func detect() throws -> DetectedModel {
        if let found = try coreML() { return found }
        if has("mlc-chat-config.json") {
            return DetectedModel(format: .mlc, url: url, layout: .folder)
        }
        if HuggingFaceFolder.hasWeights(url) {
            let folder = try HuggingFaceFolder(url)
            let format: ModelFormat = folder.isMLX ? .mlx : .safetensors
            return DetectedModel(format: format, url: url, layout: .folder)
        }
        return try single()
    }

    private func coreML() throws -> DetectedModel? {
        if has(CoreMLPackage.manifest), CoreMLPackage.isOne(url) {
            return DetectedModel(format: .coreML, url: url, layout: .package)
        }
        if has("coremldata.bin") || CompiledCoreML.isOne(url) {
            return DetectedModel(format: .coreML, url: url, layout: .compiled)
        }
        return nil
    }

    /// A folder around one model file, or around the pieces of one.
    private func single() throws -> DetectedModel {
        let names = try Self.files(in: url)
        var found: [DetectedModel] = []
        var refusal: BreezeError?
        for name in names {
            do { found.append(try FormatDetector.detect(file: url.appending(path: name))) } catch let error
                as BreezeError where error.code == .unsupported
            {
                refusal = error
            } catch is BreezeError {}  // A README, a licence.
        }
        let sets = Set(found.map { PieceName($0.url.lastPathComponent)?.set ?? $0.url.lastPathComponent })
        if let first = found.first, sets.count == 1 {
            return DetectedModel(
                format: first.format,
                url: first.url,
                layout: .file,
                evidence: first.evidence
            )
        }
        if let refusal, found.isEmpty { throw refusal }
        let models = found.map { $0.url.lastPathComponent }.joined(separator: ", ").excerpt
        throw BreezeError(
            .invalidFile,
            found.isEmpty
                ? "\(url.path) holds no model of a known format."
                : "\(url.path) holds more than one model: \(models).",
            remedy: found.isEmpty ? "Take the model's own folder, or its file." : "Take one of the files."
        )
    }

    private func has(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: name).path)
    }

    /// Regular files (or links to some) directly in the folder, by name; hidden ones are left out.
    static func files(in url: URL) throws -> [String] {
        let names: [String]
        do { names = try FileManager.default.contentsOfDirectory(atPath: url.path) } catch {
            throw BreezeError(
                .inputOutput,
                "\(url.path) cannot be read.",
                remedy: "Check its permissions.",
                underlying: error
            )
        }
        guard names.count <= largestCount else {
            throw BreezeError(
                .invalidFile,
                "\(url.path) holds \(names.count) files, more than a model has.",
                remedy: "Take the model's own folder."
            )
        }
        return names.filter { name in
            var isFolder: ObjCBool = false
            let path = url.appending(path: name).path
            return !name.hasPrefix(".")
                && FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
        }
        .sorted()
    }

    /// Bytes of a file of the folder; `nil` where it is not there.
    static func size(of name: String, in url: URL) -> Int64? {
        let path = url.appending(path: name).resolvingSymlinksInPath().path
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular else { return nil }
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// A path within a folder, as a stranger's file states it, of which every reader agrees where it leads.
    static func isInside(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.isEmpty && path.utf8.count <= 1024 && !path.utf8.contains(0) && !path.contains("\\")
            && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }
}
