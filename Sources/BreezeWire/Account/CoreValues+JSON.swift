package import BreezeCore

// Contracts as their Codable forms have them, so that a Swift client reads them back with a decoder.

extension GuardianVerdict: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("action", action.rawValue)
            writer.field("findings", findings)
            writer.field("stage", ifPresent: stage?.rawValue)
            writer.field("guardian", ifPresent: guardian)
        }
    }
}

extension GuardianVerdict.Finding: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("category", category)
            writer.field("risk", risk)
            writer.field("span", ifPresent: span.map { [$0.lowerBound, $0.upperBound] })
            writer.field("rule", ifPresent: rule)
        }
    }
}

extension Timings: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("queue", queue)
            writer.field("load", load)
            writer.field("firstChunk", ifPresent: firstChunk)
            writer.field("run", run)
            writer.field("total", total)
            writer.field("prefill", ifPresent: prefill)
            writer.field("decode", ifPresent: decode)
            writer.field("tokensPerSecond", ifPresent: tokensPerSecond)
        }
    }
}

extension RoutingDecision: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("capability", capability.rawValue)
            writer.field("chosen", ifPresent: chosen)
            writer.field("candidates", candidates)
            writer.field("failures", failures)
            writer.field("guarding", ifPresent: guarding)
        }
    }
}

extension RoutingDecision.Candidate: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("runner", runner)
            writer.field("model", ifPresent: model)
            writer.field("locality", locality.rawValue)
            writer.field("score", score)
            writer.field("exclusion", ifPresent: exclusion?.rawValue)
            writer.field("reasons", reasons)
            writer.field("remedy", ifPresent: remedy)
        }
    }
}

extension RoutingDecision.Failure: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("runner", runner)
            writer.field("error", error)
        }
    }
}

extension Guarding: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("guardian", ifPresent: guardian)
            writer.field("input", input.rawValue)
            writer.field("output", output.rawValue)
            writer.field("tools", tools.rawValue)
            writer.field("reason", ifPresent: reason)
        }
    }
}

extension BreezeError: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("code", code.rawValue)
            writer.field("message", message)
            writer.field("remedy", ifPresent: remedy)
            writer.field("retryAfter", ifPresent: retryAfter?.seconds)
            writer.field("verdict", ifPresent: verdict)
            writer.field("service", ifPresent: service)
        }
    }
}

extension ParameterReport: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { $0.field("entries", entries) }
    }
}

extension ParameterReport.Entry: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", name)
            writer.field("value", ifPresent: value)
            writer.field("tier", ifPresent: tier?.rawValue)
            writer.field("events", events)
        }
    }
}

extension ParameterReport.Event: JSONWritable {
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("kind", kind.rawValue)
            writer.field("tier", tier.rawValue)
            writer.field("asked", asked)
            writer.field("reason", reason)
        }
    }
}
