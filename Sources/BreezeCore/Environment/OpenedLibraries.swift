import Foundation
import Synchronization

/// The libraries of one runtime that are open in this process. A file is opened once and stays open until the
/// process ends, since a runtime has threads of its own.
package final class OpenedLibraries<Library: Sendable>: Sendable {
    private let opened = Mutex<[String: Library]>([:])

    package init() {}

    /// The library of that file, opened by `load` where it is not yet. A refusal is not remembered.
    package func open(
        _ path: String,
        load: (String) throws(RuntimeSearch.Refusal) -> Library
    ) throws(RuntimeSearch.Refusal) -> Library {
        let isFile = path.contains("/")
        // Two names of one file are one library.
        let key = isFile ? URL(fileURLWithPath: path).resolvingSymlinksInPath().path : path
        let outcome: Result<Library, RuntimeSearch.Refusal> = opened.withLock { opened in
            if let library = opened[key] { return .success(library) }
            do throws(RuntimeSearch.Refusal) {
                let library = try load(path)
                opened[key] = library
                return .success(library)
            } catch {
                return .failure(error)
            }
        }
        return try outcome.get()
    }
}

/// What `dlopen` returns, its symbols kept to itself. Nobody closes it when the file turns out to be of
/// another kind: its initialisers have run by then.
package func openLibrary(_ path: String) throws(RuntimeSearch.Refusal) -> UnsafeMutableRawPointer {
    // An empty name would mean this program itself, and the loader stops reading at a NUL.
    guard !path.isEmpty, !path.utf8.contains(0) else {
        throw RuntimeSearch.Refusal("the path is empty or holds a NUL")
    }
    guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
        throw RuntimeSearch.Refusal(dlerror().map { String(cString: $0) } ?? "\(path): cannot be opened")
    }
    return handle
}
