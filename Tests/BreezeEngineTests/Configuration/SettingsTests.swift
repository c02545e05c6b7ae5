import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeEngine

@Suite struct SettingsTests {
    private func tree(_ json: String) throws -> SettingsTree {
        var tree = SettingsTree()
        try tree.read(file: Data(json.utf8), at: "settings.json")
        return tree
    }

    @Test func `a file becomes a keyed tree`() throws {
        let settings = EngineSettings(
            try tree(
                """
                {"privacy": {"offline": true, "consent": ["api"]},
                 "routing": {"preferred": {"chat": "llama"}},
                 "defaults": {"temperature": 0.2},
                 "runners": {"llama:qwen3-1.7b": {"contextSize": 4096}}}
                """
            )
        )
        #expect(settings.isOffline)
        #expect(settings.consents == ["api"])
        #expect(settings.preferred(for: .chat) == "llama")
        let parameters = settings.parameters(for: ScriptedRunner("llama:qwen3-1.7b"))
        #expect(parameters["contextSize"]?.value == 4096)
        #expect(parameters["temperature"]?.isSpecific == false)
    }

    @Test(arguments: [
        (#"{"privacy": {"ofline": true}}"#, "There is no setting privacy.ofline (file settings.json)."),
        (#"{"privcy": {"offline": true}}"#, "There is no setting privcy.offline (file settings.json)."),
        (
            #"{"defaults": {"temprature": 1}}"#,
            "There is no setting defaults.temprature (file settings.json)."
        ),
        (
            #"{"privacy": {"offline": "perhaps"}}"#,
            #"privacy.offline (file settings.json): it must be true or false, not "perhaps"."#
        ),
        (#"[1]"#, "The settings file settings.json holds an array and not an object."),
        (
            #"{"defaults": {"temperature": "hot"}}"#,
            #"defaults.temperature (file settings.json): it must be a number, not "hot"."#
        ),
    ])
    func `a fault in the file is an error that names it`(json: String, message: String) {
        let error = #expect(throws: BreezeError.self) { try tree(json) }
        #expect(error?.code == .invalidSetting)
        #expect(error?.message == message)
        #expect(error?.remedy != nil)
    }

    @Test(arguments: [
        (#"{"privacy": {"ofline": true}}"#, "Did you mean privacy.offline?"),
        (#"{"privcy": {"offline": true}}"#, "Did you mean privacy.offline?"),
        (#"{"defaults": {"temprature": 1}}"#, "Did you mean defaults.temperature?"),
        (#"{"routing": {"preferred": {"chatt": "x"}}}"#, "Did you mean routing.preferred.chat?"),
    ])
    func `an unknown key finds its nearest`(json: String, remedy: String) {
        let error = #expect(throws: BreezeError.self) { try tree(json) }
        #expect(error?.remedy == remedy)
    }

    @Test func `a truncated file is an error and not a crash`() {
        let error = #expect(throws: BreezeError.self) { try tree(#"{"privacy": {"off"#) }
        #expect(error?.code == .invalidSetting)
        let reason = "a string is not closed at line 1, column 18"
        #expect(error?.message == "The settings file settings.json is not valid JSON: \(reason).")
    }

    @Test func `flags outrank the environment, which outranks the file`() throws {
        var tree = try tree(#"{"privacy": {"offline": false}, "log": {"level": "error"}}"#)
        try tree.read(environment: ["BREEZE_PRIVACY_OFFLINE": "1", "BREEZE_HOME": "elsewhere"])
        #expect(tree["privacy", "offline"] == true)
        try tree.read(flags: ["privacy.offline=no", "runners.llama:qwen3-1.7b.temperature=0.5"])
        #expect(tree["privacy", "offline"] == false)
        #expect(tree["runners", "llama:qwen3-1.7b", "temperature"] == 0.5)
        #expect(tree["log", "level"] == "error")
    }

    @Test func `a misspelt variable is an error, another program's is not`() throws {
        var tree = SettingsTree()
        try tree.read(environment: ["BREEZE_CACHE": "x", "PATH": "y"])
        let error = #expect(throws: BreezeError.self) {
            try tree.read(environment: ["BREEZE_PRIVACY_OFLINE": "1"])
        }
        #expect(error?.remedy == "Did you mean BREEZE_PRIVACY_OFFLINE?")
    }

    @Test func `consent counts in the file alone`() throws {
        var tree = SettingsTree()
        for attempt in [
            { try tree.read(environment: ["BREEZE_PRIVACY_CONSENT": "api"]) },
            { try tree.read(flags: ["privacy.consent=api"]) },
        ] {
            let error = #expect(throws: BreezeError.self) { try attempt() }
            #expect(error?.code == .invalidSetting)
        }
    }

    @Test func `a changed file counts at the next look, and a broken one is an error until it is mended`()
        throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = SettingsStore(file: folder.appending(path: "settings.json"))
        #expect(try !store.current().isOffline)
        try store.write("privacy.offline", text: "true")
        #expect(try store.current().isOffline)
        try Data(#"{"privacy":"#.utf8).write(to: store.file)
        #expect(throws: BreezeError.self) { try store.current() }
        try Data(#"{"privacy":{}}"#.utf8).write(to: store.file)
        #expect(try !store.current().isOffline)
    }

    @Test func `a linked file is read where it points, and stays a link`() throws {
        let folder = try ScratchFolder()
        let real = try folder.write("real.json", #"{"privacy":{"consent":["net"]}}"#)
        let store = SettingsStore(file: folder.url.appending(path: "settings.json"))
        try FileManager.default.createSymbolicLink(at: store.file, withDestinationURL: real)
        #expect(try store.current().consents == ["net"])
        try folder.write("real.json", #"{"privacy":{"offline":true}}"#)
        #expect(try store.current().consents.isEmpty)
        try store.write("log.level", text: "debug")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: store.file.path) == real.path)
        #expect(try String(contentsOf: real, encoding: .utf8).contains("debug"))
    }

    @Test func `the file is its owner's alone`() throws {
        let folder = try ScratchFolder()
        let store = SettingsStore(file: folder.url.appending(path: "settings.json"))
        try store.write("runners.api.key", text: "s3cret")
        let mode =
            try FileManager.default.attributesOfItem(atPath: store.file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `two writers at once lose nothing`() async throws {
        let folder = try ScratchFolder()
        let file = folder.url.appending(path: "settings.json")
        try await withThrowingTaskGroup { group in
            for index in 0..<20 {
                group.addTask { try SettingsStore(file: file).write("runners.r\(index).x", text: "1") }
            }
            try await group.waitForAll()
        }
        #expect(try SettingsStore(file: file).current().tree.entries.count == 20)
    }

    @Test func `a key that stands twice is an error, a null is nothing, a dotted name is the nested one`()
        throws
    {
        let error = #expect(throws: BreezeError.self) {
            try tree(#"{"privacy":{"offline":true},"privacy":{"consent":["net"]}}"#)
        }
        #expect(error?.message.contains("stands there twice at line 1, column 29") == true)
        #expect(try tree(#"{"privacy": {"offline": null}}"#).entries.isEmpty)
        #expect(try tree(#"{"privacy.offline": true}"#)["privacy", "offline"] == true)
    }

    @Test func `writing keeps the rest, refuses what is wrong, and takes a value out again`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "settings-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = SettingsStore(file: folder.appending(path: "settings.json"))
        try store.write("routing.preferred.chat", text: "llama")
        try store.write("privacy.consent", text: "api,other")
        #expect(throws: BreezeError.self) { try store.write("privacy.offline", text: "perhaps") }
        #expect(throws: BreezeError.self) { try store.write("privacy.ofline", text: nil) }
        #expect(try store.current().preferred(for: .chat) == "llama")
        #expect(try store.current().consents == ["api", "other"])
        try store.write("routing.preferred.chat", text: nil)
        try store.write("privacy.offline", text: nil)
        let text = try String(contentsOf: store.file, encoding: .utf8)
        #expect(!text.contains("routing"))
        #expect(text.contains("api"))
    }
}
