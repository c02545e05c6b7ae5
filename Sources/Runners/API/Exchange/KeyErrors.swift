import BreezeCore

extension BreezeError {
    static func keyMissing(_ service: APIService) -> BreezeError {
        let name = service.keyName ?? service.name
        return .authRequired(
            service: name,
            "\(service.title) needs an API key, and none was found.",
            remedy: "breeze secrets set \(name)"
        )
    }

    /// Why is not repeated: it may be the key itself.
    static func keyUnreadable(_ service: APIService) -> BreezeError {
        let name = service.keyName ?? service.name
        return .authRequired(
            service: name,
            "The API key of \(service.title) cannot be read.",
            remedy: "breeze secrets set \(name)"
        )
    }

    static func keyRefused(_ service: APIService) -> BreezeError {
        let name = service.keyName ?? service.name
        return .authRequired(
            service: name,
            service.keyName == nil
                ? "\(service.title) wants an API key, and its configuration names none."
                : "\(service.title) does not accept the API key.",
            remedy: service.keyName == nil
                ? "Name one: keyName in its configuration." : "breeze secrets set \(name)"
        )
    }
}
