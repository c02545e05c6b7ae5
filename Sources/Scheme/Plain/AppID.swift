/// What a pairing is called: 12 of `a–z 2–7`.
package struct AppID: Hashable, Sendable {
    package let text: String

    static let length = 12
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// `nil` for anything else.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length, bytes.allSatisfy(Self.letters.contains) else { return nil }
        text = String(decoding: Array(bytes), as: UTF8.self)
    }

    package init?(_ text: String) {
        self.init(text.utf8)
    }

    /// 60 random bits.
    package static func random() -> AppID {
        AppID(drawn: (0..<length).map { _ in letters[Int.random(in: 0..<letters.count)] })
    }

    private init(drawn: [UInt8]) {
        text = String(decoding: drawn, as: UTF8.self)
    }

    var bytes: [UInt8] { Array(text.utf8) }
}
