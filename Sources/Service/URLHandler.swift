import BreezeCore
import BreezeFiles
package import Foundation

/// Makes Breeze what a Linux desktop starts for `breezeapp://`.
///
/// A desktop entry says how it is started, and a line of the user's own list that it is the one. Both are of this user
/// alone, and what else stands in the list stays.
package struct URLHandler: Sendable {
    package struct Change: Sendable, Encodable, Equatable {
        /// `installed`, `uninstalled`, `not installed`.
        package let outcome: String
        package let file: String
        /// What a person should know or do.
        package internal(set) var notes: [String] = []
    }

    package let file: ServiceFile
    private let list: URL
    private let command: SystemCommand

    /// `environment` tells where the user's files lie: `XDG_DATA_HOME`, else `.local/share` of `home`, and
    /// `XDG_CONFIG_HOME`, else `.config`.
    package init(home: URL, environment: [String: String], command: SystemCommand) {
        func folder(_ name: String, _ usual: String) -> URL {
            // A path that is not whole counts as not set.
            guard let path = environment[name], path.hasPrefix("/") else {
                return home.appending(path: usual)
            }
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        let applications = folder("XDG_DATA_HOME", ".local/share").appending(path: "applications")
        file = ServiceFile(url: applications.appending(path: DesktopEntry.name, directoryHint: .notDirectory))
        list = folder("XDG_CONFIG_HOME", ".config").appending(path: "mimeapps.list")
        self.command = command
    }

    /// `program` gets the URL as one more argument.
    /// - Throws: ``BreezeError/Code/invalidRequest`` where the entry is somebody else's and nothing is `force`d.
    package func install(_ program: ServiceProgram, force: Bool) async throws -> Change {
        var list = try read()
        try file.write(DesktopEntry.text(program), force: force)
        let others = list.choices(for: DesktopEntry.type).filter { $0 != DesktopEntry.name }
        list.choose(DesktopEntry.name, for: DesktopEntry.type)
        try write(list)
        var change = Change(outcome: "installed", file: path)
        if let other = others.first { change.notes.append("Before, breezeapp:// was opened by \(other).") }
        change.notes += await index()
        return change
    }

    package func uninstall() async throws -> Change {
        try file.checkIsOurs()
        var list = try read()
        list.forget(DesktopEntry.name, for: DesktopEntry.type)
        try write(list)
        guard try file.owner == .breeze else { return Change(outcome: "not installed", file: path) }
        try file.remove()
        return Change(outcome: "uninstalled", file: path, notes: await index())
    }

    /// Whether the desktop starts Breeze for `breezeapp://`.
    package var isInstalled: Bool {
        get throws {
            try file.owner == .breeze && read().choices(for: DesktopEntry.type).first == DesktopEntry.name
        }
    }

    private var path: String { file.url.path(percentEncoded: false) }

    /// Desktops that read an index of all entries; where its program is not there, none of them is.
    private func index() async -> [String] {
        let folder = file.url.deletingLastPathComponent().path(percentEncoded: false)
        guard let outcome = try? await command.run("update-desktop-database", [folder]),
            ![0, 127].contains(outcome.code)
        else { return [] }
        return ["The desktop's index was not renewed. Do it by hand: update-desktop-database '\(folder)'"]
    }

    private func read() throws -> MimeApps {
        guard access(list.path, F_OK) == 0 else { return MimeApps(bytes: []) }
        do { return MimeApps(bytes: Array(try Data(contentsOf: list))) } catch {
            throw BreezeError(
                .inputOutput,
                "\(list.path) cannot be read: \(error.localizedDescription)",
                remedy: "Check its permissions; nothing was changed.",
                underlying: error
            )
        }
    }

    /// As a whole or not at all. A link stays one, and the file keeps its mode.
    private func write(_ new: MimeApps) throws {
        guard try new.bytes != read().bytes else { return }
        let target = list.resolvingSymlinksInPath()
        var status = stat()
        let isThere = stat(target.path, &status) == 0
        guard !new.bytes.isEmpty else {
            guard unlink(target.path) == 0 else { throw FileFault.writing(list, errno) }
            return
        }
        try Folder.make(target.deletingLastPathComponent())
        try WholeFile.replace(target, new.bytes, synced: true)
        if isThere { chmod(target.path, status.st_mode & 0o777) }
    }
}
