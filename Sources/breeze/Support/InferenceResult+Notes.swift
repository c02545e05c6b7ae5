import BreezeCore

extension InferenceResult {
    /// Says on standard error what else there is to know, and on a terminal who answered and what it took.
    func printNotes() {
        for notice in notices { Console.printError("note: \(notice)") }
        if finishReason == .length { Console.printError("note: the answer ends at the token limit.") }
        // Guided output and tool calls must satisfy their schema, so the mock cannot label them itself.
        if isMock { Console.printError("note: made up by \(runner); no model was asked.") }
        guard Console.isErrorTerminal else { return }
        let tokens = output.text == nil ? usage.inputTokens : usage.outputTokens
        let who = runtime.map { "\(runner) (\($0))" } ?? runner
        var facts = [who, Quantity.count(tokens, "token"), Quantity.seconds(timings.total)]
        if let pace = timings.tokensPerSecond { facts.append(Quantity.pace(pace)) }
        Console.printError(Style(isTerminal: true).dim(facts.joined(separator: ", ")))
    }
}
