import BreezeCore
package import Foundation

/// Where an app's own state lies: the XDG state folder on Linux, Application Support on Apple.
package enum AppFolder {
    package static func url(_ appName: String, _ environment: [String: String]) -> URL {
        #if canImport(Darwin)
        let base = URL.applicationSupportDirectory
        #else
        let folders = EnvironmentFolders(environment)
        let home =
            folders["HOME"].map { URL(filePath: $0) } ?? FileManager.default.homeDirectoryForCurrentUser
        let base =
            folders["XDG_STATE_HOME"].map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? home.appending(path: ".local/state", directoryHint: .isDirectory)
        #endif
        return base.appending(path: folderName(appName)).appending(path: "breeze")
    }

    /// A name that is a plain one stays; of another the letters that any disk takes, and a hash, so that two
    /// names have two folders.
    static func folderName(_ appName: String) -> String {
        let kept = appName.unicodeScalars.map { scalar -> Character in
            let isPlain =
                scalar.isASCII
                && (scalar.properties.isAlphabetic || "0123456789-_. ".unicodeScalars.contains(scalar))
            return isPlain ? Character(scalar) : "_"
        }
        let plain = String(kept.prefix(64))
        guard plain != appName || plain.hasPrefix(".") || plain.isEmpty else { return plain }
        // FNV-1a, 64 bits.
        let hash = appName.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) {
            ($0 ^ UInt64($1)) &* 0x100_0000_01B3
        }
        return "_\(plain)-\(String(hash, radix: 16))"
    }
}
