#if !(Hub || Pairing)
/// Sealing needs swift-crypto, which is fetched for who asks for it.
@available(*, unavailable, message: "Ask for it: .package(…, traits: [\"Pairing\"])")
public enum HubScheme {}
#endif
