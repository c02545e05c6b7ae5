import BreezeCore
import Foundation

/// What a Linux desktop starts for `breezeapp://`, as its own files have it (Desktop Entry Specification 1.5).
enum DesktopEntry {
    static let name = "breeze-url-handler.desktop"
    static let type = "x-scheme-handler/breezeapp"

    /// The URL becomes the program's last argument.
    /// - Throws: ``BreezeError/Code/invalidRequest`` for a path that no entry can start.
    static func text(_ program: ServiceProgram) throws -> String {
        let path = program.executable.path(percentEncoded: false)
        guard !path.contains("=") else {
            throw BreezeError(
                .invalidRequest,
                "No desktop entry can start \(path): there is = in its path.",
                remedy: "Move the program to a folder with a plain name."
            )
        }
        let environment = program.environment.sorted { $0.key < $1.key }.map { "\($0)=\($1)" }
        let words = (environment.isEmpty ? [] : ["env"] + environment) + [path] + program.arguments
        return """
            # \(ServiceFile.marker)
            [Desktop Entry]
            Type=Application
            Version=1.5
            Name=Breeze
            Comment=Answers apps that ask the AI of this device
            TryExec=\(path)
            Exec=\(words.map(quoted).joined(separator: " ")) %u
            NoDisplay=true
            Terminal=false
            StartupNotify=false
            MimeType=\(type);

            """
    }

    /// A word of `Exec`: quoted, and then escaped once more as every text of the file is.
    static func quoted(_ word: String) -> String {
        var text = "\""
        for character in word.unicodeScalars {
            switch character {
            case "\\": text += "\\\\\\\\"
            case "\"", "`", "$": text += "\\\\\(character)"
            case "%": text += "%%"
            default: text.unicodeScalars.append(character)
            }
        }
        return text + "\""
    }
}
