import BreezeSecrets

extension Examination {
    /// Which store keeps secrets, and why no better one does.
    func secretStore() async -> HealthCheck {
        let stores = await Credentials.service(environment: environment).stores()
        let broken = stores.first { $0.state == .broken }
        let used = stores.first(where: \.isInUse)
        return HealthCheck(
            name: "secret store",
            kind: .system,
            status: broken != nil ? .broken : used != nil ? .ok : .missing,
            path: stores.first { $0.source.kind == .sealedFile && $0.isInUse }?.source.detail,
            enables: "keeping the keys of services",
            remedy: broken.map { $0.remedy ?? "breeze secrets list" }
                ?? (used == nil ? "Give keys in the environment: breeze secrets list --json" : nil),
            detail: stores.lines.joined(separator: " ")
        )
    }
}
