#if Hub || Pairing
package import BreezeCore

/// The parts of one message that have come so far.
package struct PartSet: Hashable, Sendable {
    package let digest: [UInt8]
    package let count: Int
    package let content: [UInt8]
    /// The number of the part that is awaited.
    package let next: Int
    /// When the last one came, in milliseconds since 1970.
    package let time: Int64

    /// For whoever keeps it between processes.
    package init(digest: [UInt8], count: Int, content: [UInt8], next: Int, time: Int64) {
        self.digest = digest
        self.count = count
        self.content = content
        self.next = next
        self.time = time
    }
}

/// Messages that are larger than one URL takes, cut and put together again.
package enum MessageParts {
    package static let size = 61_440
    package static let limit = 16
    /// Milliseconds that the next part may take.
    package static let patience: Int64 = 300_000
    private static let headLength = 34

    enum Joined {
        case more(PartSet)
        case whole([UInt8])
    }

    /// The plaintexts of the parts: the digest of the whole, number, count, and content.
    /// - Precondition: The message does not fit into one part.
    /// - Throws: ``BreezeError`` `.payloadTooLarge`.
    package static func cut(_ message: [UInt8]) throws(BreezeError) -> [[UInt8]] {
        precondition(message.count > size, "what fits into one URL goes in one")
        let count = (message.count + size - 1) / size
        guard count <= limit else {
            throw SchemeFault.tooLarge("The message has more than \(size * limit) bytes")
        }
        let digest = Digest.sha256(message)
        return (0..<count).map { number in
            let content = message[(number * size)..<min(message.count, (number + 1) * size)]
            return digest + [UInt8(number), UInt8(count)] + content
        }
    }

    /// - Throws: ``BreezeError`` `.invalidRequest`, which ends what `set` began.
    static func join(_ set: PartSet?, _ part: [UInt8], at now: Int64) throws(BreezeError) -> Joined {
        guard part.count > headLength else { throw SchemeFault.request("a part has no content") }
        let digest = Array(part.prefix(32))
        let number = Int(part[32])
        let count = Int(part[33])
        let content = part.dropFirst(headLength)
        let isLast = number + 1 == count
        guard (2...limit).contains(count), number < count,
            content.count == size || isLast && content.count < size
        else { throw SchemeFault.request("a part is not as it should be") }
        if number == 0 {
            return .more(PartSet(digest: digest, count: count, content: Array(content), next: 1, time: now))
        }
        guard let set, now - set.time < patience, set.digest == digest, set.count == count, set.next == number
        else { throw SchemeFault.request("it is not the part that comes next") }
        let whole = set.content + content
        guard isLast else {
            return .more(
                PartSet(digest: digest, count: count, content: whole, next: number + 1, time: now)
            )
        }
        guard Digest.sha256(whole) == digest else {
            throw SchemeFault.request("the parts are not what the first one announced")
        }
        return .whole(whole)
    }
}
#endif
