import BreezeCore
import Foundation
import Testing

@testable import BreezeOnnxRuntime

struct OnnxRuntimeLibraryTests {
    private func refusal(explicit path: String) throws -> BreezeError {
        try #require(throws: BreezeError.self) {
            try OnnxRuntimeLibrary.locate(explicit: path, environment: Runtime.environment)
        }
    }

    @Test func `a configured path that does not exist is refused by name, and no other is taken`() throws {
        let error = try refusal(explicit: "/nowhere/libonnxruntime.so")
        #expect(error.code == .unavailable)
        #expect(error.message.contains("the configured path"))
        #expect(error.message.contains("/nowhere/libonnxruntime.so"))
        #expect(error.remedy?.contains("make setup") == true)
    }

    @Test func `a path with a NUL is refused whole`() throws {
        #expect(try refusal(explicit: "/lib\0/x").message.contains("NUL"))
    }

    @Test func `a file that is no library is refused with the loader's reason`() async throws {
        try await OnnxModel(bytes: Array("not a library".utf8)).withFile { file in
            let error = try refusal(explicit: file.path)
            #expect(error.code == .unavailable)
            #expect(error.message.contains(file.path))
        }
    }

    #if os(Linux)
    @Test func `a library of another kind is refused with what it lacks`() throws {
        let error = try refusal(explicit: "libm.so.6")
        #expect(error.code == .unavailable)
        #expect(error.message.contains("offers no OrtGetApiBase"))
    }
    #endif

    @Test func `a search that finds nothing lists the places in their order`() throws {
        let search = OnnxRuntimeSearch(
            explicit: nil,
            environment: ["BREEZE_CACHE": "/nowhere"],
            pythonRoots: [],
            loaderNames: ["libnowhere.so"]
        )
        let error = try #require(throws: BreezeError.self) { try OnnxRuntimeLibrary.locate(search) }
        #expect(error.code == .unavailable)
        let start =
            "ONNX Runtime was not found. Searched: /nowhere/runtimes/onnxruntime (nothing there), "
            + "Python's site-packages (nothing there), the loader's path (libnowhere.so"
        #expect(error.message.hasPrefix(start))
    }

    @Test func `a library that is too old is refused with its version`() throws {
        let symbol = unsafeBitCast(OldLibrary.getApiBase, to: UnsafeMutableRawPointer.self)
        let refusal = try #require(throws: RuntimeSearch.Refusal.self) {
            try OnnxRuntimeLibrary(symbol: symbol, name: "old")
        }
        #expect(refusal.reason == "old: is ONNX Runtime 1.12.0, but 1.15 or newer is needed")
    }

    @Test(.needsRuntime) func `a library is opened once and tells its version, path and build`() throws {
        let library = try Runtime.library()
        let again = try Runtime.library()
        let byPath = try OnnxRuntimeLibrary.locate(explicit: library.path, environment: [:])
        #expect(again === library)
        #expect(byPath === library)
        #expect(FileManager.default.fileExists(atPath: library.path))
        #expect(library.version.wholeMatch(of: /1\.\d+\.\d+.*/) != nil)
        #expect(library.buildInfo.contains("ORT Build Info"))
    }
}

/// What `OrtGetApiBase` of ONNX Runtime 1.12 answers: a version, and no table for version 15.
private enum OldLibrary {
    private static let getApi: @convention(c) (UInt32) -> UnsafeRawPointer? = { _ in nil }
    private static let getVersion: @convention(c) () -> UnsafePointer<CChar>? = {
        UnsafeRawPointer(("1.12.0" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
    }
    nonisolated(unsafe) private static let base: UnsafePointer<UnsafeRawPointer> = {
        let base = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: 2)
        base.initialize(to: unsafeBitCast(getApi, to: UnsafeRawPointer.self))
        (base + 1).initialize(to: unsafeBitCast(getVersion, to: UnsafeRawPointer.self))
        return UnsafePointer(base)
    }()
    static let getApiBase: @convention(c) () -> UnsafeRawPointer = { UnsafeRawPointer(base) }
}
