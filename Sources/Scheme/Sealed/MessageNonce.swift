#if Hub || Pairing
/// What makes an envelope the only one of its kind: 96 bits, random and not counted, since an app may be several
/// processes.
package struct MessageNonce: Hashable, Sendable {
    package let bytes: [UInt8]

    static let length = 12

    /// `nil` where they are not 12.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = Array(bytes)
    }

    /// From the system's source of keys.
    package static func random() -> MessageNonce {
        MessageNonce(drawn: (0..<length).map { _ in UInt8.random(in: .min ... .max) })
    }

    private init(drawn: [UInt8]) {
        bytes = drawn
    }

    /// What a failure of an envelope without a request's id answers.
    package var hexadecimal: String { SchemeText.hexadecimal(bytes) }
}
#endif
