extension MetricStore {
    /// What was counted, as families; each is there from the start, without samples where nothing was.
    var families: [EngineMetrics.Family] {
        let state = snapshot
        let counters: [(String, String, Series<Int>)] = [
            ("breeze_requests_total", "Requests that ended, by their outcome.", state.requests),
            ("breeze_request_failures_total", "Requests that failed, by the error's code.", state.failures),
            (
                "breeze_runner_failures_total", "Runners that failed before their first chunk.",
                state.runnerFailures
            ),
            ("breeze_input_tokens_total", "Tokens that went into answers.", state.inputTokens),
            ("breeze_output_tokens_total", "Tokens that came out.", state.outputTokens),
            ("breeze_evictions_total", "Runners that were unloaded to make room.", state.evictions),
            ("breeze_unloads_total", "Runners that gave their memory back.", state.unloads),
            ("breeze_guardian_verdicts_total", "What guardians said of texts.", state.verdicts),
        ]
        let histograms = Span.allCases.map { span in
            EngineMetrics.Family(
                name: span.name,
                help: span.help,
                kind: .histogram,
                samples: state.durations[span]?.samples ?? []
            )
        }
        return counters.map { name, help, series in
            EngineMetrics.Family(name: name, help: help, kind: .counter, samples: series.samples)
        } + histograms
    }
}

extension MetricStore.Span {
    fileprivate var name: String {
        switch self {
        case .queue: "breeze_queue_seconds"
        case .load: "breeze_load_seconds"
        case .firstChunk: "breeze_first_chunk_seconds"
        case .run: "breeze_run_seconds"
        }
    }

    fileprivate var help: String {
        switch self {
        case .queue: "How long requests that got a place at a runner had waited for it."
        case .load: "How long runners took to load, those that failed to included."
        case .firstChunk: "From a runner's start to the first chunk of its answer."
        case .run: "A runner's own work on an answer, queue and load not included."
        }
    }
}

extension Series {
    /// In the order of the labels, so that the same figures are the same text.
    fileprivate func samples(_ sample: (Value) -> EngineMetrics.Sample) -> [EngineMetrics.Sample] {
        values.sorted { $0.key.values.lexicographicallyPrecedes($1.key.values) }.map { labels, value in
            var sample = sample(value)
            sample.labels = Dictionary(
                zip(names, labels.values).map { ($0, $1) },
                uniquingKeysWith: { first, _ in first }
            )
            return sample
        }
    }
}

extension Series<Int> {
    fileprivate var samples: [EngineMetrics.Sample] {
        samples { EngineMetrics.Sample(labels: [:], value: Double($0), distribution: nil) }
    }
}

extension Series<Histogram> {
    fileprivate var samples: [EngineMetrics.Sample] {
        samples { histogram in
            let buckets = zip(Histogram.bounds, histogram.cumulative).map { bound, count in
                EngineMetrics.Distribution.Bucket(upTo: bound, count: count)
            }
            return EngineMetrics.Sample(
                labels: [:],
                value: nil,
                distribution: EngineMetrics.Distribution(
                    buckets: buckets,
                    count: histogram.count,
                    sum: histogram.sum
                )
            )
        }
    }
}
