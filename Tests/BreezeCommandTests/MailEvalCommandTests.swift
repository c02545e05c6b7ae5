import BreezeTestSupport
import Foundation
import Testing

/// `breeze mail eval` over a few messages, without an encoder.
@Suite struct MailEvalCommandTests {
    private static let phish = """
        From: "PayPal Service" <help@secure-pay.example>
        Reply-To: <claims@other.example>
        To: nora@feldmann.example
        Subject: Your account has been limited
        Authentication-Results: mx.feldmann.example; spf=fail smtp.mailfrom=secure-pay.example; dmarc=fail
        Message-ID:
         <1@secure-pay.example>

        Confirm your password within 24 hours: http://paypal.com.login-check.example/verify
        """

    /// One phish, two wanted messages and one of them again, and a file that no folder labels.
    private static func labelled() throws -> (program: Program, folder: URL) {
        let program = try Program()
        let hello =
            "From: ada@mail.example\nSubject: hello\nMessage-ID: <2@mail.example>\n\nSee you at six.\n"
        for (name, text) in [
            ("Phish/2026/11/1.eml", phish),
            ("ham/1.eml", hello),
            ("ham/2.eml", hello.replacing("See you", with: "See\r\n you").replacing("<2@", with: "<3@")),
            ("primary/1.eml", hello.replacing("at six", with: "at seven").replacing("<2@", with: "<4@")),
            ("README", "What lies here."),
        ] {
            try program.folder.write("labelled/\(name)", text)
        }
        return (program, program.folder.url.appending(path: "labelled"))
    }

    /// As they are linked into the program.
    private static let heads = URL(filePath: #filePath)
        .appending(path: "../../../Sources/Native/CMailHeads/include/heads.json").standardizedFileURL

    private static func part(_ report: [String: Any], _ names: String...) -> Any? {
        names.reduce(report as Any?) { ($0 as? [String: Any])?[$1] }
    }

    @Test func `labelled folders are judged, and every figure is one JSON object`() async throws {
        let (program, folder) = try Self.labelled()
        let outcome = try await program.run("mail", "eval", "--json", folder.path)
        #expect(outcome.code == 0 && outcome.errors.contains("words and headers alone"), "\(outcome.errors)")
        let report = try outcome.json()
        #expect(Self.part(report, "counts", "messages") as? Int == 3)
        #expect(Self.part(report, "counts", "wanted") as? Int == 2)
        #expect(Self.part(report, "counts", "phishing") as? Int == 1)
        #expect(Self.part(report, "leftOut", "duplicates") as? Int == 1)
        #expect(Self.part(report, "leftOut", "unlabelled") as? Int == 1)
        #expect(Self.part(report, "missing", "encoder") as? Int == 3)
        #expect(Self.part(report, "missing", "headers") as? Int == 0)
        #expect(Self.part(report, "unwanted", "recall", "value") as? Double == 1)
        #expect(Self.part(report, "unwanted", "falsePositiveRate", "value") as? Double == 0)
        #expect(Self.part(report, "phishing", "areaUnderCurve") as? Double == 1)
        #expect(Self.part(report, "categories", "messages") as? Int == 1)
        #expect(Self.part(report, "speed", "messages") as? Int == 3)
        #expect(try #require(Self.part(report, "speed", "processorSeconds") as? Double) > 0)
        #expect((Self.part(report, "heads", "scores") as? [String: Double])?.isEmpty == false)
        let folders = try #require(report["folders"] as? [[String: Any]])
        #expect(folders.map { $0["name"] as? String } == ["Phish", "ham", "primary"])
        #expect((report["errors"] as? [Any])?.isEmpty == true)
    }

    @Test func `a person reads tables of at most a hundred columns`() async throws {
        let (program, folder) = try Self.labelled()
        let outcome = try await program.run("mail", "eval", folder.path)
        #expect(
            outcome.code == 0 && outcome.output.hasPrefix("3 messages judged: 2 wanted, 0 spam, 1 phishing.")
        )
        for title in [
            "SPAM AND PHISHING", "FOLDERS", "CATEGORIES", "CALIBRATION", "SPEED", "THE HEADS' OWN FIGURES",
        ] {
            #expect(outcome.output.contains("\n\n\(title)\n"))
        }
        #expect(outcome.output.contains("real social notifications"))
        #expect(outcome.output.contains("breeze mail train-heads --measure"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
        #expect(outcome.errors.contains("note: Left out, since nothing says what it is: 1 file."))
    }

    @Test func `what was wrong is shown with what counted, as much of it as is wanted`() async throws {
        let (program, folder) = try Self.labelled()
        let words = ["mail", "eval", "--label", "HAM=spam", "--label", "primary=phish", folder.path]
        let all = try await program.run(words)
        #expect(all.code == 0, "\(all.errors)")
        #expect(all.output.contains("spam, called wanted (") && all.output.contains("): ham/1.eml"))
        #expect(all.output.contains("phishing, called wanted (") && all.output.contains("): primary/1.eml"))
        let one = try await program.run(words + ["--errors", "1"])
        #expect(one.output.split(separator: "\n").count { $0.contains(", called wanted (") } == 1)
        let none = try await program.run(words + ["--errors", "0"])
        #expect(none.code == 0 && !none.output.contains(", called wanted ("))
    }

    @Test func `a folder of another name is refused until someone says what it holds`() async throws {
        let (program, folder) = try Self.labelled()
        try program.folder.write("labelled/easy-ham-1/1.eml", "Subject: tide\n\nThe tide is at noon.\n")
        let refused = try await program.run("mail", "eval", folder.path)
        #expect(refused.code == 1 && refused.output.isEmpty)
        let failure = try refused.failure()
        #expect(failure["code"] == "invalid_request")
        #expect(failure["message"]?.contains("easy-ham-1") == true)
        #expect(failure["message"]?.contains("promotions") == true)
        #expect(failure["remedy"]?.contains("--label easy-ham-1=ham") == true)
        let mapped = try await program.run(
            "mail",
            "eval",
            "--json",
            "--label",
            "Easy-Ham-1=Wanted",
            folder.path
        )
        #expect(mapped.code == 0)
        #expect(Self.part(try mapped.json(), "counts", "wanted") as? Int == 3)
    }

    @Test func `heads of a file judge in place of the program's own`() async throws {
        let (program, folder) = try Self.labelled()
        let own = try String(contentsOf: Self.heads, encoding: .utf8)
        let trial = try program.folder.write(
            "trial.json",
            own.replacing(#""version" : ""#, with: #""version" : "trial "#)
        )
        let report = try await program.run("mail", "eval", "--json", "--heads", trial.path, folder.path)
            .json()
        #expect((Self.part(report, "heads", "version") as? String)?.hasPrefix("trial ") == true)
        let old = try program.folder.write(
            "old.json",
            own.replacing(#/"words" : \d+/#, with: #""words" : 1"#)
        )
        let refused = try await program.run("mail", "eval", "--json", "--heads", old.path, folder.path)
        #expect(refused.code == 1)
        #expect(try refused.failure()["code"] == "unsupported")
        let none = try await program.run("mail", "eval", "--json", "--heads", "README", folder.path)
        #expect(try none.failure()["message"]?.contains("README") == true)
    }

    @Test func `what cannot be read is told, and the rest is judged`() async throws {
        let (program, folder) = try Self.labelled()
        // A link is not followed, whoever runs this.
        try program.folder.write("elsewhere.eml", "Subject: far\n\nFar away.\n")
        let link = folder.appending(path: "ham/link.eml")
        try FileManager.default.createSymbolicLink(
            at: link,
            withDestinationURL: program.folder.url.appending(path: "elsewhere.eml")
        )
        let outcome = try await program.run("mail", "eval", "--json", folder.path)
        #expect(outcome.code == 1)
        let report = try outcome.json()
        let unreadable = try #require(report["unreadable"] as? [[String: String]])
        #expect(unreadable.map { $0["file"] } == [link.path])
        #expect(Self.part(report, "counts", "messages") as? Int == 3)
        let text = try await program.run("mail", "eval", folder.path)
        #expect(text.code == 1 && text.output.contains("Could not be read: 1."))
    }

    @Test func `a file says of each Message-ID what it is`() async throws {
        let (program, folder) = try Self.labelled()
        let labels = try program.folder.write(
            "labels.json",
            """
            {"1@secure-pay.example": {"category": "updates", "spam": false, "phishing": true, "signs": ["link"]},
             "<4@mail.example>": {"category": "primary"}}
            """
        )
        let outcome = try await program.run("mail", "eval", "--json", "--labels", labels.path, folder.path)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report = try outcome.json()
        #expect(Self.part(report, "counts", "messages") as? Int == 2)
        #expect(Self.part(report, "leftOut", "unlabelled") as? Int == 3)
        #expect(Self.part(report, "phishing", "recall", "hits") as? Int == 1)
        #expect(Self.part(report, "categories", "accuracy", "count") as? Int == 1)

        try program.folder.write("labels.json", #"{"1@secure-pay.example": {"category": "sales"}}"#)
        let wrong = try await program.run("mail", "eval", "--json", "--labels", labels.path, folder.path)
        #expect(try wrong.failure()["message"]?.contains("category") == true)
        try program.folder.write("labels.json", #"{"nobody@nowhere.example": {"spam": true}}"#)
        let empty = try await program.run("mail", "eval", "--json", "--labels", labels.path, folder.path)
        #expect(try empty.failure()["message"]?.contains("no labelled mail") == true)
    }

    @Test(arguments: [
        ["--label", "ham"], ["--label", "=ham"], ["--label", "inbox=hamm"], ["--errors=-1"],
        ["--labels", "labels.json", "--label", "inbox=ham"],
    ])
    func `what cannot be meant is wrong usage`(words: [String]) async throws {
        let outcome = try await Program().run(["mail", "eval", "--json"] + words + ["/nowhere"])
        #expect(outcome.code == 64)
        #expect(try outcome.failure()["code"] == "usage")
    }

    @Test func `a folder that is not there is no empty one`() async throws {
        let outcome = try await Program().run("mail", "eval", "--json", "/nowhere/at/all")
        #expect(outcome.code == 1)
        #expect(try outcome.failure()["code"] == "input_output")
    }
}
