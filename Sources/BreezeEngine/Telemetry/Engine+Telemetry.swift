import BreezeCore

extension Engine {
    /// What happens in the engine from now on, until the stream is dropped. Any number may listen. The newest
    /// `capacity` events wait for a listener that is busy, older ones are dropped: the gap shows in
    /// ``EngineEvent/number``.
    public func events(buffering capacity: Int = 256) -> AsyncStream<EngineEvent> {
        telemetry.outlet.subscribe(buffering: capacity)
    }

    /// The figures as they stand now.
    public func metrics() async -> EngineMetrics {
        let runners = await runners()
        func gauge(_ name: String, _ help: String, _ value: (RunnerStatus) -> Int) -> EngineMetrics.Family {
            EngineMetrics.Family(
                name: name,
                help: help,
                kind: .gauge,
                samples: runners.map { runner in
                    let value = Double(value(runner))
                    return EngineMetrics.Sample(
                        labels: ["runner": runner.id],
                        value: value,
                        distribution: nil
                    )
                }
            )
        }
        let states = [
            gauge("breeze_runner_loaded", "1 where the runner holds its model in memory, else 0.") {
                $0.isLoaded ? 1 : 0
            },
            gauge("breeze_requests_running", "Requests that have a place at the runner.") { $0.running },
            gauge("breeze_requests_stuck", "Runs that go on though their caller has gone.") { $0.stuck },
            gauge("breeze_requests_waiting", "Requests that wait for a place at the runner.") { $0.waiting },
        ]
        return EngineMetrics(families: telemetry.metrics.families + states + telemetry.ownFamilies)
    }
}

extension Telemetry {
    /// Of the event stream, and of the process. The latter have the names that Prometheus' own clients give them.
    fileprivate var ownFamilies: [EngineMetrics.Family] {
        func single(
            _ name: String,
            _ help: String,
            _ kind: EngineMetrics.Family.Kind,
            _ value: Double?
        ) -> EngineMetrics.Family {
            let samples = value.map { EngineMetrics.Sample(labels: [:], value: $0, distribution: nil) }
            return EngineMetrics.Family(
                name: name,
                help: help,
                kind: kind,
                samples: [samples].compactMap(\.self)
            )
        }
        let process = ProcessUsage.current
        return [
            single("breeze_event_listeners", "Who reads the events.", .gauge, Double(outlet.subscribers)),
            single(
                "breeze_events_dropped_total",
                "Events that a listener was too slow for.",
                .counter,
                Double(outlet.dropped)
            ),
            single("breeze_uptime_seconds", "Since the engine was made.", .gauge, clock.now().seconds),
            single(
                "process_cpu_seconds_total",
                "Processor time of the process, in user mode and in the kernel.",
                .counter,
                process.processorSeconds
            ),
            single(
                "process_resident_memory_bytes",
                "Memory of the process that is in RAM.",
                .gauge,
                process.residentBytes.map(Double.init)
            ),
        ]
    }
}
