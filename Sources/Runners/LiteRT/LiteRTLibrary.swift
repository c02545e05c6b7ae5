import BreezeCore
import CLiteRt
import Foundation

/// LiteRT, opened in this process. A file is opened once and stays open until the process ends.
///
/// One release is taken, ``supportedVersion``: the functions' parameters change between releases, so a call
/// into another one would corrupt memory instead of failing.
public final class LiteRTLibrary: Sendable {
    /// The file that the loader took, which for a bare library name the caller could not know.
    public let path: String
    public let version: String

    public static let supportedVersion = "2.3.0"

    let api: LiteRTAPI
    /// Held while a model loads. Loading sets LiteRT's own globals, and two loads that write one weight cache
    /// file would spoil it.
    let loading = NSLock()

    private static let opened = OpenedLibraries<LiteRTLibrary>()

    /// Opens the first library that is found: `explicit` if there is one, else the file that `LITERT_LIB`
    /// names, else the newest under `runtimes/litert` in Breeze's cache folder, else one in Python's
    /// site-packages, else what the dynamic loader finds. A file that was named (the first two) is taken or
    /// refused, never replaced by another one.
    ///
    /// Blocks while the library loads (milliseconds, once). Throws `.unavailable` with what was searched and
    /// why each file was refused: a library of another release, and one whose release nothing tells, among
    /// them. A failure is not remembered: the next call searches again.
    public static func locate(
        explicit: String? = nil,
        environment: [String: String]
    ) throws -> LiteRTLibrary {
        try locate(search(explicit: explicit, environment: environment))
    }

    static func locate(_ search: RuntimeSearch) throws -> LiteRTLibrary {
        try search.first { path throws(RuntimeSearch.Refusal) in
            try opened.open(path, load: LiteRTLibrary.init)
        }
    }

    static func search(
        explicit: String?,
        environment: [String: String],
        pythonRoots: [String] = RuntimeSearch.pythonRoots,
        loaderNames: [String] = loaderNames
    ) -> RuntimeSearch {
        RuntimeSearch(
            RuntimeSearch.Runtime(
                title: "LiteRT",
                name: "litert",
                variable: "LITERT_LIB",
                pythonFolder: "ai_edge_litert",
                library: "libLiteRt"
            ),
            explicit: explicit,
            environment: environment,
            pythonRoots: pythonRoots,
            loaderNames: loaderNames
        )
    }

    #if canImport(Darwin)
    static let loaderNames = ["libLiteRt.dylib"]
    #else
    static let loaderNames = ["libLiteRt.so"]
    #endif

    private init(_ path: String) throws(RuntimeSearch.Refusal) {
        // A file of another release is not even opened. For a bare name only the loader knows the file.
        if path.contains("/") { try LiteRTRelease.check(path) }
        let handle = try openLibrary(path)
        let table = UnsafeMutablePointer<litert_api>.allocate(capacity: 1)
        defer { table.deallocate() }
        if let missing = litert_bind(handle, table) {
            throw RuntimeSearch.Refusal("\(path): a library, but it offers no \(String(cString: missing))")
        }
        let file = litert_library_path(handle).map { String(cString: $0) } ?? path
        try LiteRTRelease.check(file)
        try LiteRTRelease.check(tableSize: litert_table_size(handle), of: file)
        self.path = file
        version = Self.supportedVersion
        api = LiteRTAPI(table: table.pointee)
    }
}
