import BreezeCore
import BreezeTransport
import Foundation

extension APIService {
    /// Fields that carry who asks: a key stands in no configuration.
    private static let secretFields: Set = [
        "authorization", "proxy-authorization", "cookie", "x-api-key", "api-key",
    ]

    /// - Throws: ``BreezeError/Code/invalidSetting``, naming the field that is wrong.
    public func validate() throws {
        let isPlain = name.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard !name.isEmpty, isPlain else {
            throw wrong("its name must be made of a-z, 0-9, - and _")
        }
        let scheme = baseURL.scheme?.lowercased()
        guard scheme == "https" || scheme == "http" && baseURL.isLoopback else {
            throw wrong("baseURL must be an https address; plain http is for loopback alone")
        }
        guard baseURL.user == nil, baseURL.password == nil, baseURL.query == nil, baseURL.fragment == nil
        else {
            throw wrong("baseURL may hold no user, password, query or fragment")
        }
        guard locality == .network || baseURL.isLoopback else {
            throw wrong("it cannot be on this device, since its address is not loopback")
        }
        if let name = headers.keys.first(where: { Self.secretFields.contains($0.lowercased()) }) {
            throw wrong("the header \(name) belongs to the key, which has no place in a configuration")
        }
        guard concurrency > 0 else { throw wrong("its concurrency must be 1 or more") }
        try validateModels()
    }

    private func validateModels() throws {
        let known: Set<AICapability> = [.chat, .vlm, .embedding]
        var seen: Set<String> = []
        for model in models {
            guard !model.id.isEmpty, seen.insert(model.id).inserted else {
                throw wrong("its models need ids that differ, and are not empty")
            }
            if let other = model.capabilities.first(where: { !known.contains($0) }) {
                throw wrong("\(model.id) is said to do \(other); there are chat, vlm and embedding")
            }
        }
    }

    private func wrong(_ what: String) -> BreezeError {
        BreezeError(
            .invalidSetting,
            "The service \(name.debugDescription) cannot be used: \(what).",
            remedy: "Correct its configuration."
        )
    }
}
