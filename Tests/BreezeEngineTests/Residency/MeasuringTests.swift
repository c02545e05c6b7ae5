import BreezeCore
import BreezeEngine
import BreezeTestSupport
import Foundation
import Synchronization
import Testing

/// Estimates that lie, or that nobody made.
@Suite struct MeasuringTests {
    private static let flags = ["residency.budget=100MiB"]

    /// Takes memory when it loads and more in its first run.
    private func runner(
        _ id: String,
        estimate: Int64?,
        load: Int64,
        run: Int64 = 0,
        of process: ScriptedProcessMemory
    ) -> ScriptedRunner {
        let isFirst = Mutex(true)
        return ScriptedRunner(
            id,
            concurrency: 2,
            memoryEstimate: estimate.map { $0 * mebibyte },
            onLoad: { process.grow(by: load * mebibyte) },
            onRun: { _, _ in
                let first = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                if first { process.grow(by: run * mebibyte) }
                return id
            }
        )
    }

    private final class Sizes: ResidencyStore {
        let saved: Mutex<[String: Int64]>

        init(_ sizes: [String: Int64] = [:]) { saved = Mutex(sizes) }

        func load() -> [String: Int64] { saved.withLock { $0 } }
        func save(_ sizes: [String: Int64]) { saved.withLock { $0 = sizes } }
    }

    @Test func `a runner that takes twice its estimate is remembered with what it took`() async throws {
        let process = ScriptedProcessMemory()
        let liar = runner("liar", estimate: 30, load: 50, run: 10, of: process)
        let store = Sizes()
        let bench = try await Bench(Self.flags, process: process, store: store, runners: liar)
        _ = try await bench.run("liar")
        let place = try #require(await bench.engine.residency().entries.first?.residency)
        // 50 at the load and 10 in the first run
        #expect(place.bytes == 60 * mebibyte)
        #expect(place.isMeasured)
        #expect(store.load() == ["liar": 60 * mebibyte])
        try await bench.engine.unload("liar")
        bench.set(["residency.budget=59MiB"])
        await #expect(throws: BreezeError.self) { try await bench.engine.load("liar") }
    }

    @Test func `what was remembered counts before the first load of another process`() async throws {
        let store = Sizes(["liar": 60 * mebibyte])
        let honest = ScriptedRunner("liar", memoryEstimate: 30 * mebibyte)
        let bench = try await Bench(["residency.budget=50MiB"], store: store, runners: honest)
        let error = await #expect(throws: BreezeError.self) { try await bench.engine.load("liar") }
        #expect(error?.message.hasPrefix("liar needs 60 MiB of memory and 50 MiB are free") == true)
        #expect(await bench.engine.runners().first?.residency.isMeasured == true)
    }

    @Test func `one of unknown size is loaded, measured, and makes others go that no longer fit`()
        async throws
    {
        let process = ScriptedProcessMemory()
        let known = ScriptedRunner("known", memoryEstimate: 60 * mebibyte)
        let unknown = runner("unknown", estimate: nil, load: 70, of: process)
        let bench = try await Bench(Self.flags, process: process, runners: known, unknown)
        try await bench.engine.load("known")
        _ = try await bench.run("unknown")
        await bench.reach(.unloaded("known"))
        let table = await bench.engine.residency()
        #expect(table.entries.map(\.runner) == ["unknown"])
        #expect(table.used == 70 * mebibyte)
    }

    @Test func `two loads at once say nothing of either`() async throws {
        let process = ScriptedProcessMemory()
        let gate = Gate()
        let slow = ScriptedRunner("slow", memoryEstimate: mebibyte, onLoad: { await gate.pass() })
        let other = runner("other", estimate: 1, load: 50, of: process)
        let store = Sizes()
        let bench = try await Bench(process: process, store: store, runners: slow, other)
        let loading = Task { try await bench.engine.load("slow") }
        await bench.reach(.loading("slow"))
        // 5 MiB grow while both are at it.
        process.grow(by: 5 * mebibyte)
        let both = Task { try await bench.run("other") }
        _ = await both.result
        gate.open()
        try await loading.value
        #expect(store.load() == [:])
    }

    @Test func `an honest estimate stands where less was measured`() async throws {
        let process = ScriptedProcessMemory()
        let honest = runner("honest", estimate: 80, load: 20, of: process)
        let bench = try await Bench(process: process, runners: honest)
        _ = try await bench.run("honest")
        let place = try #require(await bench.engine.residency().entries.first?.residency)
        #expect(place.bytes == 80 * mebibyte)
        #expect(!place.isMeasured)
    }

    @Test(
        arguments: [
            (#"{"a": 5, "b": -3}"#, ["a": 5]), ("", [:]), ("[1]", [:]), (#"{"a": "x"}"#, [:]),
        ] as [(String, [String: Int64])]
    )
    func `the file of sizes is read as far as it makes sense`(text: String, expected: [String: Int64]) throws
    {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "inner/residency.json")
        #expect(ResidencyFile(file: file).load() == [:])
        ResidencyFile(file: file).save(["x": 7])
        #expect(ResidencyFile(file: file).load() == ["x": 7])
        try Data(text.utf8).write(to: file)
        #expect(ResidencyFile(file: file).load() == expected)
    }

    @Test func `the process's own size is in the system's account`() throws {
        let before = try #require(SystemProcessMemory().resident())
        var block = [UInt8](repeating: 1, count: 64 << 20)
        for index in stride(from: 0, to: block.count, by: 4_096) { block[index] = 2 }
        let after = try #require(SystemProcessMemory().resident())
        #expect(after - before > 32 << 20)
        #expect(block[4_096] == 2)
    }
}
