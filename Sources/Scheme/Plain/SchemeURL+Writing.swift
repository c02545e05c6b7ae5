package import BreezeCore
import Foundation

extension SchemeURL {
    /// The short form of a question: readable by every app of the device.
    /// - Throws: ``BreezeError`` as ``init(parsing:)`` would: what the hub refuses is not sent.
    package static func question(
        _ capability: AICapability,
        prompt: String,
        callback: CallbackScheme
    ) throws(BreezeError) -> String {
        let escaped = prompt.addingPercentEncoding(withAllowedCharacters: unescaped) ?? ""
        return try checked("\(scheme)://api/\(capability)?prompt=\(escaped)&callback=\(callback.name)")
    }

    /// - Throws: ``BreezeError`` as ``init(parsing:)`` would: what the hub refuses is not sent.
    package func written() throws(BreezeError) -> String {
        let form =
            switch self {
            case .run(let question): try Self.form(of: question)
            case .sealed(let data): "sealed?envelope=\(StrictBase64.url(data))"
            case .hello(let hello): "pair?hello=\(StrictBase64.url(hello.bytes))"
            case .reveal(let reveal): "pair?reveal=\(StrictBase64.url(reveal))"
            case .status(let callback, let app):
                "status?callback=\(callback.name)" + (app.map { "&app=\($0.text)" } ?? "")
            case .settings: "settings"
            }
        return try Self.checked("\(Self.scheme)://\(form)")
    }

    private static func form(of question: PlainRequest) throws(BreezeError) -> String {
        let request = StrictBase64.url(try SchemeWriter.bytes(question.request))
        return "api/\(question.request.capability)?request=\(request)&callback=\(question.callback.name)"
    }

    private static func checked(_ url: String) throws(BreezeError) -> String {
        do throws(SchemeRefusal) { _ = try SchemeURL(parsing: url) } catch { throw error.error }
        return url
    }

    private static let unescaped = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    )
}
