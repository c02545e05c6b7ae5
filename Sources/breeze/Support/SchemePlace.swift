import BreezeCore
import BreezeFiles
import BreezeScheme
import BreezeSchemeStore
import Foundation

/// Where the URL scheme's things lie.
struct SchemePlace {
    let paths: BreezePaths

    init(_ paths: BreezePaths) {
        self.paths = paths
    }

    var file: URL { paths.data.appending(path: "scheme/scheme.sqlite") }

    func open() throws -> SchemeStore { try SchemeStore(file) }

    /// `nil` where it cannot be used: what URLs take goes on.
    func handoff() -> HandoffFolder? {
        let folder = paths.data.appending(path: "handoff")
        do {
            try Folder.make(folder)
            return try HandoffFolder(opening: folder.path)
        } catch {
            Console.printError("note: what is larger than a URL takes is refused: \(error)".printable)
            return nil
        }
    }
}
