/// A guardian that reads a growing text piece by piece, at the cost of each piece and not of the whole text
/// again.
public protocol StreamingGuardian: Runner {
    /// A scanner of one text. `configuration` holds the values in force, as ``Runner/run(request:)`` gets
    /// them; one that the guardian does not take is thrown as a ``BreezeError``. Needs no ``Runner/load()``
    /// where that does nothing for this runner.
    func makeScanner(configuration: InferenceConfig) throws -> any GuardianScanner
}

/// Reads one text from its start to its end. However the text is cut into pieces, the findings are those of
/// the text read as one piece, apart from what ``maximumHoldBack`` cuts off.
///
/// Every position counts UTF-8 bytes from the start of the first piece.
public protocol GuardianScanner: Sendable {
    /// Reads the next piece. The verdict's action is the one on the whole text so far; its findings are
    /// those that no earlier call returned, with spans that may begin in an earlier piece.
    mutating func append(_ piece: String) -> GuardianVerdict

    /// The text ended: what was still open is judged. The verdict is the one on the whole text, with every
    /// finding.
    mutating func finish() -> GuardianVerdict

    /// Bytes at the end of the text so far that a later piece may yet make part of a finding. What stands
    /// before them is settled: it may go out, less what was found. It changes with each piece and is 0 after
    /// ``finish()``. Keep a few bytes more than this if you like, never fewer; the cut lies between two
    /// scalars.
    var holdBack: Int { get }

    /// Bytes that ``holdBack`` never exceeds, so that a text cannot make its reader wait for ever. A finding
    /// that grows longer than this is still reported, when its beginning may have gone out already.
    var maximumHoldBack: Int { get }
}
