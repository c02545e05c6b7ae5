import BreezeCore
import BreezeMailTags
import BreezeTestSupport
import Foundation
import Testing

@Suite struct MaildirKeywordTests {
    private let folder: ScratchFolder
    private let current: URL

    init() throws {
        folder = try ScratchFolder()
        current = folder.url.appending(path: "cur")
        for name in ["cur", "new"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name),
                withIntermediateDirectories: true
            )
        }
    }

    private func message(_ name: String, in place: String = "cur") throws -> URL {
        let file = folder.url.appending(path: place).appending(path: name)
        try Data("Subject: \(name)\n\nText.\n".utf8).write(to: file)
        return file
    }

    private func keywords() throws -> String {
        try String(contentsOf: folder.url.appending(path: "dovecot-keywords"), encoding: .utf8)
    }

    @Test(arguments: [
        ("1.a.host:2,FS", "1.a.host:2,FSa"), ("2.b.host", "2.b.host:2,a"), ("3.c.host;2,S", "3.c.host;2,Sa"),
        ("4.d.host:2,b", "4.d.host:2,ab"),
    ])
    func `a message is renamed and stays what it is`(name: String, marked: String) throws {
        let file = try message(name)
        let content = try Data(contentsOf: file)
        let there = try MaildirKeyword("$Urgent").mark(file)
        #expect(there.lastPathComponent == marked)
        #expect(try Data(contentsOf: there) == content)
        #expect(try FileManager.default.contentsOfDirectory(atPath: current.path) == [marked])
        #expect(try MaildirKeyword("$Urgent").mark(there) == there)
        #expect(try keywords() == "0 $Urgent\n")
    }

    @Test func `the folder's own keywords keep their letters`() throws {
        try Data("0 work\n2 later".utf8).write(to: folder.url.appending(path: "dovecot-keywords"))
        #expect(try MaildirKeyword("later").mark(message("1.x:2,")).lastPathComponent == "1.x:2,c")
        #expect(try MaildirKeyword("boats").mark(message("2.x:2,")).lastPathComponent == "2.x:2,b")
        #expect(try keywords() == "0 work\n2 later\n1 boats\n")
    }

    @Test func `the twenty-seventh keyword is refused, and nothing is renamed`() throws {
        let all = (0..<26).map { "\($0) k\($0)\n" }.joined()
        try Data(all.utf8).write(to: folder.url.appending(path: "dovecot-keywords"))
        let file = try message("1.x:2,S")
        let error = #expect(throws: BreezeError.self) { try MaildirKeyword("one-more").mark(file) }
        #expect(error?.code.rawValue == "full")
        #expect(FileManager.default.fileExists(atPath: file.path))
        #expect(try keywords() == all)
    }

    @Test func `what is gone, new or in the way is an error`() throws {
        let keyword = try MaildirKeyword("x")
        let new = try message("1.x", in: "new")
        #expect(throws: BreezeError.self) { try keyword.mark(new) }
        #expect(throws: BreezeError.self) { try keyword.mark(current.appending(path: "gone:2,S")) }
        let (file, other) = (try message("2.x:2,S"), try message("2.x:2,Sa"))
        #expect(throws: BreezeError.self) { try keyword.mark(file) }
        #expect(try String(contentsOf: other, encoding: .utf8).hasPrefix("Subject: 2.x:2,Sa"))
    }

    @Test(arguments: ["", "a b", "a(b", "\\Seen", "ä", "a\"", String(repeating: "x", count: 101)])
    func `what is no keyword is refused`(name: String) {
        #expect(throws: BreezeError.self) { try MaildirKeyword(name) }
    }
}
