import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeEngine

@Suite struct PressureTests {
    private func runner(_ id: String, _ size: Int64 = 30) -> ScriptedRunner {
        ScriptedRunner(id, memoryEstimate: size * mebibyte)
    }

    @Test func `a warning leaves the most recent idle model`() async throws {
        let bench = try await Bench(runners: runner("a"), runner("b"), runner("c"))
        for id in ["a", "b", "c", "b"] { _ = try await bench.run(id) }
        bench.pressure.become(.warning)
        await bench.reach(.unloaded("a"))
        await settle()
        #expect(await bench.loaded == ["b"])
        #expect(await bench.engine.residency().evictions.forPressure == 2)
    }

    @Test func `a critical level takes every idle one that is not pinned, and refuses large newcomers`()
        async throws
    {
        let gate = Gate()
        let busy = ScriptedRunner(
            "busy",
            memoryEstimate: 30 * mebibyte,
            onRun: { _, _ in
                await gate.pass()
                return ""
            }
        )
        let flags = ["residency.budget=200MiB"]
        let bench = try await Bench(flags, runners: runner("a"), runner("pinned"), runner("small", 20), busy)
        try await bench.engine.pin("pinned")
        for id in ["a", "pinned"] { _ = try await bench.run(id) }
        let running = Task { try await bench.run("busy") }
        while await bench.engine.residency().entries.last?.residency.running != 1 { await Task.yield() }
        bench.pressure.become(.critical)
        await bench.reach(.unloaded("a"))
        #expect(await bench.loaded == ["pinned", "busy"])
        #expect(busy.counts.unloads == 0)
        let error = await #expect(throws: BreezeError.self) { try await bench.engine.load("a") }
        #expect(error?.code == .insufficientMemory)
        #expect(error?.message.contains("the device is critically short of memory") == true)
        // A tenth of the budget is not large.
        try await bench.engine.load("small")
        // What ends while it lasts goes at once.
        gate.open()
        _ = try await running.value
        await bench.clock.sleeper(within: Residency.grace)
        bench.clock.advance(by: Residency.grace)
        await bench.reach(.unloaded("busy"))
        bench.pressure.become(.normal)
        await bench.reach(.pressure(.normal))
        try await bench.engine.load("a")
    }

    @Test func `pressure is listened to from the first load on, and once`() async throws {
        let bench = try await Bench(runners: runner("a"), runner("b"))
        _ = try await bench.engine.explain(InferenceRequest(.chat, prompt: "x"))
        #expect(await bench.engine.residency().pressureSource == nil)
        try await bench.engine.load("a")
        try await bench.engine.load("b")
        while bench.pressure.listeners == 0 { await Task.yield() }
        await settle()
        #expect(bench.pressure.listeners == 1)
        #expect(await bench.engine.residency().pressureSource == "a script")
    }

    @Test(
        arguments: [
            (1_000, 1_000, nil, .normal), (1_000, 100, nil, .normal), (1_000, 99, nil, .warning),
            (1_000, 50, nil, .warning), (1_000, 49, nil, .critical), (1_000, 0, nil, .critical),
            (1_000, 49, 100, .normal), (1_000, 4, 100, .critical), (nil, 4, nil, .normal),
            (9, nil, nil, .normal),
        ] as [(Int64?, Int64?, Int64?, MemoryPressure)]
    )
    func `a look at the free memory tells the level`(
        total: Int64?,
        available: Int64?,
        limit: Int64?,
        level: MemoryPressure
    ) {
        var memory = DeviceProfile.Memory(total: total, available: available)
        memory.limit = limit.map { .init(bytes: $0, source: "test") }
        #expect(MemoryWatch.level(of: memory) == level)
    }

    @Test func `the watch looks every interval and tells changes alone`() async {
        let clock = ManualClock()
        let hardware = ScriptedHardwareDetector(Bench.device(available: 1_000))
        let watch = MemoryWatch(reason: "a test", hardware: hardware, clock: clock)
        var levels = watch.levels().makeAsyncIterator()
        func look(available: Int64) async {
            await clock.sleeper(within: MemoryWatch.interval)
            var profile = Bench.device(available: 1_000)
            profile.memory.available = available * mebibyte
            hardware.profile = profile
            clock.advance(by: MemoryWatch.interval)
        }
        await look(available: 900)
        await look(available: 60)
        #expect(await levels.next() == .warning)
        await look(available: 70)
        await look(available: 10)
        #expect(await levels.next() == .critical)
        await look(available: 500)
        #expect(await levels.next() == .normal)
    }

    #if os(Linux)
    @Test func `without pressure information the free memory is watched, with the reason`() throws {
        let tree = try DeviceTree(DeviceTree.machine)
        let source = LinuxMemoryPressure.bestSource(root: tree.root.path, hardware: tree.detector)
        #expect(source is MemoryWatch)
        #expect(source.summary.hasSuffix("since the kernel has no pressure stall information"))
    }

    @Test func `a limit of version 1 is watched, since its pressure is told nowhere`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            [
                "proc/self/mountinfo": "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n",
                "proc/self/cgroup": "4:memory:/app\n",
                "sys/fs/cgroup/memory/app/memory.limit_in_bytes": "1073741824\n",
                "proc/pressure/memory": "some avg10=0.00 avg60=0.00 avg300=0.00 total=0\n",
            ]
        )
        let source = LinuxMemoryPressure.bestSource(root: tree.root.path, hardware: tree.detector)
        #expect(source.summary.contains("a control group of version 1"))
    }

    @Test func `the own control group's pressure comes before the machine's`() throws {
        let tree = try DeviceTree(
            DeviceTree.machine,
            DeviceTree.mounted(v2: "/app"),
            [
                "sys/fs/cgroup/app/memory.pressure": "some avg10=0.00",
                "proc/pressure/memory": "some avg10=0.00",
            ]
        )
        let source = LinuxMemoryPressure.bestSource(root: tree.root.path, hardware: tree.detector)
        #expect(source.summary == tree.root.path + "/sys/fs/cgroup/app/memory.pressure")
    }

    private static let kernelTakesTriggers: Bool = {
        let hardware = HardwareDetectors.forThisDevice()
        return LinuxMemoryPressure.bestSource(hardware: hardware) is LinuxMemoryPressure
    }()

    @Test(
        .enabled(if: kernelTakesTriggers, "this kernel takes no pressure trigger from this user"),
        .timeLimit(.minutes(1))
    )
    func `listening to the kernel ends with its reader`() async throws {
        let source = LinuxMemoryPressure(path: "/proc/pressure/memory")
        for _ in 0..<200 {
            let reader = Task { for await _ in source.levels() {} }
            await Task.yield()
            reader.cancel()
            await reader.value
        }
        // Two descriptors each; other tests' engines may listen, too, but not so many.
        while triggers() > 100 { await Task.yield() }
    }

    @Test func `a file that takes no trigger ends the stream`() async {
        for await _ in LinuxMemoryPressure(path: "/proc/version").levels() {
            Issue.record("nothing can be told")
        }
    }

    private func triggers() -> Int {
        let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return open.count { descriptor in
            let target = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/fd/\(descriptor)"
            )
            return target == "/proc/pressure/memory"
        }
    }
    #endif
}
