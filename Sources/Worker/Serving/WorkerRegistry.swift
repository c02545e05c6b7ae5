public import BreezeCore

/// The runners that a worker program can build, by the kind that a ``WorkerDescriptor`` names.
public struct WorkerRegistry: Sendable {
    public typealias Build = @Sendable (WorkerDescriptor) throws -> any Runner

    private let builders: [String: Build]

    /// A closure makes a runner that is not loaded yet.
    public init(_ builders: [String: Build]) {
        self.builders = builders
    }

    func runner(for descriptor: WorkerDescriptor) throws -> any Runner {
        guard let build = builders[descriptor.kind] else {
            let known = builders.keys.sorted().joined(separator: ", ")
            throw BreezeError(
                .unknownRunner,
                "This worker knows no runner of the kind \"\(descriptor.kind)\".",
                remedy: known.isEmpty ? nil : "It knows \(known)."
            )
        }
        return try build(descriptor)
    }
}
