#if Hub || Pairing
package import BreezeCore

/// What a paired app tells the hub. There is no callback in it: that was fixed at pairing.
package enum HubMessage: Sendable {
    /// How an answer may come that one URL does not take.
    package enum Reply: String, Codable, Sendable { case url, parts, file, socket }

    case run(InferenceRequest, reply: Reply)
    /// Has no answer of its own.
    case cancel(id: String)
    case status
    /// The next part of an answer; its whole has that digest.
    case more(digest: [UInt8], next: Int)

    /// - Throws: ``BreezeError`` `.invalidRequest`, `.invalidEncoding`.
    init(parsing plaintext: [UInt8]) throws(BreezeError) {
        let document = try SchemeJSON.object(plaintext)
        func fields(_ names: String...) throws(BreezeError) -> JSONFields {
            try JSONFields(document, at: "message", knowing: ["do"] + names)
        }
        switch document["do"]?.string {
        case "run":
            let fields = try fields("request", "reply")
            let request = try fields.required("request", fields.object("request"))
            self = .run(try RequestReader.request(request), reply: try fields.choice("reply") ?? .url)
        case "cancel":
            let fields = try fields("id")
            let id = try fields.required("id", fields.text("id"))
            guard SchemeText.isRequestID(id.utf8) else {
                throw SchemeFault.request("message.id is not an id")
            }
            self = .cancel(id: id)
        case "status":
            _ = try fields()
            self = .status
        case "more":
            let fields = try fields("digest", "next")
            let next = try fields.required("next", fields.whole("next"))
            guard (1..<MessageParts.limit).contains(next) else {
                throw SchemeFault.request("message.next is not 1 to \(MessageParts.limit - 1)")
            }
            let text = try fields.required("digest", fields.text("digest"))
            let digest = try StrictBase64.bytes(ofURL: text.utf8, limit: SchemeURL.valueLimit)
            guard digest.count == 32 else {
                throw SchemeFault.request("message.digest does not have 32 bytes")
            }
            self = .more(digest: digest, next: next)
        default:
            throw SchemeFault.request("message.do is none of run, cancel, status and more")
        }
    }

    func bytes() throws(BreezeError) -> [UInt8] {
        let written: Written =
            switch self {
            case .run(let request, let reply):
                Written(do: "run", request: request, reply: reply == .url ? nil : reply)
            case .cancel(let id): Written(do: "cancel", id: id)
            case .status: Written(do: "status")
            case .more(let digest, let next):
                Written(do: "more", digest: StrictBase64.url(digest), next: next)
            }
        return try SchemeWriter.bytes(written)
    }

    private struct Written: Encodable {
        var `do`: String
        var request: InferenceRequest?
        var reply: Reply?
        var id: String?
        var digest: String?
        var next: Int?
    }
}
#endif
