import BreezeCore
import Foundation

/// How passages are embedded.
public struct EmbeddingSettings: Sendable {
    /// Which of the service's models; `nil` is the one that it chooses.
    public var model: String?
    /// Passages a request: enough for every core, few enough to be paused soon.
    public var batch = 64
    /// Asked before each request.
    public var conditions: EmbeddingConditions = .system
    /// How long the queue waits before it asks again, or before it repeats a request that a busy device refused.
    public var wait = Duration.seconds(30)
    /// How long a request of ``batch`` passages may take; `nil` is as long as the service lets it.
    public var limit: Duration?
    /// Called after each request, and when the state changes.
    public var progress: (@Sendable (EmbeddingProgress) -> Void)?
    /// For tests: instead of the clock.
    package var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// For tests: between the vectors' file and the index's.
    package var afterAppend: (@Sendable () throws -> Void)?

    public init() {}
}

/// How far the queue has come.
public struct EmbeddingProgress: Codable, Hashable, Sendable {
    public var state: State = .idle
    /// Passages, of messages that are in the index.
    public var total = 0
    public var done = 0
    /// Of ``total``, the ones that messages begin with: they come first.
    public var firstTotal = 0
    public var firstDone = 0
    /// Passages that the encoder takes not at all; words find them.
    public var failed = 0
    /// Until all are done; `nil` while that cannot be said.
    public var secondsLeft: Double?

    public enum State: Codable, Hashable, Sendable {
        case idle
        case working
        case paused
        /// For a sentence's reason.
        case waiting(String)
    }

    public init() {}
}

/// Whether the device has power and memory to spare. A value of closures, so that an app says what it knows better.
public struct EmbeddingConditions: Sendable {
    public var isOnBattery: @Sendable () -> Bool
    public var isShortOfMemory: @Sendable () -> Bool

    public init(
        isOnBattery: @escaping @Sendable () -> Bool,
        isShortOfMemory: @escaping @Sendable () -> Bool
    ) {
        self.isOnBattery = isOnBattery
        self.isShortOfMemory = isShortOfMemory
    }

    /// Never waits.
    public static let always = EmbeddingConditions(isOnBattery: { false }, isShortOfMemory: { false })

    /// What the Linux kernel says; elsewhere an app knows better, and this never waits.
    public static let system = EmbeddingConditions(
        isOnBattery: { PowerSupply().isOnBattery },
        isShortOfMemory: { MemoryPressure().isShort }
    )

    /// Why not now; `nil` where there is no reason.
    var reason: String? {
        if isShortOfMemory() { return "The device is short of memory." }
        if isOnBattery() { return "The device runs on its battery." }
        return nil
    }
}

/// A battery that is discharged, and no mains.
struct PowerSupply {
    var folder = "/sys/class/power_supply"

    var isOnBattery: Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        func read(_ name: String, _ file: String) -> String? {
            guard let text = try? String(contentsOfFile: "\(folder)/\(name)/\(file)", encoding: .utf8) else {
                return nil
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        if names.contains(where: { read($0, "type") == "Mains" && read($0, "online") == "1" }) {
            return false
        }
        // A mouse has a battery too.
        return names.contains {
            read($0, "type") == "Battery" && read($0, "scope") != "Device"
                && read($0, "status") == "Discharging"
        }
    }
}

/// Less than a twentieth of the memory can be had.
struct MemoryPressure {
    var file = "/proc/meminfo"

    var isShort: Bool {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return false }
        func kilobytes(_ name: String) -> Int? {
            text.split(separator: "\n").first { $0.hasPrefix(name + ":") }?
                .split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        }
        guard let all = kilobytes("MemTotal"), let free = kilobytes("MemAvailable") else { return false }
        return free * 20 < all
    }
}
