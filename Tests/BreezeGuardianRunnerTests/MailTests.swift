import BreezeCore
import BreezeGuardianRunner
import BreezeTestSupport
import Foundation
import Testing

/// Mail of 2002, before anybody attacked a language model: every block is a mistake.
@Suite(
    .enabled(
        if: SharedData.file("mail/spamassassin-2002.tar.xz") != nil,
        "The SpamAssassin corpus is not in BREEZE_SHARED."
    )
)
struct `Ordinary mail` {
    @Test func `at most one easy ham in 200 is blocked`() async throws {
        let archive = try #require(SharedData.file("mail/spamassassin-2002.tar.xz"))
        let folder = try ScratchFolder()
        let arguments = ["tar", "-xf", archive.path, "-C", folder.url.path]
        let tar = try await ChildProcess(URL(filePath: "/usr/bin/env"), arguments).run()
        try #require(tar.code == 0, "\(tar.errors)")
        var actions: [GuardianVerdict.Action] = []
        for name in ["easy-ham-1", "easy-ham-2"] {
            let mails = folder.url.appending(path: name)
            for file in try FileManager.default.contentsOfDirectory(
                at: mails,
                includingPropertiesForKeys: nil
            ) {
                let bytes = try Data(contentsOf: file)
                let body = bytes.firstRange(of: Data("\n\n".utf8)).map { bytes[$0.upperBound...] } ?? bytes
                actions.append(rules.action(on: String(decoding: body, as: UTF8.self)))
            }
        }
        // 2,500 and 1,400 mails.
        try #require(actions.count == 3_900)
        let blocked = actions.count { $0 == .block }
        #expect(blocked * 200 <= actions.count, "\(blocked) of \(actions.count)")
    }
}
