#if Hub
import Foundation

/// How a key is written: `brz_ID_SECRET`, the id in 12 of `a…z2…7`, the secret 256 bits in base64url. Of one
/// length, so that a scanner for leaked keys finds them all: `brz_[a-z2-7]{12}_[A-Za-z0-9_-]{43}`.
struct KeyText: Sendable {
    enum Kind: String, Sendable {
        case app = "brz"
        case owner = "brzo"
        /// What a hub makes links to its panel with.
        case proof = "brzp"
    }

    let id: String
    let digest: KeyDigest

    static let idLength = 12
    private static let secretLength = 43
    private static let idLetters = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// A new one; its text is nowhere else.
    static func make(_ kind: Kind) -> (key: KeyText, text: String) {
        var generator = SystemRandomNumberGenerator()
        let id = randomID(&generator)
        let bytes = Data((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
        let text = "\(kind.rawValue)_\(id)_\(bytes.base64URL)"
        return (KeyText(id: id, digest: KeyDigest(of: text.utf8)), text)
    }

    /// `nil` where it is not of this form.
    init?(_ text: String, _ kind: Kind) {
        let head = "\(kind.rawValue)_".utf8
        let bytes = Array(text.utf8.prefix(head.count + Self.idLength + Self.secretLength + 2))
        guard bytes.count == text.utf8.count, bytes.starts(with: head) else { return nil }
        let rest = bytes.dropFirst(head.count)
        let (id, secret) = (rest.prefix(Self.idLength), rest.dropFirst(Self.idLength + 1))
        guard rest.count == Self.idLength + 1 + Self.secretLength,
            rest[rest.startIndex + Self.idLength] == UInt8(ascii: "_"),
            id.allSatisfy(Self.idLetters.contains), secret.allSatisfy(Self.isOfSecret)
        else { return nil }
        self.id = String(decoding: id, as: UTF8.self)
        digest = KeyDigest(of: bytes)
    }

    private init(id: String, digest: KeyDigest) {
        self.id = id
        self.digest = digest
    }

    /// Whether somebody meant it for a key of this kind, right or not.
    static func isMeant(_ text: String, _ kind: Kind) -> Bool { text.hasPrefix("\(kind.rawValue)_") }

    /// 60 bits: for names, not for secrets.
    static func randomID() -> String {
        var generator = SystemRandomNumberGenerator()
        return randomID(&generator)
    }

    private static func randomID(_ generator: inout SystemRandomNumberGenerator) -> String {
        let letters = (0..<idLength).map { _ in idLetters[Int.random(in: 0..<32, using: &generator)] }
        return String(decoding: letters, as: UTF8.self)
    }

    private static func isOfSecret(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
#endif
