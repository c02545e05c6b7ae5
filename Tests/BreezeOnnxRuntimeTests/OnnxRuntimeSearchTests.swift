import BreezeCore
import Foundation
import Testing

@testable import BreezeOnnxRuntime

#if canImport(Darwin)
private let file = "libonnxruntime.dylib"
#else
private let file = "libonnxruntime.so"
#endif

struct OnnxRuntimeSearchTests {
    /// A folder with empty files at the given paths.
    private func withFiles(_ paths: [String], _ body: (String) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appendingPathComponent("breeze-\(UUID())")
        defer { try? FileManager.default.removeItem(at: root) }
        for path in paths {
            let target = root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: target.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data().write(to: target)
        }
        try body(root.path)
    }

    @Test func `a configured path is the only place, before the environment's`() {
        let search = OnnxRuntimeSearch(explicit: "/a/lib", environment: ["ORT_DYLIB_PATH": "/b/lib"])
        #expect(search.places.map(\.paths) == [["/a/lib"]])
        #expect(search.places.map(\.isNamed) == [true])
    }

    @Test(arguments: [nil, ""])
    func `the environment's path is the only place where none is configured`(explicit: String?) {
        let search = OnnxRuntimeSearch(explicit: explicit, environment: ["ORT_DYLIB_PATH": "/b/lib"])
        #expect(search.places.map(\.paths) == [["/b/lib"]])
    }

    @Test func `the newest version in the cache comes first, by number and not by name`() throws {
        let folder = "cache/runtimes/onnxruntime"
        try withFiles(["1.9.0", "1.31.1", "1.31.0", "partial"].map { "\(folder)/\($0)/\(file)" }) { root in
            let search = OnnxRuntimeSearch(explicit: nil, environment: ["BREEZE_CACHE": "\(root)/cache"])
            #expect(
                search.places.first?.paths
                    == ["1.31.1", "1.31.0", "1.9.0"].map { "\(root)/\(folder)/\($0)/\(file)" }
            )
        }
    }

    @Test(arguments: [
        (["BREEZE_CACHE": "/b", "XDG_CACHE_HOME": "/x", "HOME": "/h"], "/b/runtimes/onnxruntime"),
        (["XDG_CACHE_HOME": "/x", "HOME": "/h"], "/x/breeze/runtimes/onnxruntime"),
        (["XDG_CACHE_HOME": "relative", "HOME": "/h"], "/h/.cache/breeze/runtimes/onnxruntime"),
    ])
    func `the cache folder follows the environment`(environment: [String: String], folder: String) {
        #expect(OnnxRuntimeSearch(explicit: nil, environment: environment).places.first?.name == folder)
    }

    @Test func `site-packages come after the cache and before the loader, without the provider libraries`()
        throws
    {
        let package = "lib/python3.11/site-packages/onnxruntime/capi"
        let other = "libonnxruntime_providers_shared.so"
        try withFiles(["\(package)/\(file)", "\(package)/\(other)"]) { root in
            let search = OnnxRuntimeSearch(
                explicit: nil,
                environment: ["BREEZE_CACHE": "\(root)/cache"],
                pythonRoots: ["\(root)/lib"],
                loaderNames: ["named"]
            )
            #expect(search.places.map(\.paths) == [[], ["\(root)/\(package)/\(file)"], ["named"]])
        }
    }
}
