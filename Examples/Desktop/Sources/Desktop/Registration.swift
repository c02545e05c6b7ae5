import Foundation

/// The app's scheme on a Linux desktop: a `.desktop` file of this user, and the line that makes it the one for it.
enum Registration {
    private static let line = "x-scheme-handler/\(DesktopApp.scheme)=\(DesktopApp.scheme).desktop"

    private static let entry = folder("XDG_DATA_HOME", else: ".local/share")
        .appending(path: "applications/\(DesktopApp.scheme).desktop")
    private static let defaults = folder("XDG_CONFIG_HOME", else: ".config").appending(path: "mimeapps.list")

    static func install() throws {
        let program = (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).path
        let text = """
            [Desktop Entry]
            Type=Application
            Name=\(DesktopApp.name)
            Exec="\(program)" open %u
            NoDisplay=true
            MimeType=x-scheme-handler/\(DesktopApp.scheme);

            """
        try write(text, to: entry)
        var lines = otherLines()
        let section = "[Default Applications]"
        if !lines.contains(section) { lines.append(section) }
        lines.insert(line, at: (lines.firstIndex(of: section) ?? 0) + 1)
        try write(lines.joined(separator: "\n") + "\n", to: defaults)
        print("\(DesktopApp.scheme):// opens \(program)")
    }

    static func remove() throws {
        if FileManager.default.fileExists(atPath: entry.path) {
            try FileManager.default.removeItem(at: entry)
        }
        if FileManager.default.fileExists(atPath: defaults.path) {
            try write(otherLines().joined(separator: "\n") + "\n", to: defaults)
        }
        print("\(DesktopApp.scheme):// opens nothing any more")
    }

    /// What other apps registered stays as it is.
    private static func otherLines() -> [String] {
        let text = (try? String(contentsOf: defaults, encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            .filter { $0 != line }.trimmed
    }

    private static func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try text.write(to: file, atomically: true, encoding: .utf8)
    }

    private static func folder(_ variable: String, else fallback: String) -> URL {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment[variable], path.hasPrefix("/") { return URL(filePath: path) }
        let home = environment["HOME"].map { URL(filePath: $0) }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser).appending(path: fallback)
    }
}

extension [String] {
    /// Without empty lines at the end.
    fileprivate var trimmed: [String] {
        Array(reversed().drop(while: \.isEmpty).reversed())
    }
}
