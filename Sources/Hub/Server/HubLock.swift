import BreezeCore
import BreezeFiles
public import Foundation

/// The right to be the hub of a home: one process has it, and the system frees it when that process dies. Beside it
/// lies a file that tells other programs of its owner where the hub is.
public final class HubLock: Sendable {
    /// Where a running hub is found.
    public struct Place: Codable, Hashable, Sendable {
        public var process: Int32
        /// `http://127.0.0.1:11535`.
        public var address: String
        public var socket: String?
        /// Who knows it may read the owner's files, and so is the owner: it makes the links to the control panel.
        public var proof: String

        public init(process: Int32, address: String, socket: String?, proof: String) {
            self.process = process
            self.address = address
            self.socket = socket
            self.proof = proof
        }
    }

    private let lock: FileLock
    private let file: URL

    private init(lock: FileLock, file: URL) {
        self.lock = lock
        self.file = file
    }

    /// `home` is Breeze's data folder, which exists.
    /// - Throws: ``BreezeError/Code/busy`` where another process is the hub.
    public static func take(_ home: URL) async throws -> HubLock {
        // Whoever looks for a hub holds it for a moment.
        for _ in 1...5 {
            if let lock = try FileLock.ifFree(lockFile(home)) {
                return HubLock(lock: lock, file: placeFile(home))
            }
            try await Task.sleep(for: .milliseconds(20))
        }
        let named = place(in: home).map { " (process \($0.process), \($0.address))" } ?? ""
        throw BreezeError(
            .busy,
            "A hub runs already for this home\(named).",
            remedy: "Use it, or stop it first; another home is set by BREEZE_HOME."
        )
    }

    /// Where the hub of `home` is; `nil` where none runs.
    public static func running(_ home: URL) -> Place? {
        guard let place = place(in: home) else { return nil }
        // Free: what is written there was left by one that was killed.
        let lock = try? FileLock.ifFree(lockFile(home))
        return lock == nil ? place : nil
    }

    /// To be called when the hub listens.
    public func tell(_ place: Place) throws {
        try WholeFile.replace(file, Array(JSONEncoder().encode(place)))
    }

    /// To be called when it no longer does.
    public func withdraw() {
        try? FileManager.default.removeItem(at: file)
    }

    private static func place(in home: URL) -> Place? {
        (try? Data(contentsOf: placeFile(home))).flatMap { try? JSONDecoder().decode(Place.self, from: $0) }
    }

    private static func lockFile(_ home: URL) -> URL { home.appending(path: "hub.lock") }
    private static func placeFile(_ home: URL) -> URL { home.appending(path: "hub.json") }
}
