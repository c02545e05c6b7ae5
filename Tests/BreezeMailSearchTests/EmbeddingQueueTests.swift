#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
import BreezeMailTestSupport
import BreezeTestSupport
import BreezeVectors
import Foundation
import GRDB
import Synchronization
import Testing

@testable import BreezeMailSearch

@Suite(.enabled(if: SearchBench.isAvailable, "the trait Mail is off"))
struct `The embedding queue` {
    private struct Stop: Error {}

    /// `count` messages, of which every fourth has several passages.
    private func bench(_ count: Int = 12) async throws -> SearchBench {
        let bench = try SearchBench()
        for number in 1...count {
            let body = (0..<(number % 4 == 0 ? 40 : 1)).map { line in
                "Word\(number) is on line \(line) of a length of its own\(String(repeating: "x", count: number))."
            }.joined(separator: " ")
            try bench.write(number, "Subject \(number)", body)
        }
        try await bench.indexMail()
        return bench
    }

    private func passages(_ bench: SearchBench) async throws -> (all: Int, done: Int, vectors: Int) {
        try await bench.index.read { database in
            func count(_ column: String) throws -> Int {
                try Int.fetchOne(database, sql: "SELECT count(\(column)) FROM passage") ?? 0
            }
            return (try count("*"), try count("encoder"), try count("vector"))
        }
    }

    /// Every passage has its one vector in the folder, and there is none besides but the probe's.
    private func expectWhole(_ bench: SearchBench, _ place: SourceLocation = #_sourceLocation) async throws {
        let counts = try await passages(bench)
        #expect(counts.all == counts.done && counts.all == counts.vectors, sourceLocation: place)
        let (ids, state) = try await bench.index.read { database in
            (
                try Int64.fetchSet(database, sql: "SELECT vector FROM passage"),
                try VectorState(database)
            )
        }
        let fact = try #require(state.fact, sourceLocation: place)
        let index = try #require(
            try bench.vectors.index(fact, identity: state.identity),
            sourceLocation: place
        )
        var found: [Int64] = []
        _ = index.rows { id in
            found.append(id)
            return false
        }
        #expect(found.sorted() == ([0] + ids).sorted(), sourceLocation: place)
    }

    @Test func `gives every passage its vector, the first ones first and the longest of them first`()
        async throws
    {
        let bench = try await bench()
        let seen = Mutex<[EmbeddingProgress]>([])
        let queue = bench.queue { $0.progress = { progress in seen.withLock { $0.append(progress) } } }
        try await queue.run()
        try await expectWhole(bench)
        let texts = bench.encoder.texts
        let count = try await passages(bench).all
        #expect(count > 15 && texts.count == count)
        #expect(texts.prefix(12).allSatisfy { $0.hasPrefix("Ada Alder\nSubject") && $0.contains("\nWord") })
        #expect(Set(texts.prefix(12).map { $0.prefix(20) }).count == 12)
        let lengths = texts.prefix(12).map(\.utf8.count)
        #expect(lengths == lengths.sorted(by: >))
        let requests = bench.encoder.state.withLock { $0.requests }
        #expect(
            requests.allSatisfy { $0.privacy == .onDevice && $0.inputType == .passage && $0.client == "mail" }
        )
        #expect(
            requests.dropFirst().map(\.priority) == Array(repeating: .utility, count: 3)
                + Array(repeating: .background, count: requests.count - 4)
        )
        let progress = seen.withLock { $0 }
        #expect(progress.map(\.done) == progress.map(\.done).sorted())
        #expect(
            progress.last?.state == .idle && progress.last?.done == count && progress.last?.total == count
        )
        #expect(progress.contains { $0.firstDone == 12 && $0.done == 12 && $0.firstTotal == 12 })
        #expect(progress.contains { ($0.secondsLeft ?? 0) > 0 } && progress.last?.secondsLeft == 0)
    }

    @Test func `finds nothing to do the second time, and only what is new the third`() async throws {
        let bench = try await bench()
        try await bench.queue().run()
        let before = bench.encoder.texts.count
        try await bench.queue().run()
        #expect(bench.encoder.texts.count == before)
        try bench.write(20, "New", "Something new.")
        try await bench.indexMail()
        try await bench.queue().run()
        #expect(Array(bench.encoder.texts.dropFirst(before)) == ["Ada Alder\nNew\nSomething new."])
        try await expectWhole(bench)
    }

    @Test func `a run that dies between the two files is gone on with`() async throws {
        let bench = try await bench()
        let calls = Atomic(0)
        let dying = bench.queue { settings in
            settings.afterAppend = {
                if calls.wrappingAdd(1, ordering: .relaxed).newValue == 2 { throw Stop() }
            }
        }
        await #expect(throws: Stop.self) { try await dying.run() }
        #expect(try await passages(bench).done == 4)
        let before = bench.encoder.texts.count
        #expect(before == 8)
        try await bench.queue().run()
        // What had been written counts, and no text was embedded twice.
        #expect(Set(bench.encoder.texts).count == bench.encoder.texts.count)
        try await expectWhole(bench)
    }

    @Test(
        .enabled(
            if: TestProgram.named("breeze-test-mail-search") != nil,
            "breeze-test-mail-search was not built"
        )
    )
    func `a run that is killed again and again ends whole`() async throws {
        let bench = try await bench(80)
        let program = try #require(TestProgram.named("breeze-test-mail-search"))
        var random = SeededGenerator(seed: 4)
        var kills = 0
        while kills < 100 {
            let mark = Int.random(in: 1...5, using: &random) * 5
            let delay = Int.random(in: 0...8_000, using: &random)
            let child = ChildProcess(program, [bench.index.url.path, "\(mark)", "\(delay)"])
            let outcome = try await child.run()
            if outcome.code == -SIGKILL {
                kills += 1
                continue
            }
            #expect(outcome.output.hasPrefix("done "), "\(outcome.output) \(outcome.errors)")
            break
        }
        #expect(kills >= 3 && kills < 100)
        try await expectWhole(bench)
    }

    @Test func `vectors that were lost are made again`() async throws {
        let bench = try await bench(5)
        try await bench.queue().run()
        let before = bench.encoder.texts
        try FileManager.default.removeItem(at: bench.vectors.folder)
        try await bench.queue().run()
        #expect(Array(bench.encoder.texts.dropFirst(before.count)).sorted() == before.sorted())
        try await expectWhole(bench)
    }

    @Test func `a folder of vectors that cannot be read is made anew`() async throws {
        let bench = try await bench(3)
        try await bench.queue().run()
        try Data("nothing".utf8).write(to: bench.vectors.folder.appending(path: "vectors.json"))
        try await bench.queue().run()
        try await expectWhole(bench)
    }

    @Test(arguments: ["model", "salt", "dimension"])
    func `another encoder makes all vectors anew`(change: String) async throws {
        let bench = try await bench(5)
        try await bench.queue().run()
        let before = bench.encoder.texts.count
        bench.encoder.change { state in
            switch change {
            case "model": state.model = "another"
            case "salt": state.salt = 7
            default: state.dimension = 128
            }
        }
        try await bench.queue().run()
        #expect(bench.encoder.texts.count == 2 * before)
        try await expectWhole(bench)
        #expect(try await bench.find("word3", .meaning).numbers.first == 3)
        let models = try await bench.index.read {
            try String.fetchSet($0, sql: "SELECT encoder FROM passage")
        }
        #expect(models == [change == "model" ? "another" : "bag-of-words"])
    }

    @Test func `a message that is deleted while it is embedded leaves no vector`() async throws {
        let bench = try await bench(3)
        let hasGone = Atomic(false)
        bench.encoder.change { state in
            state.before = { [unowned bench] request in
                guard request.texts.contains(where: { $0.contains("Word2") }),
                    hasGone.exchange(true, ordering: .relaxed) == false
                else { return }
                try FileManager.default.removeItem(at: bench.folder.url.appending(path: "Mail/cur/2.a:2,S"))
                try await bench.indexMail()
            }
        }
        try await bench.queue().run()
        let isGone = hasGone.load(ordering: .relaxed)
        #expect(isGone)
        try await expectWhole(bench)
        #expect(try await passages(bench).all == 2)
    }

    @Test func `a pause holds it, and it goes on after`() async throws {
        let bench = try await bench()
        let (reached, isPaused) = (Gate(), Gate())
        let queue = bench.queue { settings in
            settings.progress = { progress in
                if progress.done == 4, progress.state == .working { reached.open() }
                if progress.state == .paused, progress.done > 0 { isPaused.open() }
            }
        }
        bench.encoder.change { state in
            state.before = { request in
                if request.priority == .utility, request.texts.count == 4 { await Task.yield() }
            }
        }
        let run = Task { try await queue.run() }
        await reached.pass()
        await queue.pause()
        await isPaused.pass()
        let done = await queue.progress.done
        for _ in 0..<100 { await Task.yield() }
        #expect(await queue.progress.done <= done + 4)
        await queue.resume()
        try await run.value
        try await expectWhole(bench)
    }

    @Test(arguments: [true, false]) func `cancelling ends it, and the rest is left for the next`(
        isPaused: Bool
    )
        async throws
    {
        let bench = try await bench()
        let reached = Gate()
        let queue = bench.queue { settings in
            settings.progress = { if $0.done == 8 || $0.state == .paused { reached.open() } }
        }
        if isPaused { await queue.pause() }
        let run = Task { try await queue.run() }
        await reached.pass()
        run.cancel()
        // It may have been done just then.
        let error = await run.result
        if case .failure(let error) = error { #expect((error as? BreezeError)?.code == .cancelled) }
        await queue.resume()
        try await bench.queue().run()
        #expect(Set(bench.encoder.texts).count == bench.encoder.texts.count)
        try await expectWhole(bench)
    }

    @Test(arguments: ["battery", "memory"])
    func `it waits while there is no power or memory to spare`(what: String) async throws {
        let bench = try await bench()
        let checks = Atomic(0)
        let waits = Mutex<[Duration]>([])
        let seen = Mutex<Set<String>>([])
        let isShort: @Sendable () -> Bool = {
            // From the second request on, three times.
            (3...5).contains(checks.wrappingAdd(1, ordering: .relaxed).newValue)
        }
        let never: @Sendable () -> Bool = { false }
        let conditions =
            what == "battery"
            ? EmbeddingConditions(isOnBattery: isShort, isShortOfMemory: never)
            : EmbeddingConditions(isOnBattery: never, isShortOfMemory: isShort)
        let queue = bench.queue { settings in
            settings.conditions = conditions
            settings.sleep = { duration in waits.withLock { $0.append(duration) } }
            settings.progress = { progress in
                guard case .waiting(let reason) = progress.state else { return }
                seen.withLock { reasons in _ = reasons.insert(reason) }
            }
        }
        try await queue.run()
        #expect(waits.withLock { $0 } == Array(repeating: .seconds(30), count: 3))
        #expect(seen.withLock { $0 }.count == 1 && seen.withLock { $0 }.first?.contains(what) == true)
        try await expectWhole(bench)
    }

    @Test
    func `a busy device is asked again, and a text that cannot be embedded does not hold up the others`()
        async throws
    {
        let bench = try await bench(6)
        let tries = Atomic(0)
        bench.encoder.change { state in
            state.before = { request in
                if request.texts.contains(where: { $0.contains("Word5") }) {
                    throw BreezeError(.contextSizeExceeded, "Too long.")
                }
                if request.texts.count == 2, tries.wrappingAdd(1, ordering: .relaxed).newValue == 1 {
                    throw BreezeError(.busy, "Full.", retryAfter: .seconds(3))
                }
            }
        }
        let waits = Mutex<[Duration]>([])
        let queue = bench.queue { $0.sleep = { duration in waits.withLock { $0.append(duration) } } }
        try await queue.run()
        #expect(waits.withLock { $0 } == [.seconds(3)])
        #expect(await queue.progress.failed == 1)
        let counts = try await passages(bench)
        #expect(counts.all == counts.done && counts.vectors == counts.all - 1)
        // It is not tried for ever.
        bench.encoder.change { $0.before = nil }
        let before = bench.encoder.texts.count
        try await bench.queue().run()
        #expect(bench.encoder.texts.count == before)
    }

    @Test func `two at once are refused`() async throws {
        let bench = try await bench(3)
        let (reached, goOn) = (Gate(), Gate())
        bench.encoder.change { state in
            state.before = { _ in
                reached.open()
                await goOn.pass()
            }
        }
        let run = Task { try await bench.queue().run() }
        await reached.pass()
        let error = await #expect(throws: BreezeError.self) { try await bench.queue().run() }
        #expect(error?.code == .busy)
        goOn.open()
        try await run.value
    }

    @Test func `an answer from another device is no answer`() async throws {
        let bench = try await bench(2)
        bench.encoder.change { $0.locality = .network }
        let error = await #expect(throws: BreezeError.self) { try await bench.queue().run() }
        #expect(error?.code == .unsupported)
        #expect(bench.encoder.texts.isEmpty)
    }

    @Test func `what the kernel says of power and memory is read`() throws {
        let folder = try ScratchFolder()
        try folder.write("power/AC/type", "Mains\n")
        try folder.write("power/AC/online", "0\n")
        try folder.write("power/BAT0/type", "Battery\n")
        try folder.write("power/BAT0/status", "Discharging\n")
        let power = PowerSupply(folder: folder.url.appending(path: "power").path)
        #expect(power.isOnBattery)
        try folder.write("power/AC/online", "1\n")
        #expect(!power.isOnBattery)
        #expect(!PowerSupply(folder: folder.url.appending(path: "none").path).isOnBattery)
        let low = try folder.write("low", "MemTotal:  1000 kB\nMemAvailable:  49 kB\n")
        let high = try folder.write("high", "MemTotal:  1000 kB\nMemAvailable:  50 kB\n")
        #expect(MemoryPressure(file: low.path).isShort && !MemoryPressure(file: high.path).isShort)
    }
}
#endif
