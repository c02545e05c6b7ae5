import BreezeCore
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

@testable import BreezeModels

/// Sound files of every format, spoilt in seeded ways: whoever reads them may take or refuse them, reads no
/// more than the file has, and never ends the process. `make soak` does 10,000 of each, `make test` a
/// twentieth.
@Suite(.enabled(if: MetadataOracle.isThere, MetadataOracle.missing))
struct MetadataFuzzTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    /// A model's folder or file, and the file of it that is spoilt.
    private struct Subject {
        let model: URL
        let file: URL
    }

    private static let formats = [
        "gguf", "gguf piece", "safetensors", "shard list", "mlx", "mlc", "onnx", "tflite", "executorch",
        "mlmodel", "mlpackage", "mlmodelc", "whisper",
    ]

    @Test(arguments: formats) func `spoilt files are taken or refused, within bounds`(
        format: String
    ) async throws {
        let subjects = try await subjects(format)
        let full = Soak.count(10_000)
        var outcome = Outcome()
        for (index, subject) in subjects.enumerated() {
            let sound = [UInt8](try Data(contentsOf: subject.file))
            let share = full / subjects.count + (index < full % subjects.count ? 1 : 0)
            var mutator = FileMutator(sound, seed: UInt64(index) << 32)
            for _ in 0..<share {
                let bytes = mutator.next()
                try Data(bytes).write(to: subject.file)
                outcome.add(try Self.read(subject.model, beside: bytes.count - sound.count))
            }
            try Data(sound).write(to: subject.file)
            #expect(throws: Never.self) { try MetadataRegistry().metadata(of: subject.model) }
        }
        #expect(outcome.taken + outcome.refused == full)
        // Else the mutations would not reach what is behind the first check, or spoil nothing.
        #expect(outcome.taken > full / 100 && outcome.refused > full / 100, "\(outcome)")
        print("fuzz \(format): \(outcome)")
    }

    private struct Outcome: CustomStringConvertible {
        var (taken, refused) = (0, 0)
        /// The most that was read and read at once, in parts of what is on disk.
        var (read, largest) = (0.0, 0.0)

        mutating func add(_ other: Outcome) {
            taken += other.taken
            refused += other.refused
            read = max(read, other.read)
            largest = max(largest, other.largest)
        }

        var description: String {
            let parts = [read, largest].map { String(format: "%.2f", $0) }
            return "\(taken) taken, \(refused) refused, at most \(parts[0]) of the bytes on disk read, "
                + "\(parts[1]) at once"
        }
    }

    private static func read(_ url: URL, beside: Int) throws -> Outcome {
        let tally = ReadTally()
        var outcome = Outcome()
        do {
            let metadata = try ReadTally.$current.withValue(tally) {
                try MetadataRegistry().metadata(of: url)
            }
            outcome.taken = 1
            // What was taken can be written down and read again; in JSON, 1.0 is 1.
            let text = try JSONEncoder().encode(metadata)
            let again = try JSONDecoder().decode(ModelMetadata.self, from: text)
            let twice = try JSONDecoder().decode(ModelMetadata.self, from: JSONEncoder().encode(again))
            #expect(again == twice && again.inputs == metadata.inputs && again.size == metadata.size)
            _ = metadata.modelInfo(id: "fuzz")
        } catch let error as BreezeError {
            outcome.refused = 1
            #expect([.invalidFile, .unsupported].contains(error.code), "\(error)")
            #expect(error.message.contains("/"), "\(error)")
            #expect(error.message.count < 2000, "\(error)")
        }
        let disk = max(1, try size(of: url))
        // The detector reads a file, and the extractor reads it again; small files of a folder, four times.
        #expect(tally.bytes <= 4 * disk + 1024, "\(tally.bytes) of \(disk)")
        #expect(tally.largest <= disk, "\(tally.largest) of \(disk)")
        outcome.read = Double(tally.bytes) / Double(disk)
        outcome.largest = Double(tally.largest) / Double(disk)
        return outcome
    }

    /// Of the file, or of all files of the folder; pieces lie beside each other.
    private static func size(of url: URL) throws -> Int {
        let values = try url.resourceValues(forKeys: [.isDirectoryKey])
        let root = values.isDirectory == true ? url : url.deletingLastPathComponent()
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.fileSizeKey])
        var sum = 0
        while let file = files?.nextObject() as? URL {
            let size = try file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
            if size.isRegularFile == true { sum += size.fileSize ?? 0 }
        }
        return sum
    }

    private func subjects(_ format: String) async throws -> [Subject] {
        let root = folder.url
        func one(_ name: String) -> Subject {
            Subject(model: root.appending(path: name), file: root.appending(path: name))
        }
        func part(_ model: String, _ file: String) -> Subject {
            Subject(model: root.appending(path: model), file: root.appending(path: "\(model)/\(file)"))
        }
        typealias Stated = MetadataOracle.Stated
        switch format {
        case "gguf":
            try TinyEncoder().writeGGUF(to: folder, under: "a.gguf")
            return [one("a.gguf")]
        case "gguf piece":
            let _: Stated = try await MetadataOracle.run("gguf", root)
            return (1...3).map { one("model-0000\($0)-of-00003.gguf") }
        case "onnx", "tflite", "executorch", "whisper":
            let _: Stated = try await MetadataOracle.run(format, root.appending(path: "model"))
            return [one("model")]
        case "mlmodel", "mlpackage":
            let _: [String: Stated] = try await MetadataOracle.run("coreml", root)
            if format == "mlmodel" { return [one("net.mlmodel"), one("functions.mlmodel")] }
            let model = "Data/com.apple.CoreML/model.mlmodel"
            return [part("program.mlpackage", model), part("program.mlpackage", "Manifest.json")]
        case "mlmodelc":
            try MetadataSamples.writeCompiled(to: folder)
            return [part("model.mlmodelc", "metadata.json")]
        case "mlc":
            try MetadataSamples.writeMLC(to: folder)
            return [part("mlc", "mlc-chat-config.json"), part("mlc", "ndarray-cache.json")]
        default:
            let _: [String: Stated] = try await MetadataOracle.run("safetensors", root)
            if format == "shard list" { return [part("sharded", SafetensorsIndex.name)] }
            let name = format == "mlx" ? "mlx" : "whole"
            return [part(name, "model.safetensors"), part(name, "config.json")]
        }
    }
}
