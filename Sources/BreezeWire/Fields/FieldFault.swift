package import BreezeCore

/// Which field of a body an error is about; what an error of ``WireFields`` has as its `underlying`.
package struct FieldFault: Error, Hashable {
    package let field: String
}

extension BreezeError {
    /// The path of the field that the error is about; `nil` where it is about none, or nobody knows.
    package var wireField: String? { (underlying as? FieldFault)?.field }

    /// A field that cannot be taken as it is. `takes` completes "It takes …"; `fault` "The field …".
    static func field(
        _ path: WirePath,
        _ fault: String,
        takes: String,
        code: Code = .invalidParameter
    ) -> BreezeError {
        let field = path.text
        return BreezeError(
            code,
            "\(field.isEmpty ? "The body" : field) \(fault).",
            remedy: "It takes \(takes).",
            underlying: field.isEmpty ? nil : FieldFault(field: field)
        )
    }

    /// A field that the dialect knows and that nothing here can honour; `fault` completes "The field …".
    static func unsupported(_ path: WirePath, _ fault: String, remedy: String) -> BreezeError {
        BreezeError(
            .unsupportedCapability,
            "\(path.text) \(fault).",
            remedy: remedy,
            underlying: FieldFault(field: path.text)
        )
    }
}
