import BreezeCore
import BreezeTestSupport
import Foundation
import Testing

@testable import BreezeKit

@Suite struct FileStoreTests {
    private let key = HubKey(app: "abc", text: "brz_secret")

    @Test func `what is saved is there, for its owner alone, until it is removed`() throws {
        let folder = try ScratchFolder()
        let url = folder.url.appending(path: "app/breeze/key.json")
        let store = FileStore<HubKey>(url)
        #expect(try store.load() == nil)
        try store.save(HubKey(app: "old", text: "old"))
        try store.save(key)
        #expect(try FileStore<HubKey>(url).load() == key)
        let facts = try FileManager.default.attributesOfItem(atPath: url.path)
        #expect(facts[.posixPermissions] as? Int == 0o600)
        let around = try FileManager.default.attributesOfItem(atPath: url.deletingLastPathComponent().path)
        #expect(around[.posixPermissions] as? Int == 0o700)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path) == [
                "key.json"
            ]
        )
        try store.remove()
        try store.remove()
        #expect(try store.load() == nil)
    }

    @Test func `a file that others may read, or that is damaged, is refused`() throws {
        let folder = try ScratchFolder()
        let url = folder.url.appending(path: "key.json")
        let store = FileStore<HubKey>(url)
        try store.save(key)
        for mode in [0o640, 0o604, 0o666] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path)
            let error = #expect(throws: BreezeError.self) { try store.load() }
            #expect(error?.code == .invalidFile)
        }
        for bytes in ["", "{", "{\"app\":\"abc\"}"] {
            try Data(bytes.utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            #expect(throws: BreezeError.self) { try store.load() }
        }
    }

    @Test func `a link in the file's place is not followed`() throws {
        let folder = try ScratchFolder()
        let target = folder.url.appending(path: "target.json")
        try FileStore<HubKey>(target).save(key)
        let url = folder.url.appending(path: "key.json")
        try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target)
        let error = #expect(throws: BreezeError.self) { try FileStore<HubKey>(url).load() }
        #expect(error?.code == .inputOutput)
        // Saving takes the link's place, and leaves what it pointed to.
        try FileStore<HubKey>(url).save(HubKey(app: "new", text: "new"))
        #expect(try FileStore<HubKey>(target).load() == key)
        #expect(try FileStore<HubKey>(url).load()?.app == "new")
    }

    @Test func `a folder that cannot be made is a typed error`() throws {
        let folder = try ScratchFolder()
        try folder.write("file", "no folder")
        let error = #expect(throws: BreezeError.self) {
            try FileStore<HubKey>(folder.url.appending(path: "file/key.json")).save(key)
        }
        #expect(error?.code == .inputOutput)
    }

    @Test(arguments: [
        ("Notes", "Notes"), ("com.example.My-App 2", "com.example.My-App 2"),
    ])
    func `a plain name is its folder's name`(_ name: String, _ folder: String) {
        #expect(AppFolder.folderName(name) == folder)
    }

    @Test func `names that differ have folders that differ, and none leads elsewhere`() {
        let names = [
            "", ".", "..", "../up", "a/b", "a_b", "a\u{0}b", "Ünï", "U_n_", "日本", "日木", ".hidden",
            String(repeating: "x", count: 64), String(repeating: "x", count: 65),
            String(repeating: "x", count: 66),
        ]
        let folders = names.map(AppFolder.folderName)
        #expect(Set(folders).count == names.count)
        for folder in folders {
            #expect(
                !folder.contains("/") && !folder.hasPrefix(".") && !folder.isEmpty && folder.utf8.count < 100
            )
        }
    }

    @Test(.enabled(if: !isApple, "the XDG folders are Linux's"))
    func `an app's state lies in the state folder`() {
        let home = AppFolder.url("Notes", ["HOME": "/home/me"])
        #expect(home.path == "/home/me/.local/state/Notes/breeze")
        let xdg = AppFolder.url("Notes", ["HOME": "/home/me", "XDG_STATE_HOME": "/state"])
        #expect(xdg.path == "/state/Notes/breeze")
        let relative = AppFolder.url("Notes", ["HOME": "/home/me", "XDG_STATE_HOME": "state"])
        #expect(relative.path == home.path)
    }

    private static var isApple: Bool {
        #if canImport(Darwin)
        true
        #else
        false
        #endif
    }
}
