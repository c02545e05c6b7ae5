import BreezeModels
package import Foundation

/// A sound GGUF file spoilt in every way that is known to matter, and in seeded random ones: what reads such
/// files may refuse them or take them, and never ends the process.
package struct GGUFMutations: Sequence {
    package struct Mutation: Sendable {
        package let name: String
        /// No reader may take it: it ends llama.cpp itself, or cannot be read at all.
        package let mustBeRefused: Bool
        /// Made when asked for: all of them together would take 100 MB.
        package let bytes: @Sendable () -> [UInt8]
    }

    private let all: [Mutation]

    /// Of each file, in the order of the files.
    package init(of files: [URL]) throws {
        all = try files.flatMap { try GGUFMutator($0).all }
    }

    package var count: Int { all.count }

    package func makeIterator() -> IndexingIterator<[Mutation]> { all.makeIterator() }
}

private struct GGUFMutator {
    private let base: [UInt8]
    /// Where the first tensor's description, and the first tensor's bytes, begin.
    private let descriptions: Int
    private let data: Int
    private let architecture: String
    private let tensors: [GGUFFile.Tensor]

    init(_ url: URL) throws {
        base = [UInt8](try Data(contentsOf: url))
        let file = try GGUFFile(url: url)
        data = file.dataOffset
        tensors = file.tensors
        architecture = file.metadata["general.architecture"]?.stringValue ?? ""
        descriptions = (Self.last(tensors.first?.name ?? "", in: base[..<data]) ?? 8) - 8
    }

    var all: [GGUFMutations.Mutation] {
        (truncations + starts + keys + arrays + shapes + flips).map { change in
            GGUFMutations.Mutation(
                name: "\(architecture): \(change.name)",
                mustBeRefused: change.isFatal,
                bytes: change.bytes
            )
        }
    }

    private struct Change {
        let name: String
        var isFatal = false
        let bytes: @Sendable () -> [UInt8]
    }

    private func change(
        _ name: String,
        isFatal: Bool = false,
        _ body: @escaping @Sendable (inout [UInt8]) -> Void
    ) -> Change {
        let base = base
        return Change(name: name, isFatal: isFatal) {
            var bytes = base
            body(&bytes)
            return bytes
        }
    }

    private func patch(
        _ name: String,
        at offset: Int,
        _ value: some FixedWidthInteger & Sendable,
        isFatal: Bool = false
    ) -> Change {
        change(name, isFatal: isFatal) { bytes in
            withUnsafeBytes(of: value.littleEndian) {
                bytes.replaceSubrange(offset..<offset + $0.count, with: $0)
            }
        }
    }

    /// At every border between sections and beside it, and at seeded places.
    private var truncations: [Change] {
        var generator = SeededGenerator(seed: 11)
        let borders = [0, 4, 8, 16, 24, descriptions, data, base.count]
        let near = borders.flatMap { border in [-1, 0, 1].map { border + $0 } }
        let far = (0..<16).map { _ in Int.random(in: 0..<base.count, using: &generator) }
        return Set(near + far + [100, 1000, data + 1000]).filter { (0..<base.count).contains($0) }.sorted()
            .map { length in
                // The last tensor's padding may be missing.
                change("cut to \(length) bytes", isFatal: length < base.count - 32) {
                    $0.removeLast($0.count - length)
                }
            }
    }

    private var starts: [Change] {
        var changes: [Change] = [
            change("noise", isFatal: true) { bytes in
                var generator = SeededGenerator(seed: 12)
                bytes = bytes.map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            },
            change("noise behind the version", isFatal: true) { bytes in
                var generator = SeededGenerator(seed: 13)
                for index in 8..<bytes.count { bytes[index] = .random(in: .min ... .max, using: &generator) }
            },
            change("zeros", isFatal: true) { $0 = Array(repeating: 0, count: 65_536) },
            change("a text", isFatal: true) { $0 = Array(String(repeating: "hello\n", count: 2000).utf8) },
            change("something behind the end") { $0 += Array(repeating: 7, count: 1000) },
        ]
        for version in [0, 1, 4, 99, 1 << 24, 3 << 24] as [UInt32] {
            changes.append(patch("version \(version)", at: 4, version, isFatal: true))
        }
        for (offset, what) in [(8, "tensors"), (16, "keys")] {
            for count in [0, 1, 1 << 20, 1 << 40, 1 << 63, .max] as [UInt64] {
                // With one tensor alone the file is whole, and no model.
                let isFatal = count != 1 || offset != 8
                changes.append(patch("\(count) \(what)", at: offset, count, isFatal: isFatal))
            }
        }
        return changes
    }

    private var keys: [Change] {
        var changes: [Change] = []
        let names = [
            "block_count", "embedding_length", "attention.head_count", "attention.head_count_kv",
            "attention.key_length", "feed_forward_length", "context_length", "pooling_type",
        ]
        let ids = ["eos", "bos", "padding", "unknown"].map { "tokenizer.ggml.\($0)_token_id" }
        for name in names.map({ "\(architecture).\($0)" }) + ids {
            guard let offset = after(name) else { continue }
            for value in [0, 3, 513, 1 << 31, .max] as [UInt32] {
                let isFatal = value >= 1 << 31 || (value == 0 && name.hasSuffix("block_count"))
                changes.append(patch("\(name) = \(value)", at: offset + 4, value, isFatal: isFatal))
            }
        }
        let numbers: [Float] = [.nan, .infinity, -.infinity, -1, 0, 1e30]
        for name in ["rope.freq_base", "attention.layer_norm_rms_epsilon", "attention.layer_norm_epsilon"] {
            guard let offset = after("\(architecture).\(name)") else { continue }
            for value in numbers {
                let isFatal = !value.isFinite || value < 0
                changes.append(
                    patch("\(name) = \(value)", at: offset + 4, value.bitPattern, isFatal: isFatal)
                )
            }
        }
        for name in ["\(architecture).block_count", "tokenizer.ggml.tokens", "general.architecture"] {
            guard let offset = after(name) else { continue }
            for kind in [0, 6, 8, 9, 10, 12, 13, 255, .max] as [UInt32] where kind != base[offset] {
                changes.append(patch("\(name) has the type \(kind)", at: offset, kind, isFatal: true))
            }
        }
        return changes
    }

    /// An array is its type, its element type, and 8 bytes of a count; then strings with 8 bytes of a length.
    private var arrays: [Change] {
        var changes: [Change] = []
        for name in ["tokens", "token_type", "merges"].map({ "tokenizer.ggml.\($0)" }) {
            guard let offset = after(name) else { continue }
            for count in [0, 1, 1 << 20, 1 << 40, 1 << 61, .max] as [UInt64] where count != base[offset + 8] {
                // One token less or more shifts all that follows.
                changes.append(patch("\(name) has \(count) elements", at: offset + 8, count, isFatal: true))
            }
            for kind in [0, 4, 5, 8, 9, 99] as [UInt32] where kind != base[offset + 4] {
                let isFatal = kind > 8 || name.hasSuffix("tokens")
                changes.append(patch("\(name) holds type \(kind)", at: offset + 4, kind, isFatal: isFatal))
            }
            guard base[offset + 4] == 8 else { continue }
            for length in [0, 1 << 16, 1 << 32, 1 << 63, .max] as [UInt64] {
                let name = "the first of \(name) has \(length) bytes"
                changes.append(patch(name, at: offset + 16, length, isFatal: true))
            }
        }
        return changes
    }

    /// A tensor is its name, 4 bytes of a rank, 8 for each dimension, 4 of a type and 8 of an offset.
    private var shapes: [Change] {
        let wanted = [
            "token_embd.weight", "blk.0.attn_q.weight", "blk.1.ffn_down.weight", "output_norm.weight",
            "token_embd_norm.bias", tensors.last?.name ?? "",
        ]
        return tensors.filter { wanted.contains($0.name) }.flatMap { tensor -> [Change] in
            guard let place = Self.last(tensor.name, in: base[..<data]) else { return [] }
            let start = place + tensor.name.utf8.count
            let rank = tensor.dimensions.count
            var changes: [Change] = []
            for value in [0, 3, 5, 1 << 31, .max] as [UInt32] {
                changes.append(patch("\(tensor.name) rank = \(value)", at: start, value, isFatal: true))
            }
            for index in 0..<rank {
                for value in [0, 1, 63, 1 << 32, 1 << 40, 1 << 63, .max] as [UInt64] {
                    let name = "\(tensor.name) dimension \(index) = \(value)"
                    // A vector of 63 takes as many padded bytes as one of 64.
                    let isFatal = value == 0 || value >= 1 << 32
                    changes.append(patch(name, at: start + 4 + 8 * index, value, isFatal: isFatal))
                }
            }
            for value in [2, 4, 8, 9, 12, 15, 24, 31, 39, 43, 99, 1 << 31] as [UInt32] {
                let name = "\(tensor.name) type = \(value)"
                changes.append(patch(name, at: start + 4 + 8 * rank, value, isFatal: true))
            }
            for value in [1, 32, 1 << 30, 1 << 63, .max - 31] as [UInt64] {
                let name = "\(tensor.name) offset = \(value)"
                changes.append(patch(name, at: start + 8 + 8 * rank, value, isFatal: value != tensor.offset))
            }
            return changes
        }
    }

    private var flips: [Change] {
        let (data, count) = (data, base.count)
        func flip(_ name: String, _ seed: UInt64, _ range: Range<Int>, _ times: [Int]) -> Change {
            change("\(name) \(seed)") { bytes in
                var generator = SeededGenerator(seed: seed)
                for _ in 0..<(times.randomElement(using: &generator) ?? 1) {
                    let index = Int.random(in: range, using: &generator)
                    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
                }
            }
        }
        return (100..<180).map { flip("flips in the header", $0, 0..<data, [1, 2, 8, 64]) }
            + (300..<310).map { flip("flips in the weights", $0, data..<count, [200]) }
    }

    private func after(_ key: String) -> Int? {
        // With its length in front: one key may begin another.
        let length = withUnsafeBytes(of: UInt64(key.utf8.count).littleEndian, Array.init)
        let pattern = length + Array(key.utf8)
        let header = base[..<descriptions]
        return header.firstRange(of: pattern)?.upperBound
    }

    private static func last(_ name: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let pattern = Array(name.utf8)
        return bytes.ranges(of: pattern).last?.lowerBound
    }
}
