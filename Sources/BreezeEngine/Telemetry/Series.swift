/// One metric's values by its labels.
///
/// Runner ids and error codes come from runners, which an app may make without end: beyond ``limit`` sets of
/// labels the rest is counted together.
struct Series<Value: Sendable>: Sendable {
    static var limit: Int { 512 }

    let names: [String]
    private(set) var values: [Labels: Value] = [:]

    init(_ names: [String]) {
        self.names = names
    }

    mutating func change(
        _ labels: Labels,
        from first: @autoclosure () -> Value,
        _ change: (inout Value) -> Void
    ) {
        let isNew = values.count >= Self.limit && values[labels] == nil
        change(&values[isNew ? .rest : labels, default: first()])
    }
}

extension Series<Int> {
    mutating func add(_ count: Int, _ labels: Labels) {
        // A runner's own figures may be absurd, and must not end the program.
        change(labels, from: 0) { $0 = $0.addingReportingOverflow(count).overflow ? .max : $0 + count }
    }
}

/// The values of a series' labels, in the order of their names; unused ones are empty.
struct Labels: Hashable, Sendable {
    static let none = "none"
    static let other = "other"
    /// All that is beyond the limit.
    static let rest = Labels(other, other, other)

    let first: String
    let second: String
    let third: String

    init(_ first: String, _ second: String = "", _ third: String = "") {
        self.first = first
        self.second = second
        self.third = third
    }

    var values: [String] { [first, second, third] }
}
