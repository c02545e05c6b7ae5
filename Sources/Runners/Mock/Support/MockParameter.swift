import BreezeCore

/// The parameters that mocks share. The delays are 0 by default, so that a mock is as fast as it can be;
/// around 100 ms and 50 ms a chunk look like a small model at work.
enum MockParameter {
    static let responseDelay = ParameterDescriptor(
        "responseDelay",
        "Response delay",
        summary: "Milliseconds before the answer begins. 100 feels like a small model.",
        kind: .integer(min: 0, max: 600_000),
        default: 0
    )
    static let chunkDelay = ParameterDescriptor(
        "chunkDelay",
        "Chunk delay",
        summary: "Milliseconds between two pieces of the answer. 50 reads like a model at 20 words a second.",
        kind: .integer(min: 0, max: 60_000),
        default: 0
    )
    static let whole = "whole"
    static let delivery = ParameterDescriptor(
        "delivery",
        "Delivery",
        summary: "Send the answer in pieces, a word each, or whole, as one.",
        kind: .selection(["pieces", whole]),
        default: "pieces"
    )
    static let simulateErrors = ParameterDescriptor(
        "simulateErrors",
        "Simulate errors",
        summary: "Fail some requests before their first piece, to try an app's error handling.",
        kind: .boolean,
        default: false
    )
    static let errorRate = ParameterDescriptor(
        "errorRate",
        "Error rate",
        summary: "The share of requests that fail while errors are simulated: 1 is all of them.",
        kind: .number(min: 0, max: 1),
        default: 0.1
    )
    static let seed = ParameterDescriptor(
        "seed",
        "Seed",
        summary:
            "Decides which requests fail and which wording is chosen. Left out, each request counts one up.",
        kind: .integer()
    )
    static let maxTokens = ParameterDescriptor(
        "maxTokens",
        "Most tokens",
        summary: "The answer ends after so many words; a word counts as a token.",
        kind: .integer(min: 1)
    )
    static let stop = ParameterDescriptor(
        "stop",
        "Stop strings",
        summary: "The answer ends before the first of these.",
        kind: .strings(maxCount: 16)
    )

    /// What every mock takes.
    static let common = [responseDelay, simulateErrors, errorRate, seed]
    /// What every mock takes that answers piece by piece.
    static let streaming = common + [chunkDelay, delivery]
}
