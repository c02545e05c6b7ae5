import BreezeCore
public import BreezeEngine

extension EngineSettings {
    public var hubHostNames: [String] { strings(tree["hub", "hostNames"]) }
    public var hubOrigins: [String] { strings(tree["hub", "origins"]) }
    /// An unknown field of a request is an error, where it is named and passed over by default.
    var refusesUnknownFields: Bool { tree["hub", "strictFields"]?.boolValue ?? false }
    public var hubAuditDays: Int { tree["hub", "auditDays"]?.intValue ?? 90 }

    private func strings(_ value: JSONValue?) -> [String] {
        (value?.arrayValue ?? []).compactMap(\.stringValue)
    }
}
