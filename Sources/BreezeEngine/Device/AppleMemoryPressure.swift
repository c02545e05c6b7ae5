#if canImport(Darwin)
import Dispatch

/// Listens to the system's own warnings.
struct AppleMemoryPressure: MemoryPressureSource {
    let summary = "the system's memory pressure events"

    func levels() -> AsyncStream<MemoryPressure> {
        let (levels, continuation) = AsyncStream.makeStream(
            of: MemoryPressure.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let source = DispatchSource.makeMemoryPressureSource(
            eventMask: [.normal, .warning, .critical],
            queue: DispatchQueue(label: "breeze.memory-pressure")
        )
        source.setEventHandler { [unowned source] in
            let event = source.data
            continuation.yield(
                event.contains(.critical) ? .critical : event.contains(.warning) ? .warning : .normal
            )
        }
        continuation.onTermination = { _ in source.cancel() }
        source.activate()
        return levels
    }
}
#endif
