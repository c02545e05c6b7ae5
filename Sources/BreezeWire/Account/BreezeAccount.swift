package import BreezeCore

/// How an answer came about: the `breeze` object that every answer, and the last element of every stream, carries.
///
/// | member | what |
/// |---|---|
/// | `request_id` | what `cancel` takes |
/// | `runner`, `runtime`, `model`, `mock` | who answered |
/// | `routing` | ``RoutingDecision`` |
/// | `parameters` | ``ParameterReport`` |
/// | `guardian` | a list of ``GuardianVerdict`` |
/// | `timings` | ``Timings``, seconds |
/// | `truncated_tokens` | of the input, where some did not fit |
/// | `notices` | sentences that the caller might not expect |
/// | `ignored` | paths of the body's fields that nothing here knows |
/// | `others` | the same of the further requests that an answer is made of: `n`, several prompts, several texts |
package struct BreezeAccount: Sendable, JSONWritable {
    private let results: [InferenceResult]
    private let remarks: WireRemarks

    /// Of one result or more, in the order of the requests.
    package init(_ results: [InferenceResult], _ remarks: WireRemarks) {
        self.results = results
        self.remarks = remarks
    }

    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            if let first = results.first { members(of: first, remarks.notices, to: &writer) }
            writer.field("ignored", remarks.ignored)
            guard results.count > 1 else { return }
            writer.array("others") { writer in
                for result in results.dropFirst() {
                    writer.object { members(of: result, [], to: &$0) }
                }
            }
        }
    }

    private func members(of result: InferenceResult, _ notices: [String], to writer: inout JSONWriter) {
        writer.field("request_id", result.requestID)
        writer.field("runner", result.runner)
        writer.field("model", ifPresent: result.model)
        writer.field("runtime", ifPresent: result.runtime)
        writer.field("mock", result.isMock)
        writer.field("routing", ifPresent: result.routing)
        writer.field("parameters", ifPresent: result.parameters)
        writer.field("guardian", result.guardianVerdicts)
        writer.field("timings", result.timings)
        writer.field("truncated_tokens", ifPresent: result.usage.truncatedTokens)
        writer.field("notices", notices + result.notices)
    }
}
