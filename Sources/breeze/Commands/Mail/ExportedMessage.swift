import BreezeMailIndex

/// A message and its text in one object.
struct ExportedMessage: Encodable {
    let message: IndexedMessage
    let text: String

    private enum CodingKeys: String, CodingKey { case text }

    func encode(to encoder: any Encoder) throws {
        try message.encode(to: encoder)
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(text, forKey: .text)
    }
}
