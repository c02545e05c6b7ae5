import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Watching the runners` {
    private func runners(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        try outcome.jsonLines().compactMap { $0["runner"] as? [String: Any] }
    }

    @Test func `a script gets a line a change, and Ctrl-C ends it well`() throws {
        let program = try Program()
        let running = try program.start(["runners", "--watch"])
        #expect(try running.hasWritten("mock:guardian"))
        #expect(try program.run("pin", "mock:llm").code == 0)
        #expect(try running.hasWritten("\"isPinned\":true"))
        kill(running.process.processIdentifier, SIGINT)
        let outcome = try running.wait()
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        let lines = try runners(outcome)
        let ids = lines.map { $0["id"] as? String }
        let mocks = ["mock:llm", "mock:asr", "mock:tts", "mock:vlm", "mock:guardian"]
        #expect(Set(ids) == Set(mocks + ["guardian:rules"]))
        // One for each at first, then the one that changed.
        #expect(ids.count == 7)
        #expect(ids.last == "mock:llm")
        #expect(lines.last?["running"] as? Int == 0)
        #expect(lines.last?["state"] as? String == "ready")
    }

    @Test func `one runner can be watched alone`() throws {
        let program = try Program()
        let running = try program.start(["runners", "mock:llm", "--watch", "--json"])
        #expect(try running.hasWritten("mock:llm"))
        kill(running.process.processIdentifier, SIGINT)
        #expect(try runners(try running.wait()).count == 1)
        let failure = try program.run("runners", "mock:lm", "--watch").failure()
        #expect(failure["remedy"] == "Did you mean mock:llm?")
    }

    @Test func `SIGTERM ends it with its own code`() throws {
        let running = try Program().start(["runners", "--watch"])
        #expect(try running.hasWritten("mock:guardian"))
        kill(running.process.processIdentifier, SIGTERM)
        let outcome = try running.wait()
        #expect(outcome.code == 143)
        #expect(try outcome.failure()["code"] == "cancelled")
    }

    @Test func `a settings file that breaks ends it with the reason`() throws {
        let program = try Program()
        let running = try program.start(["runners", "--watch"])
        #expect(try running.hasWritten("mock:guardian"))
        let file = program.home.appending(path: "settings.json")
        try FileManager.default.createDirectory(at: program.home, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: file)
        let outcome = try running.wait()
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "invalid_setting")
    }

    @Test func `a terminal gets a table that is redrawn in its place`() throws {
        let program = try Program()
        let terminal = try Terminal()
        let process = Process()
        let executable: URL = try #require(Program.executable)
        process.executableURL = executable
        process.arguments = ["runners", "--watch"]
        process.environment = program.environment.merging(["NO_COLOR": "1"]) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = terminal.programSide
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(terminal.read(until: "mock:guardian"))
        #expect(try program.run("pin", "mock:llm").code == 0)
        #expect(terminal.read(until: "pinned"))
        kill(process.processIdentifier, SIGINT)
        #expect(terminal.read(until: "\u{1B}[?25h"))
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        // The cursor is hidden, and the second table begins where the first did: a header and six runners above.
        #expect(terminal.text.hasPrefix("\u{1B}[?25lRUNNER"))
        #expect(terminal.text.components(separatedBy: "\r\u{1B}[7ARUNNER").count == 2)
    }
}

/// A terminal without a screen: what is written to it can be read.
private final class Terminal {
    struct Missing: Error {}

    let programSide: FileHandle
    private let ourSide: Int32
    private(set) var text = ""

    init() throws {
        ourSide = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard ourSide >= 0, let name = Self.open(ourSide) else { throw Missing() }
        let descriptor = Foundation.open(name, O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { throw Missing() }
        programSide = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Unlocks the other side of a terminal.
    /// - Returns: Its path.
    private static func open(_ ourSide: Int32) -> String? {
        #if canImport(Darwin)
        guard grantpt(ourSide) == 0, unlockpt(ourSide) == 0 else { return nil }
        return ptsname(ourSide).map { String(cString: $0) }
        #else
        // ioctl_tty(2): TIOCSPTLCK and TIOCGPTN, which their header hides from Swift.
        var (lock, number): (Int32, UInt32) = (0, 0)
        guard ioctl(ourSide, 0x4004_5431, &lock) == 0, ioctl(ourSide, 0x8004_5430, &number) == 0 else {
            return nil
        }
        return "/dev/pts/\(number)"
        #endif
    }

    deinit { close(ourSide) }

    /// Reads on until the text has `end`; `false` where it ends without.
    func read(until end: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !text.contains(end) {
            let count = Foundation.read(ourSide, &buffer, buffer.count)
            guard count > 0 else { return false }
            text += String(decoding: buffer[..<count], as: UTF8.self)
        }
        return true
    }
}
