import BreezeCore
import BreezeScheme
import Foundation
import Testing

/// docs/url-scheme-vectors.json: what every implementation must come to. The reference wrote it.
enum VectorFile {
    static let url = URL(filePath: #filePath).appending(path: "../../../../docs/url-scheme-vectors.json")
        .standardizedFileURL

    /// The sections that the tests here run, each with how many cases it has: one that grows, or that nobody runs any
    /// more, is seen.
    static let counts = [
        "primitives": 3, "reserved": 2, "base64url": 16, "callbacks": 40, "parse": 137, "seal": 8,
        "paired": 2,
        "receive": 55, "parts": 12, "answers": 23, "pairings": 3, "pairing_cases": 17, "middle": 8,
    ]

    static func section<Section: Decodable>(_ name: String) throws -> Section {
        let sections = try JSONDecoder().decode([String: Kept<Section>].self, from: Data(contentsOf: url))
        return try #require(sections[name]).value.get()
    }

    /// The section, or why it is not of that kind: the others are not.
    private struct Kept<Value: Decodable>: Decodable {
        let value: Result<Value, any Error>

        init(from decoder: any Decoder) throws {
            value = Result { try Value(from: decoder) }
        }
    }
}

/// A text, or what is written short: `{head, repeat, count, tail}`.
struct SpelledText: Decodable {
    let text: String

    private enum CodingKeys: String, CodingKey { case head, `repeat`, count, tail }

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.text = text
            return
        }
        let values = try decoder.container(keyedBy: CodingKeys.self)
        text =
            try values.decode(String.self, forKey: .head)
            + String(
                repeating: try values.decode(String.self, forKey: .repeat),
                count: try values.decode(Int.self, forKey: .count)
            )
            + values.decode(String.self, forKey: .tail)
    }
}

/// What a case comes to: a value, or a code and who hears of it.
struct Outcome<Accepted: Decodable>: Decodable {
    let accepted: Accepted?
    let refused: String?
    let told: String?
}

/// A case with what it comes to beside it.
struct Case<Given: Decodable, Accepted: Decodable>: Decodable {
    let given: Given
    let outcome: Outcome<Accepted>

    init(from decoder: any Decoder) throws {
        given = try Given(from: decoder)
        outcome = try Outcome(from: decoder)
    }

    /// Holds what `work` comes to against the case; `isSame` says whether a value is the one that was wanted.
    func check<Found>(
        _ name: String,
        _ work: () throws -> Found,
        isSame: (Found, Accepted) throws -> Bool
    ) throws {
        do {
            let found = try work()
            guard let accepted = outcome.accepted else {
                Issue.record("\(name): taken, and not refused as \(outcome.refused ?? "?")")
                return
            }
            #expect(try isSame(found, accepted), "\(name): \(found) instead of \(accepted)")
        } catch {
            let (code, told) = Self.refusal(error)
            #expect(code == outcome.refused, "\(name): \(error)")
            #expect(told == outcome.told, "\(name): told")
        }
    }

    private static func refusal(_ error: any Error) -> (code: String?, told: String?) {
        switch error {
        case let refusal as SchemeRefusal: return (refusal.error.code.rawValue, refusal.callback?.name)
        case let error as BreezeError: return (error.code.rawValue, nil)
        default:
            #if Hub || Pairing
            if let refusal = error as? SealedRefusal {
                return (refusal.error.code.rawValue, refusal.reply?.app.callback.name)
            }
            #endif
            return (nil, nil)
        }
    }
}

struct HexFault: Error {}

func bytes(_ hexadecimal: String) throws -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return try stride(from: 0, to: digits.count, by: 2).map { place in
        let pair = String(decoding: digits[place..<min(place + 2, digits.count)], as: UTF8.self)
        guard let byte = UInt8(pair, radix: 16) else { throw HexFault() }
        return byte
    }
}
