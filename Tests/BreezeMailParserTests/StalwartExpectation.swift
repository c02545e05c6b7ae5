import BreezeMail
import Foundation

/// A fixture's expected outcome, as stalwart's mail-parser wrote it.
struct StalwartMessage: Decodable {
    struct Part: Decodable {
        var headers: [Header]
        var body: Body
    }

    struct Header: Decodable {
        var name: Name
        var value: Value
    }

    enum Name: Decodable, Equatable {
        case known(String)
        case other(String)

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self = .known(name)
            } else {
                self = .other(try decoder.singleValueContainer().decode([String: String].self)["other"] ?? "")
            }
        }
    }

    struct Value: Decodable {
        var text: String?
        var date: Moment?
        var type: ContentType?
        var addresses: [Address]?

        enum Key: String, CodingKey {
            case text = "Text"
            case date = "DateTime"
            case type = "ContentType"
            case address = "Address"
        }

        init(from decoder: any Decoder) throws {
            guard let values = try? decoder.container(keyedBy: Key.self) else { return }
            text = try values.decodeIfPresent(String.self, forKey: .text)
            date = try values.decodeIfPresent(Moment.self, forKey: .date)
            type = try values.decodeIfPresent(ContentType.self, forKey: .type)
            addresses = try values.decodeIfPresent(AddressValue.self, forKey: .address)?.all
        }
    }

    struct AddressValue: Decodable {
        var all: [Address]

        struct Group: Decodable {
            var addresses: [Address]
        }

        enum Key: String, CodingKey {
            case list = "List"
            case group = "Group"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            let groups = try values.decodeIfPresent([Group].self, forKey: .group) ?? []
            all = try values.decodeIfPresent([Address].self, forKey: .list) ?? groups.flatMap(\.addresses)
        }
    }

    struct Address: Decodable {
        var name: String?
        var address: String?
    }

    struct ContentType: Decodable {
        var c_type: String
        var c_subtype: String?
        var attributes: [Attribute]?
    }

    struct Attribute: Decodable {
        var name: String
        var value: String
    }

    struct Moment: Decodable {
        var year: Int
        var month: Int
        var day: Int
        var hour: Int
        var minute: Int
        var second: Int
        var tz_before_gmt: Bool
        var tz_hour: Int
        var tz_minute: Int

        var unixSeconds: Int64 {
            var parts = DateComponents()
            (parts.year, parts.month, parts.day) = (year, month, day)
            (parts.hour, parts.minute, parts.second) = (hour, minute, second)
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = .gmt
            let zone = (tz_hour * 60 + tz_minute) * 60 * (tz_before_gmt ? -1 : 1)
            return Int64(calendar.date(from: parts)?.timeIntervalSince1970 ?? 0) - Int64(zone)
        }
    }

    enum Body: Decodable {
        case text(String)
        case html(String)
        case binary([UInt8])
        case multipart([Int])
        case message(StalwartMessage)

        enum Key: String, CodingKey {
            case text = "Text"
            case html = "Html"
            case binary = "Binary"
            case inline = "InlineBinary"
            case multipart = "Multipart"
            case message = "Message"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: Key.self)
            if let text = try values.decodeIfPresent(String.self, forKey: .text) {
                self = .text(text)
            } else if let html = try values.decodeIfPresent(String.self, forKey: .html) {
                self = .html(html)
            } else if let parts = try values.decodeIfPresent([Int].self, forKey: .multipart) {
                self = .multipart(parts)
            } else if let message = try values.decodeIfPresent(StalwartMessage.self, forKey: .message) {
                self = .message(message)
            } else {
                self = .binary(
                    try values.decodeIfPresent([UInt8].self, forKey: .binary)
                        ?? values.decode([UInt8].self, forKey: .inline)
                )
            }
        }
    }

    var parts: [Part]

    /// Every part with those of attached messages, a container before what it holds.
    var flat: [Part] {
        parts.flatMap { part -> [Part] in
            if case .message(let message) = part.body { return [part] + message.flat }
            return [part]
        }
    }
}

extension StalwartMessage.Part {
    func first(_ name: String) -> StalwartMessage.Value? {
        headers.first { $0.name == .known(name) }?.value
    }

    var type: String {
        guard let type = first("content_type")?.type else {
            // Within a digest.
            if case .message = body { return "message/rfc822" }
            return "text/plain"
        }
        return "\(type.c_type)/\(type.c_subtype ?? "")".lowercased()
    }

    var fileName: String? {
        let disposition = first("content_disposition")?.type?.attributes?.first { $0.name == "filename" }
        return (disposition ?? first("content_type")?.type?.attributes?.first { $0.name == "name" })?.value
    }
}
