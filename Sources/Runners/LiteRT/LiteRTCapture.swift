import CLiteRt

/// Runs `body` and keeps what LiteRT writes about it on this thread off the process's standard error: a
/// program that is piped, or that draws on a terminal, must not find a library's notes there. A fault takes
/// them along. For loading alone, which is seldom: meanwhile the process's `stderr` is another stream.
func capturingNotes<Result>(_ body: () throws(LiteRTFault) -> Result) throws(LiteRTFault) -> Result {
    litert_capture_begin()
    do throws(LiteRTFault) {
        let result = try body()
        _ = endCapture()
        return result
    } catch {
        var fault = error
        fault.notes += endCapture()
        throw fault
    }
}

private func endCapture() -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { text in
        guard let start = text.baseAddress else { return "" }
        litert_capture_end(start, text.count)
        return String(cString: start)
    }
}
