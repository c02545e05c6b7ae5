import BreezeCore
import BreezeLiteRT
import Foundation
import Testing

@Suite(.needsRuntime) struct LiteRTWeightCacheTests {
    private static func run(_ file: URL, cache: URL?, rows: Int = 2) throws -> [Float]? {
        let model = try LiteRTModel(library: Runtime.library(), file: file, weightCache: cache)
        let x = [Float](repeating: 1, count: rows * 4)
        return try model.run(inputs: [LiteRTTensor("x", x, shape: [rows, 4])], outputs: ["y"])[0].floats
    }

    /// x · wᵀ + b of `TinyModel.linear` for a row of ones: 1 + 2 + 3 + 4 + 10, and -1 + 1 + 20.
    private static let answer: [Float] = [20, 20, 20, 20]

    @Test(arguments: [
        "plain", "with space ", "it's \"quoted\"", "end\"", "back\\slash", "b\u{e4}r \u{65e5}\u{672c}",
        "a#b = [c]",
    ])
    func `a cache is written under its name, whatever that is, and used again`(name: String) throws {
        try TinyModel.linear.withFile { file in
            let folder = file.deletingLastPathComponent()
            let cache = folder.appendingPathComponent(name)
            #expect(try Self.run(file, cache: cache) == Self.answer)
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(Set(files) == ["tiny.tflite", name])
            let written = try Data(contentsOf: cache)
            #expect(!written.isEmpty)
            #expect(try Self.run(file, cache: cache) == Self.answer)
            #expect(try Data(contentsOf: cache) == written)
        }
    }

    @Test func `a cache that does not fit the runtime, or is cut short, is written anew`() throws {
        try TinyModel.linear.withFile { file in
            let cache = file.deletingLastPathComponent().appendingPathComponent("cache")
            #expect(try Self.run(file, cache: cache) == Self.answer)
            let whole = try Data(contentsOf: cache)
            // The header: the format's version, then where the list of weights lies and how long it is.
            let headers = [0, 8, 16].map { position in
                var changed = whole
                changed[position] ^= 1
                return changed
            }
            let damaged = [Data(), whole.prefix(whole.count / 2), whole.dropLast(), whole + [0]] + headers
            for content in damaged + [Data("garbage".utf8), Data(repeating: 0xff, count: 100_000)] {
                try Data(content).write(to: cache)
                #expect(try Self.run(file, cache: cache) == Self.answer)
                #expect(try Data(contentsOf: cache) == whole)
            }
        }
    }

    @Test func `a cache that cannot be written changes nothing in the answer`() throws {
        try TinyModel.linear.withFile { file in
            let nowhere = file.deletingLastPathComponent().appendingPathComponent("nowhere/cache")
            let answer = try Self.run(file, cache: nowhere)
            #expect(answer == Self.answer)
        }
    }

    @Test func `a cache may get another name, or none, while it is in use`() throws {
        try TinyModel.linear.withFile { file in
            let folder = file.deletingLastPathComponent()
            let (early, late) = (folder.appendingPathComponent("new"), folder.appendingPathComponent("cache"))
            let model = try LiteRTModel(library: Runtime.library(), file: file, weightCache: early)
            try FileManager.default.moveItem(at: early, to: late)
            let written = try Data(contentsOf: late)
            for rows in [1, 3] {
                let x = LiteRTTensor("x", [Float](repeating: 1, count: rows * 4), shape: [rows, 4])
                let y = try model.run(inputs: [x], outputs: ["y"])
                #expect(y[0].floats == [Float](repeating: 20, count: rows * 2))
            }
            #expect(try Data(contentsOf: late) == written)
            #expect(try Self.run(file, cache: late) == Self.answer)
            try FileManager.default.removeItem(at: late)
            let x = LiteRTTensor("x", [1, 1, 1, 1] as [Float], shape: [1, 4])
            #expect(try model.run(inputs: [x], outputs: ["y"])[0].floats == [20, 20])
        }
    }

    @Test func `threads with a model each share a file and a cache, from its first writing on`() throws {
        try TinyModel.linear.withFile { file in
            let cache = file.deletingLastPathComponent().appendingPathComponent("cache")
            let faults = Faults()
            let group = DispatchGroup()
            for thread in 0..<4 {
                group.enter()
                Thread {
                    defer { group.leave() }
                    for round in 0..<20 {
                        let rows = 1 + (thread * 7 + round) % 5
                        let answer = try? Self.run(file, cache: cache, rows: rows)
                        if answer != [Float](repeating: 20, count: rows * 2) { faults.add() }
                    }
                }.start()
            }
            group.wait()
            #expect(faults.count == 0)
        }
    }

    @Test func `threads that run at the same time get the answers that one alone gets`() throws {
        try TinyModel.linear.withFile { file in
            let cache = file.deletingLastPathComponent().appendingPathComponent("cache")
            let faults = Faults()
            let group = DispatchGroup()
            for thread in 0..<2 {
                group.enter()
                Thread {
                    defer { group.leave() }
                    do {
                        let model = try LiteRTModel(
                            library: Runtime.library(),
                            file: file,
                            weightCache: cache
                        )
                        for round in 0..<2_000 {
                            let rows = 1 + (thread + round) % 9
                            let first = Float(round % 100)
                            let x: [Float] = (0..<rows).flatMap { _ in [first, 1, 1, 1] }
                            let y = try model.run(
                                inputs: [LiteRTTensor("x", x, shape: [rows, 4])],
                                outputs: ["y"]
                            )
                            let expected: [Float] = (0..<rows).flatMap { _ in [first + 19, 21 - first] }
                            if y[0].floats != expected { faults.add() }
                        }
                    } catch {
                        faults.add()
                    }
                }.start()
            }
            group.wait()
            #expect(faults.count == 0)
        }
    }
}

private final class Faults: @unchecked Sendable {
    private let lock = NSLock()
    private var number = 0

    func add() { lock.withLock { number += 1 } }
    var count: Int { lock.withLock { number } }
}
