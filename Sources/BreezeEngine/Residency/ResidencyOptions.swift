public import Foundation

/// What residency asks the system. The defaults are right for a program; a test brings its own.
public struct ResidencyOptions: Sendable {
    /// `nil` for the system's own, which is opened by the first load of a model.
    public var pressure: (any MemoryPressureSource)?
    public var processMemory: any ProcessMemory
    /// Where measured sizes outlive the process; `nil` keeps them in memory.
    public var store: (any ResidencyStore)?

    public init(
        pressure: (any MemoryPressureSource)? = nil,
        processMemory: any ProcessMemory = SystemProcessMemory(),
        store: (any ResidencyStore)? = nil
    ) {
        self.pressure = pressure
        self.processMemory = processMemory
        self.store = store
    }
}

/// Remembers the bytes that each runner was seen to take, by its id. A loss costs a measurement and nothing
/// else, so neither side throws.
public protocol ResidencyStore: Sendable {
    func load() -> [String: Int64]
    func save(_ sizes: [String: Int64])
}

/// One small JSON file, replaced as a whole.
public struct ResidencyFile: ResidencyStore {
    public let file: URL

    public init(file: URL) {
        self.file = file
    }

    public func load() -> [String: Int64] {
        guard let data = try? Data(contentsOf: file),
            let sizes = try? JSONDecoder().decode([String: Int64].self, from: data)
        else { return [:] }
        return sizes.filter { $0.value > 0 }
    }

    public func save(_ sizes: [String: Int64]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(sizes) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try? data.write(to: file, options: .atomic)
    }
}
