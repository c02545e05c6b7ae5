import BreezeTestSupport
import Foundation
import Testing

/// `breeze mail` over the mailbox that comes with Breeze.
@Suite struct MailCommandTests {
    private static func indexed() async throws -> Program {
        let program = try Program()
        let outcome = try await program.run("mail", "index", BundledMailbox.maildir.path, "--words", "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let report = try outcome.json()
        #expect(try #require(report["new"] as? Int) > 100 && report["failed"] as? Int == 0)
        #expect(report["new"] as? Int == report["messages"] as? Int && report["embedded"] == nil)
        return program
    }

    private static func array(_ outcome: Program.Outcome) throws -> [[String: Any]] {
        #expect(outcome.code == 0, "\(outcome.errors)")
        let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(value as? [[String: Any]])
    }

    @Test func `messages are judged without an encoder, an index, or being touched`() async throws {
        let program = try Program()
        let phish = try program.folder.write(
            "phish.eml",
            """
            From: "PayPal Service" <help@secure-pay.example>
            Reply-To: <claims@other.example>
            To: nora@feldmann.example
            Subject: Your account has been limited
            Authentication-Results: mx.feldmann.example; spf=fail smtp.mailfrom=secure-pay.example; dmarc=fail
            Message-ID: <1@secure-pay.example>

            Confirm your password within 24 hours: http://paypal.com.login-check.example/verify
            """
        )
        let before = try Data(contentsOf: phish)
        let judged = try await program.run(
            "mail",
            "classify",
            "--json",
            phish.path,
            "-",
            input: "Subject: hello\n\nSee you at six.\n"
        )
        #expect(judged.code == 0 && judged.errors.contains("words and headers alone"), "\(judged.errors)")
        let answers = try judged.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(answers.map { $0["file"] as? String } == [phish.path, "-"])
        #expect(answers.allSatisfy { $0["missing"] as? [String] == ["encoder"] })
        #expect(answers.map { ($0["phishing"] as? [String: Any])?["flagged"] as? Bool } == [true, false])
        let kinds = (answers[0]["evidence"] as? [[String: Any]])?.compactMap { $0["kind"] as? String } ?? []
        #expect(Set(kinds).isSuperset(of: ["dmarc_fail", "spf_fail", "brand_in_name", "text"]))
        #expect(try Data(contentsOf: phish) == before)
        #expect(
            try await program.run("mail", "list", "--json").output.trimmingCharacters(
                in: .whitespacesAndNewlines
            ) == "[]"
        )

        // A service that may have everything that is no mail.
        for (name, value) in [
            ("services.peer.url", "http://127.0.0.1:9/v1"),
            ("services.peer.models", "text-embedding-3-small"),
            ("privacy.consent", "peer"),
        ] {
            #expect(try await program.run("config", "set", name, value).code == 0)
        }
        let again = try await program.run("mail", "classify", "--json", phish.path)
        #expect(again.code == 0 && judged.output.hasPrefix(again.output), "\(again.errors)")
        #expect(try await program.run("egress").output == "Nothing left this device.\n")

        let text = try await program.run("mail", "classify", phish.path)
        #expect(text.output.contains("PHISHING") && text.output.contains("phishing: "))
        let missing = try await program.run("mail", "classify", "--json", "/nowhere.eml").failure()
        #expect(missing["code"] == "input_output")
    }

    @Test func `mail is judged after it was indexed, and the owner's word counts and can be taken back`()
        async throws
    {
        let program = try Program()
        let indexed = try await program.run("mail", "index", BundledMailbox.maildir.path, "--json")
        #expect(indexed.code == 0 && indexed.errors.contains("less sure without"), "\(indexed.errors)")
        let report = try indexed.json()
        #expect(report["judged"] as? Int == report["messages"] as? Int && report["embedded"] == nil)

        let counts = try Self.array(try await program.run("mail", "category", "--json"))
        #expect(Set(counts.compactMap { $0["category"] as? String }).isSubset(of: Self.categories))
        #expect(counts.reduce(0) { $0 + (($1["messages"] as? Int) ?? 0) } > 50)
        let text = try await program.run("mail", "category")
        #expect(text.output.split(separator: "\n").count == 5)
        let forums = try Self.array(
            try await program.run("mail", "category", "forums", "--json", "--limit", "3")
        )
        #expect(forums.count == 3 && forums.allSatisfy { $0["category"] as? String == "forums" })

        let warned = try Self.array(try await program.run("mail", "spam", "--only", "phishing", "--json"))
        let phish = try #require(warned.first)
        let number = try #require(phish["id"] as? Int)
        #expect((phish["evidence"] as? [Any])?.isEmpty == false)
        let why = try await program.run("mail", "spam", "\(number)")
        #expect(
            why.code == 0 && why.output.contains("+ phishing: ") && why.output.contains("without an encoder")
        )

        let before = try Self.files()
        let noted = try await program.run("mail", "correct", "\(number)", "--not-spam")
        #expect(noted.output.hasPrefix("Noted. "), "\(noted.errors)")
        let pardoned = try await program.run("mail", "spam", "\(number)", "--json").json()
        #expect((pardoned["phishing"] as? [String: Any])?["flagged"] as? Bool == false)
        let said = try Self.array(try await program.run("mail", "correct", "--show", "--json"))
        #expect(said.map { $0["value"] as? String } == ["no"] && said[0]["scope"] as? String == "message")
        #expect(try await program.run("mail", "correct", "--undo").output.hasPrefix("Taken back. "))
        let again = try await program.run("mail", "spam", "\(number)", "--json").json()
        #expect((again["phishing"] as? [String: Any])?["flagged"] as? Bool == true)
        #expect(try await program.run("mail", "correct", "--show").output == "You have said nothing yet.\n")
        let nothing = try await program.run("mail", "correct", "--undo", "--json").failure()
        #expect(nothing["code"] == "not_found")

        // What was put into a category is found there.
        #expect(try await program.run("mail", "correct", "\(number)", "--category", "social").code == 0)
        let social = try await program.run("mail", "search", "--mode", "words", "--json", "category:social")
        #expect(try Self.array(social).contains { $0["id"] as? Int == number })
        for wrong in [
            ["\(number)"], ["\(number)", "--spam", "--phishing"], ["--spam"],
            ["\(number)", "--category", "junk"],
            ["--contact", "ada"],
        ] {
            #expect(try await program.run(["mail", "correct"] + wrong).code == 64)
        }
        // Nothing of it touched the mail.
        #expect(try Self.files() == before)
    }

    @Test func `a list of known phishing domains is taken in, looked up, and told where it is damaged`()
        async throws
    {
        let program = try Program()
        let feed = try program.folder.write(
            "feed.txt",
            "# feed\nhttps://evil-bank.example/login\n||bad.example^\ngoogle.com\n"
        )
        let taken = try await program.run("mail", "phishing-list", "import", "--json", feed.path).json()
        #expect(taken["count"] as? Int == 2 && taken["ignored"] as? Int == 1)
        let listed = try await program.run("mail", "phishing-list", "show", "--json").json()
        #expect(listed["source"] as? String == "feed.txt" && listed["count"] as? Int == 2)
        let found = try await program.run("mail", "phishing-list", "check", "--json", "Login.Bad.example")
            .json()
        #expect(found["entry"] as? String == "bad.example")
        let mail = try program.folder.write(
            "Mail/1.eml",
            "From: Ada <ada@mail.example>\nSubject: hi\nMessage-ID: <1@mail.example>\n\nhttps://www.bad.example/x\n"
        )
        #expect(try await program.run("mail", "index", mail.path).code == 0)
        let judged = try await program.run("mail", "spam", "1@mail.example", "--json").json()
        #expect(
            (judged["evidence"] as? [[String: Any]])?.contains { $0["kind"] as? String == "known_phishing" }
                == true
        )
        let list = try #require(
            FileManager.default.enumerator(atPath: program.folder.url.path)?.compactMap { $0 as? String }
                .first { $0.hasSuffix("known-phishing.txt") }
        )
        try Data("garbage".utf8).write(to: program.folder.url.appending(path: list))
        #expect(try await program.run("mail", "phishing-list", "--json").failure()["code"] == "invalid_file")
        let without = try await program.run("mail", "spam", "1@mail.example", "--json")
        #expect(without.code == 0 && without.errors.contains("Mail is judged without it."))
        #expect(try await program.run("mail", "phishing-list", "remove").code == 0)
    }

    private static let categories: Set = ["primary", "social", "promotions", "updates", "forums"]

    private static func files() throws -> [String: Date] {
        let folder = BundledMailbox.maildir
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.reduce(into: [:]) { times, name in
            let values = try folder.appending(path: name).resourceValues(forKeys: [
                .contentModificationDateKey
            ])
            times[name] = values.contentModificationDate
        }
    }

    @Test func `training without its corpora says which it lacks, and writes nothing`() async throws {
        let program = try Program()
        let heads = program.folder.url.appending(path: "heads.json").path
        let failure = try await program.run(
            "mail",
            "train-heads",
            "--data",
            program.folder.url.path,
            "--examples",
            program.folder.url.path,
            "--json",
            heads
        ).failure()
        #expect(failure["code"] == "input_output")
        #expect(failure["message"]?.contains("spamassassin-2002.tar.xz") == true)
        #expect(!FileManager.default.fileExists(atPath: heads))
        let words = ["mail", "train-heads", "--data", ".", "--examples", ".", heads, "--leave-out"]
        let alone = try await program.run(words + ["written"])
        #expect(alone.code == 64 && alone.errors.contains("The written examples alone say what phishing is"))
        let measured = try await program.run(words + ["enron", "--measure"])
        #expect(
            measured.code == 64 && measured.errors.contains("--measure holds the corpora against each other")
        )
    }

    @Test func `mail is indexed, found, shown and exported`() async throws {
        let program = try await Self.indexed()
        let again = try await program.run("mail", "index", "--words")
        #expect(again.output.hasPrefix("Nothing changed; "))
        let status = try await program.run("mail", "status", "--json").json()
        #expect(status["roots"] as? [String] == [BundledMailbox.maildir.resolvingSymlinksInPath().path])

        let hits = try Self.array(
            try await program.run("mail", "search", "--json", "--mode", "words", "BP7QX2")
        )
        let first = try #require(hits.first)
        #expect(first["messageID"] as? String == "20260921183628.D0A1DD0@bateaux-ponant.example")
        #expect(FileManager.default.fileExists(atPath: try #require(first["path"] as? String)))
        #expect(first["score"] as? Double != nil)
        let number = try #require(first["id"] as? Int)

        let shown = try await program.run("mail", "show", "\(number)")
        #expect(shown.output.contains("Message-ID: 20260921183628.D0A1DD0@bateaux-ponant.example"))
        let byID = try await program.run(
            "mail",
            "show",
            "<20260921183628.D0A1DD0@bateaux-ponant.example>",
            "--json"
        ).json()
        #expect(byID["id"] as? Int == number && (byID["text"] as? String)?.isEmpty == false)

        let text = try await program.run("mail", "search", "--mode", "words", "--explain", "BP7QX2")
        #expect(text.output.contains("\(number)  ") && text.errors.contains("understood as: "))
        let sexp = try await program.run(
            "mail",
            "search",
            "--mode",
            "words",
            "--format",
            "sexp",
            "BP7QX2"
        )
        #expect(
            sexp.output.hasPrefix("((:message-id \"20260921183628.D0A1DD0@bateaux-ponant.example\" :path ")
        )

        let lines = try await program.run("mail", "export", "BP7QX2").jsonLines()
        #expect(
            lines.contains { $0["messageID"] as? String == "20260921183628.D0A1DD0@bateaux-ponant.example" }
        )
        let all = try await program.run("mail", "export").jsonLines()
        #expect(all.count == status["messages"] as? Int)
        #expect(try Self.array(try await program.run("mail", "list", "--limit", "7", "--json")).count == 7)
    }

    @Test func `without an encoder words answer, and say so`() async throws {
        let program = try await Self.indexed()
        let outcome = try await program.run("mail", "search", "--json", "BP7QX2")
        #expect(
            try Self.array(outcome).first?["messageID"] as? String
                == "20260921183628.D0A1DD0@bateaux-ponant.example"
        )
        #expect(outcome.errors.contains("note: "))
        let similar = try await program.run(
            "mail",
            "similar",
            "<20260921183628.D0A1DD0@bateaux-ponant.example>"
        )
        #expect(try similar.failure()["code"] == "unavailable")
        let indexed = try await program.run("mail", "index")
        #expect(indexed.code == 0 && indexed.errors.contains("Search by meaning needs an encoder"))
    }

    @Test func `one message comes from standard input, and what is not there says so`() async throws {
        let program = try Program()
        let message =
            "From: Ada <ada@example.org>\r\nSubject: Tide tables\r\nMessage-ID: <tide@example.org>\r\n\r\nAt noon.\r\n"
        let outcome = try await program.run("mail", "index", "-", "--words", input: message)
        #expect(outcome.output == "1 new; 1 messages in the index.\n", "\(outcome.errors)")
        #expect(
            try await program.run("mail", "search", "--mode", "words", "tide").output.contains("Tide tables")
        )
        #expect(try await program.run("mail", "show", "<tide@example.org>").output.contains("At noon."))
        let missing = try await program.run("mail", "index", "/nowhere/at/all")
        #expect(try missing.failure()["code"] == "input_output")
        #expect(try await program.run("mail", "show", "99").failure()["code"] == "not_found")
        #expect(try await program.run("mail", "search", "date:yesterday..nonsense").code == 1)
        #expect(try await Program().run("mail", "index").code == 64)
    }

    @Test func `mail that came is seen by watch, which Ctrl-C ends`() async throws {
        let program = try Program()
        let folder = try ScratchFolder()
        for name in ["cur", "new", "tmp"] {
            try FileManager.default.createDirectory(
                at: folder.url.appending(path: name),
                withIntermediateDirectories: true
            )
        }
        #expect(try await program.run("mail", "index", folder.url.path, "--words").code == 0)
        let outcome = try await program.start(["mail", "watch", "--every", "1"]) { watch in
            try "Subject: Fresh\n\nJust in.\n".write(
                to: folder.url.appending(path: "new/1.x.host"),
                atomically: true,
                encoding: .utf8
            )
            try await watch.waits(for: "1 new; 1 messages in the index.")
            try watch.send(SIGINT)
        }
        #expect(outcome.code == 130)
    }

    @Test func `a keyword is written where it was asked for, and nowhere else`() async throws {
        let folder = try ScratchFolder()
        let program = try await Self.indexed(copiedTo: folder)
        let dry = try await program.run("mail", "export", "--keyword", "later", "--dry-run", "BP7QX2")
        #expect(dry.code == 0 && !dry.output.isEmpty)
        let before = try Self.files(folder)
        let unasked = try await program.run("mail", "export", "--keyword", "later")
        #expect(unasked.code == 64)
        #expect(try Self.files(folder) == before)
        let done = try await program.run("mail", "export", "--keyword", "later", "--json", "BP7QX2").json()
        #expect(done["messages"] as? Int == 1 && done["marked"] as? Int == 1)
        let changed = try Self.files(folder).subtracting(before).map { ($0 as NSString).lastPathComponent }
            .sorted()
        #expect(changed.count == 2 && changed.contains("dovecot-keywords"))
        #expect(changed.contains { $0.hasSuffix("a") })
        let again = try await program.run("mail", "index", "--words", "--json").json()
        #expect(again["new"] as? Int == 0 && again["deleted"] as? Int == 0)
    }

    @Test(.enabled(if: access("/usr/bin/notmuch", X_OK) == 0, "there is no notmuch"))
    func `notmuch has the tags that it was given`() async throws {
        let folder = try ScratchFolder()
        var program = try await Self.indexed(copiedTo: folder)
        try folder.write("notmuch", "[database]\npath=\(folder.url.path)/Maildir\n[new]\ntags=\n")
        let variables = [
            "NOTMUCH_CONFIG": folder.url.path + "/notmuch", "HOME": folder.url.path, "PATH": "/usr/bin:/bin",
        ]
        func notmuch(_ words: String...) async throws -> String {
            let child = ChildProcess(URL(filePath: "/usr/bin/notmuch"), words, environment: variables)
            return try await child.run().output
        }
        _ = try await notmuch("new", "--quiet")
        program.environment.merge(variables) { $1 }
        let tagged = try await program.run(
            ["mail", "export", "--tag-notmuch", "to do", "--json", "lighthouse or from:owen"]
        ).json()
        let count = try #require(tagged["messages"] as? Int)
        #expect(count > 1)
        #expect(try await notmuch("count", "--output=messages", "tag:\"to do\"") == "\(count)\n")
    }

    private static func indexed(copiedTo folder: ScratchFolder) async throws -> Program {
        let program = try Program()
        let copy = folder.url.appending(path: "Maildir")
        try FileManager.default.copyItem(at: BundledMailbox.maildir, to: copy)
        #expect(try await program.run("mail", "index", copy.path, "--words").code == 0)
        return program
    }

    private static func files(_ folder: ScratchFolder) throws -> Set<String> {
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path))
    }
}
