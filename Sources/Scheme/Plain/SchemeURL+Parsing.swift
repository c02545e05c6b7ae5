import BreezeCore

extension SchemeURL {
    /// - Throws: ``SchemeRefusal`` for everything that docs/url-scheme.md does not describe. It names a callback only
    ///   where that was found sound before the fault.
    package init(parsing url: String) throws(SchemeRefusal) {
        let place: Place
        do throws(BreezeError) { place = try Place(url) } catch { throw SchemeRefusal(error) }
        switch place.host {
        case "status": self = try Self.status(place.query)
        case "api": self = .run(try Self.plain(place))
        case "pair" where place.query["reveal"] == nil: self = .hello(try Self.hello(place.query))
        default:
            do throws(BreezeError) { self = try Self.silent(place) } catch { throw SchemeRefusal(error) }
        }
    }

    /// The URL's parts, as far as all forms have them alike.
    private struct Place {
        let host: String
        let path: ArraySlice<UInt8>
        let query: SchemeQuery

        init(_ url: String) throws(BreezeError) {
            guard url.utf8.count <= SchemeURL.lengthLimit else {
                throw SchemeFault.tooLarge("The URL has more than \(SchemeURL.lengthLimit) bytes")
            }
            let bytes = Array(url.utf8)
            guard bytes.allSatisfy(SchemeText.isURLByte) else {
                throw SchemeFault.url("a character that stands in none, or a fragment")
            }
            let head = Array("\(SchemeURL.scheme)://".utf8)
            // Only letters differ from themselves in the other case.
            guard bytes.count >= head.count,
                zip(bytes, head).allSatisfy({ SchemeText.isUpper($0) ? $0 + 32 == $1 : $0 == $1 })
            else { throw SchemeFault.url("another scheme") }
            let rest = bytes[head.count...]
            let question = rest.firstIndex(of: UInt8(ascii: "?"))
            let place = rest[..<(question ?? rest.endIndex)]
            let slash = place.firstIndex(of: UInt8(ascii: "/"))
            host = String(decoding: place[..<(slash ?? place.endIndex)], as: UTF8.self)
            path = slash.map { place[$0...].dropFirst() } ?? []
            query =
                try question.map { index throws(BreezeError) in try SchemeQuery(rest[index...].dropFirst()) }
                ?? .empty
            guard host != "api" || slash != nil else { throw SchemeFault.url("there is no such place") }
            guard host == "api" || path.isEmpty else {
                throw SchemeFault.url("a path that its form does not have")
            }
        }
    }

    /// The forms whose refusals nobody hears.
    private static func silent(_ place: Place) throws(BreezeError) -> SchemeURL {
        let query = place.query
        switch place.host {
        case "settings":
            try query.only()
            return .settings
        case "sealed":
            try query.only("envelope")
            return .sealed(try StrictBase64.bytes(ofURL: query.value("envelope"), limit: valueLimit))
        case "pair":
            try query.only("reveal")
            let reveal = try StrictBase64.bytes(ofURL: query.value("reveal"), limit: valueLimit)
            guard reveal.count == revealLength else {
                throw SchemeFault.request("a reveal has \(revealLength) bytes")
            }
            return .reveal(reveal)
        default:
            throw SchemeFault.url("there is no such place")
        }
    }

    private static func plain(_ place: Place) throws(SchemeRefusal) -> PlainRequest {
        let callback: CallbackScheme
        do throws(BreezeError) {
            guard SchemeText.isCapability(place.path) else {
                throw SchemeFault.url("the path is not a capability's name")
            }
            callback = try CallbackScheme(place.query.text("callback"))
        } catch { throw SchemeRefusal(error) }
        let capability = AICapability(rawValue: String(decoding: place.path, as: UTF8.self))
        do throws(BreezeError) {
            return PlainRequest(try request(place.query, capability), callback: callback)
        } catch { throw SchemeRefusal(error, tell: callback) }
    }

    private static func request(
        _ query: SchemeQuery,
        _ capability: AICapability
    ) throws(BreezeError) -> InferenceRequest {
        guard query["prompt"] != nil else {
            try query.only("request", "callback")
            let bytes = try StrictBase64.bytes(ofURL: query.value("request"), limit: valueLimit)
            return try RequestReader.plainRequest(SchemeJSON.object(bytes), path: capability)
        }
        try query.only("prompt", "callback")
        let prompt = try query.text("prompt")
        guard prompt.utf8.count <= valueLimit else {
            throw SchemeFault.tooLarge("The prompt has more than \(valueLimit) bytes")
        }
        return InferenceRequest(capability, prompt: prompt, privacy: .onDevice)
    }

    private static func hello(_ query: SchemeQuery) throws(SchemeRefusal) -> PairingHello {
        let bytes: [UInt8]
        do throws(BreezeError) {
            try query.only("hello")
            bytes = try StrictBase64.bytes(ofURL: query.value("hello"), limit: helloLimit)
        } catch { throw SchemeRefusal(error) }
        return try PairingHello(parsing: bytes)
    }

    private static func status(_ query: SchemeQuery) throws(SchemeRefusal) -> SchemeURL {
        let callback: CallbackScheme
        do throws(BreezeError) {
            try query.only("callback", "app")
            callback = try CallbackScheme(query.text("callback"))
        } catch { throw SchemeRefusal(error) }
        guard let text = query["app"] else { return .status(callback: callback, app: nil) }
        guard let app = AppID(text) else {
            throw SchemeRefusal(SchemeFault.url("app is not an app's id"), tell: callback)
        }
        return .status(callback: callback, app: app)
    }
}
