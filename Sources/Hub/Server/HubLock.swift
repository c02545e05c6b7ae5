import BreezeCore
public import Foundation

/// The right to be the hub of a home: one process has it, and the system frees it when that process dies. The file
/// says where the hub is, for other programs of its owner.
public final class HubLock: Sendable {
    /// Where a running hub is found.
    public struct Place: Codable, Hashable, Sendable {
        public var process: Int32
        /// `http://127.0.0.1:11535`; `nil` until it listens.
        public var address: String?
        public var socket: String?

        public init(process: Int32, address: String? = nil, socket: String? = nil) {
            self.process = process
            self.address = address
            self.socket = socket
        }
    }

    private let descriptor: Int32

    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Closing also unlocks.
    deinit { close(descriptor) }

    /// - Throws: ``BreezeError/Code/busy`` where another process is the hub.
    public static func take(_ file: URL) throws -> HubLock {
        let descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw BreezeError(
                .inputOutput,
                "\(file.path) cannot be opened: \(String(cString: strerror(errno))).",
                remedy: "Check the folder's permissions, or set BREEZE_HOME to another one."
            )
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            let place = Self.place(in: file)
            let named = place.map { " (process \($0.process)\($0.address.map { ", \($0)" } ?? ""))" } ?? ""
            throw BreezeError(
                .busy,
                "A hub runs already for this home\(named).",
                remedy: "Use it, or stop it first; another home is set by BREEZE_HOME."
            )
        }
        return HubLock(descriptor: descriptor)
    }

    /// What a running hub has written; `nil` where none runs.
    public static func running(_ file: URL) -> Place? {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        return place(in: file)
    }

    private static func place(in file: URL) -> Place? {
        (try? Data(contentsOf: file)).flatMap { try? JSONDecoder().decode(Place.self, from: $0) }
    }

    /// The lock is on the file itself, so it is written in place.
    public func tell(_ place: Place) {
        guard let data = try? JSONEncoder().encode(place) else { return }
        _ = ftruncate(descriptor, 0)
        _ = data.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
}
