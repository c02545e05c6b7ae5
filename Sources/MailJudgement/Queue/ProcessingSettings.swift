#if Hub
package import BreezeCore
package import BreezeMailSearch

/// How an ``AIProcessingQueue`` works.
package struct ProcessingSettings: Sendable {
    /// Its conditions and its pauses are those of judging, too.
    package var embedding = EmbeddingSettings()
    /// Called after each few messages that were judged.
    package var progress: (@Sendable (ProcessingProgress) -> Void)?

    package init() {}
}

/// How far judging has come.
package struct ProcessingProgress: Sendable {
    /// Messages with a verdict of these heads.
    package var done = 0
    package var total = 0
    /// Until all are judged, but for the time that embedding takes; `nil` while that cannot be said.
    package var secondsLeft: Double?
    /// Why words and headers judge alone: no encoder, or one that failed. Those messages are judged again when one is
    /// there.
    package var encoderFault: BreezeError?

    package init() {}
}
#endif
