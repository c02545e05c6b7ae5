/// What the caller of a route should know of its body beyond the answer: gathered while it is read.
package struct WireRemarks: Hashable, Sendable {
    /// Paths of the fields that nothing here knows, sorted. They changed nothing.
    package var ignored: [String] = []
    /// Sentences: how a field was taken that could be taken in more ways than one.
    package var notices: [String] = []

    package init() {}
}

/// The same, shared by the readers of one body's objects.
final class RemarkCollector {
    /// A body of ten thousand unknown fields gets no answer of ten thousand names.
    private static let maximumCount = 64
    private static let maximumBytes = 120

    private var ignored: [String] = []
    private var notices: [String] = []

    func ignore(_ path: WirePath) {
        guard ignored.count < Self.maximumCount else { return }
        ignored.append(String(path.text.prefix(Self.maximumBytes)))
    }

    func notice(_ sentence: String) {
        notices.append(sentence)
    }

    var remarks: WireRemarks {
        var remarks = WireRemarks()
        remarks.ignored = ignored.sorted()
        remarks.notices = notices
        return remarks
    }
}
