public import BreezeCore

/// The runners that a worker program can build, by the kind that a ``WorkerDescriptor`` names.
public struct WorkerRegistry: Sendable {
    /// How far a load is, told to whoever started it.
    public typealias Progress = @Sendable (InferenceChunk.Progress) -> Void
    public typealias Build = @Sendable (WorkerDescriptor, @escaping Progress) throws -> any Runner

    private let builders: [String: Build]

    /// A closure makes a runner that is not loaded yet; a runner that knows how far its load is tells the second
    /// argument.
    public init(_ builders: [String: Build]) {
        self.builders = builders
    }

    func runner(for descriptor: WorkerDescriptor, progress: @escaping Progress) throws -> any Runner {
        guard let build = builders[descriptor.kind] else {
            let known = builders.keys.sorted().joined(separator: ", ")
            throw BreezeError(
                .unknownRunner,
                "This worker knows no runner of the kind \"\(descriptor.kind)\".",
                remedy: known.isEmpty ? nil : "It knows \(known)."
            )
        }
        return try build(descriptor, progress)
    }
}
