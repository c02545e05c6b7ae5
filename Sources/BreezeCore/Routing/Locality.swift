/// Where a runner does its work.
public enum Locality: String, Codable, Sendable {
    case onDevice
    /// The request leaves the device.
    case network
}
