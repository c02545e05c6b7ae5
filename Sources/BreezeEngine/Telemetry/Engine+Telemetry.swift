extension Engine {
    /// What happens in the engine from now on, until the stream is dropped. Any number may listen. The newest
    /// `capacity` events wait for a listener that is busy, older ones are dropped: the gap shows in
    /// ``EngineEvent/number``.
    public func events(buffering capacity: Int = 256) -> AsyncStream<EngineEvent> {
        telemetry.outlet.subscribe(buffering: capacity)
    }
}
