import BreezeCore

/// How far an app asks to go with a capability.
package enum SchemeReach: String, Codable, Sendable {
    case onDevice, networkAllowed
}

/// What an app begins a pairing with.
package struct PairingHello: Sendable {
    /// As they were sent: they enter the code.
    package let bytes: [UInt8]
    package let name: String
    package let callback: CallbackScheme
    /// SHA-256 over the app's key and nonce, which it shows later.
    package let commitment: [UInt8]
    /// By capability, as it was spelled; `vision` may stand beside `vlm`.
    package let asked: [String: SchemeReach]

    /// The commitment as answers name it.
    package var requestID: String { StrictBase64.url(commitment) }

    /// - Throws: ``SchemeRefusal``.
    package init(parsing bytes: [UInt8]) throws(SchemeRefusal) {
        let document: StrictJSON
        let callback: CallbackScheme
        do throws(BreezeError) {
            document = try SchemeJSON.object(bytes)
            guard let text = document["callback"]?.string else {
                throw SchemeFault.callback("a hello does not name it")
            }
            callback = try CallbackScheme(text)
            guard callback.name.utf8.elementsEqual(text.utf8) else {
                throw SchemeFault.callback("it is not written as it is kept, in lower case and without ://")
            }
        } catch { throw SchemeRefusal(error) }
        do throws(BreezeError) {
            try self.init(bytes, document, callback)
        } catch { throw SchemeRefusal(error, tell: callback) }
    }

    private init(_ bytes: [UInt8], _ document: StrictJSON, _ callback: CallbackScheme) throws(BreezeError) {
        guard document["v"]?.integer == 1 else { throw SchemeFault.version }
        let fields = try JSONFields(
            document,
            at: "hello",
            knowing: ["v", "name", "callback", "commit", "asked"]
        )
        self.bytes = bytes
        self.callback = callback
        name = try fields.required("name", fields.text("name"))
        try PairingName.check(name)
        let commit = try fields.required("commit", fields.text("commit"))
        commitment = try StrictBase64.bytes(ofURL: commit.utf8, limit: SchemeURL.helloLimit)
        guard commitment.count == 32 else { throw SchemeFault.request("a commitment has 32 bytes") }
        asked = try Self.asked(fields.required("asked", fields.object("asked")))
    }

    private static func asked(_ document: StrictJSON) throws(BreezeError) -> [String: SchemeReach] {
        let members = document.members ?? []
        guard (1...32).contains(members.count) else {
            throw SchemeFault.request("1 to 32 capabilities are asked for")
        }
        var asked: [String: SchemeReach] = [:]
        for member in members {
            guard SchemeText.isCapability(member.key),
                let reach = member.value.string.flatMap(SchemeReach.init(rawValue:))
            else { throw SchemeFault.request("a capability is not asked for as it should be") }
            asked[String(decoding: member.key, as: UTF8.self)] = reach
        }
        return asked
    }
}
