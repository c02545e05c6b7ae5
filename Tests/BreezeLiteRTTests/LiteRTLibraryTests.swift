import BreezeCore
import Foundation
import Testing

@testable import BreezeLiteRT

struct LiteRTLibraryTests {
    private func refusal(_ path: String) throws -> BreezeError {
        try #require(throws: BreezeError.self) {
            try LiteRTLibrary.locate(explicit: path, environment: Runtime.environment)
        }
    }

    /// A folder with a file in the library's place and, beside it, what a package says about itself.
    private func withFile(
        _ content: Data,
        metadata: String?,
        in place: String = "libLiteRt.so",
        metadataIn metadataPlace: String = "METADATA",
        _ body: (String) throws -> Void
    ) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("breeze-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        let file = root.appendingPathComponent(place)
        let note = root.appendingPathComponent(metadataPlace)
        for folder in [file, note].map({ $0.deletingLastPathComponent() }) {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try content.write(to: file)
        try metadata.map { try Data($0.utf8).write(to: note) }
        try body(file.path)
    }

    private static let text = Data("not a library".utf8)
    private static func metadata(_ version: String) -> String {
        "Metadata-Version: 2.4\nName: ai-edge-litert\nVersion: \(version)\nSummary: x\n\nVersion: 2.3.0\n"
    }

    @Test func `a configured path that does not exist is refused by name, and no other is taken`() throws {
        let error = try refusal("/nowhere/libLiteRt.so")
        #expect(error.code == .unavailable)
        #expect(error.message.contains("the configured path"))
        #expect(error.message.contains("/nowhere/libLiteRt.so: there is no such file"))
        #expect(error.remedy?.contains("make setup") == true)
    }

    @Test(arguments: ["", "libnowhere.so", "lib\0x", "/lib\0/x"])
    func `a name that the loader cannot find is refused`(path: String) throws {
        let error = try #require(throws: BreezeError.self) {
            try LiteRTLibrary.locate(
                LiteRTLibrary.search(
                    explicit: nil,
                    environment: ["LITERT_LIB": path],
                    pythonRoots: [],
                    loaderNames: ["libnowhere.so"]
                )
            )
        }
        #expect(error.code == .unavailable)
        // An empty variable names nothing, and what is searched then is nothing either.
        let start = path.isEmpty ? "LiteRT was not found" : "LITERT_LIB is no usable LiteRT"
        #expect(error.message.hasPrefix(start))
    }

    @Test(arguments: ["2.2.0", "2.3.1", "2.3.0rc1", "3.0.0"])
    func `a library of another release is not even opened`(version: String) throws {
        try withFile(Self.text, metadata: Self.metadata(version)) { path in
            let error = try refusal(path)
            #expect(error.code == .unavailable)
            #expect(error.message.contains("is LiteRT \(version), but 2.3.0 is needed"))
            #expect(error.remedy?.contains("make setup") == true)
            let named = try #require(throws: BreezeError.self) {
                try LiteRTLibrary.locate(environment: ["LITERT_LIB": path])
            }
            #expect(named.message.contains("LITERT_LIB is no usable LiteRT"))
            #expect(named.message.contains("is LiteRT \(version), but 2.3.0 is needed"))
        }
    }

    @Test(arguments: [
        nil, "", "Version: 2.3.0\n", "Name: other\nVersion: 2.3.0\n", "Name: ai-edge-litert\n\n",
    ])
    func `a library whose release nothing tells is refused`(metadata: String?) throws {
        try withFile(Self.text, metadata: metadata) { path in
            let error = try refusal(path)
            #expect(error.message.contains("cannot be told without its package's METADATA"))
        }
    }

    @Test func `an installed Python package tells the release`() throws {
        let place = "site-packages/ai_edge_litert/libLiteRt.so"
        for (version, folder) in [("2.2.0", "ai_edge_litert-2.2.0"), ("2.3.0", "ai_edge_litert-2.3.0")] {
            let note = "site-packages/\(folder).dist-info/METADATA"
            try withFile(Self.text, metadata: Self.metadata(version), in: place, metadataIn: note) { path in
                // The supported release gets as far as the loader, which sees that it is too short to be one.
                let fault = version == "2.3.0" ? "file too short" : "is LiteRT 2.2.0"
                let error = try refusal(path)
                #expect(error.message.contains(fault))
            }
        }
    }

    #if os(Linux)
    @Test func `a library of another kind is refused with what it lacks`() throws {
        let other = try #require(
            ["/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6", "/lib64/libm.so.6"]
                .first(where: FileManager.default.fileExists)
        )
        try withFile(Data(contentsOf: URL(fileURLWithPath: other)), metadata: Self.metadata("2.3.0")) {
            path in
            let error = try refusal(path)
            #expect(error.message.contains("offers no LiteRtCreateEnvironment"))
        }
    }
    #endif

    @Test func `another library than METADATA says is refused`() throws {
        // 1320 is the size of 2.2.0's table; 0 stands for a library without one.
        for size in [1320, 0] {
            let refusal = try #require(throws: RuntimeSearch.Refusal.self) {
                try LiteRTRelease.check(tableSize: size, of: "/a/lib")
            }
            #expect(refusal.reason.contains("/a/lib: is another LiteRT than its METADATA says"))
        }
    }

    @Test func `a search that finds nothing lists the places in their order`() throws {
        let search = LiteRTLibrary.search(
            explicit: nil,
            environment: ["BREEZE_CACHE": "/nowhere"],
            pythonRoots: [],
            loaderNames: ["libnowhere.so"]
        )
        let error = try #require(throws: BreezeError.self) { try LiteRTLibrary.locate(search) }
        #expect(error.code == .unavailable)
        let start =
            "LiteRT was not found. Searched: /nowhere/runtimes/litert (nothing there), "
            + "Python's site-packages (nothing there), the loader's path (libnowhere.so"
        #expect(error.message.hasPrefix(start))
        #expect(error.remedy == "Run `make setup`, or set LITERT_LIB to its library.")
    }

    @Test(.needsRuntime) func `a library is opened once and tells its version and path`() throws {
        let library = try Runtime.library()
        let again = try Runtime.library()
        #expect(again === library)
        let byPath = try LiteRTLibrary.locate(explicit: library.path, environment: [:])
        #expect(byPath === library)
        #expect(FileManager.default.fileExists(atPath: library.path))
        #expect(library.version == "2.3.0")
    }

    @Test(.needsRuntime) func `a copy without its METADATA is refused`() throws {
        let library = try Data(contentsOf: URL(fileURLWithPath: Runtime.library().path))
        try withFile(library, metadata: nil) { path in
            let error = try refusal(path)
            #expect(error.message.contains("cannot be told"))
        }
    }
}
