/// Where the time of a request went, in seconds of wall time.
public struct Timings: Codable, Hashable, Sendable {
    /// Waiting for a runner that was answering somebody else.
    public var queue: Double
    /// Loading the model; 0 where it was loaded already.
    public var load: Double
    /// From the runner's start to its first chunk; `nil` where it sent none.
    public var firstChunk: Double?
    /// The runner's own work.
    public var run: Double
    /// From the request's arrival to the result, routing and everything else included.
    public var total: Double
    /// Reading the input, up to the first generated token: a part of ``run``. `nil` where nothing was generated,
    /// and where the answer came in one piece, which does not tell where reading ended.
    public var prefill: Double?
    /// Generating what followed the first token: the rest of ``run``. `nil` where ``prefill`` is.
    public var decode: Double?
    /// The pace of generation: output tokens after the first / ``decode``. Neither the queue nor the load nor the
    /// prefill is in it. `nil` where ``decode`` is, and below two tokens.
    public var tokensPerSecond: Double?

    public init(
        queue: Double = 0,
        load: Double = 0,
        firstChunk: Double? = nil,
        run: Double = 0,
        total: Double = 0,
        prefill: Double? = nil,
        decode: Double? = nil,
        tokensPerSecond: Double? = nil
    ) {
        self.queue = queue
        self.load = load
        self.firstChunk = firstChunk
        self.run = run
        self.total = total
        self.prefill = prefill
        self.decode = decode
        self.tokensPerSecond = tokensPerSecond
    }
}

extension Timings {
    /// Fills in ``prefill``, ``decode`` and ``tokensPerSecond`` from ``run`` and ``firstChunk``. What the runner
    /// measured itself stays: it knows its steps, where a slow reader's time is in ours.
    ///
    /// `isPiecewise` says that more than one chunk came: only then does the first one mark where the prefill
    /// ended.
    package mutating func noteGeneration(of usage: Usage, isPiecewise: Bool) {
        guard usage.outputTokens > 0 else {
            (prefill, decode, tokensPerSecond) = (nil, nil, nil)
            return
        }
        if let firstChunk, isPiecewise {
            prefill = prefill ?? firstChunk
            decode = decode ?? (run - firstChunk)
        }
        tokensPerSecond = decode.flatMap { decode in
            usage.outputTokens > 1 && decode > 0 ? Double(usage.outputTokens - 1) / decode : nil
        }
    }
}
