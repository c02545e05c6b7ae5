import BreezeTestSupport
import Foundation
import Testing

/// A home with the encoder installed, made once for the suite: its tests only read it.
private let installed: Task<Program, any Error>? = Oracle.miniLM.map { folder in
    Task {
        var program = try Program()
        let inherited = ProcessInfo.processInfo.environment
        program.environment["BREEZE_CACHE"] =
            inherited["BREEZE_CACHE"]
            ?? folder.deletingLastPathComponent().deletingLastPathComponent().path
        program.environment["ORT_DYLIB_PATH"] = inherited["ORT_DYLIB_PATH"]
        let outcome = try await program.run("models", "import", folder.path)
        guard outcome.code == 0 else { throw ChildFailure(description: outcome.errors) }
        return program
    }
}

@Suite(.enabled(if: Oracle.miniLM != nil, "make setup fetches the encoder"))
struct `Commands that need the encoder` {
    private let program: Program

    init() async throws {
        program = try await #require(installed).value
    }

    @Test func `embed prints model, runner, dimensions and one vector a text`() async throws {
        let outcome = try await program.run("embed", "--json", "one text", "another")
        #expect(outcome.code == 0)
        let answer = try outcome.json()
        #expect(answer.keys.sorted() == ["dimensions", "embeddings", "model", "runner", "runtime"])
        #expect(answer["model"] as? String == "all-minilm-l6-v2")
        #expect(answer["runner"] as? String == "encoder:all-minilm-l6-v2")
        // The model's own config.json: hidden_size 384; its vectors have length 1.
        #expect(answer["dimensions"] as? Int == 384)
        let vectors = try #require(answer["embeddings"] as? [[Double]])
        #expect(vectors.map(\.count) == [384, 384])
        for vector in vectors { #expect(abs(vector.reduce(0) { $0 + $1 * $1 } - 1) < 1e-4) }
    }

    @Test func `mail is found by its meaning, and what is like it`() async throws {
        let indexed = try await program.run("mail", "index", BundledMailbox.maildir.path, "--json")
        #expect(indexed.code == 0, "\(indexed.errors)")
        let report = try indexed.json()
        #expect(report["embedded"] as? Int == report["passages"] as? Int)
        let asked = [
            "mail", "search", "--json", "--mode", "meaning", "who looks after the pet while we are away",
        ]
        let hits = try await program.run(asked)
        #expect(hits.errors.isEmpty && hits.output.contains("CAqsdAmIFTkn7wskZCFKPDSdBQxq@example.com"))
        let similar = try await program.run("mail", "similar", "CAqsdAmIFTkn7wskZCFKPDSdBQxq@example.com")
        #expect(similar.code == 0 && similar.output.split(separator: "\n").count > 4)
    }

    /// The bundled mailbox is no part of what the heads were trained on.
    @Test func `mail is judged with its evidence, and no wanted message is called fraud or spam`()
        async throws
    {
        let judged = try await program.run("mail", "classify", "--json", BundledMailbox.maildir.path)
        #expect(judged.code == 0 && judged.errors.isEmpty, "\(judged.errors)")
        let labels = try BundledMailbox.labels
        var (fraud, spam, sorted, wanted) = (0, 0, 0, 0)
        for line in judged.output.split(separator: "\n") {
            let answer = try #require(
                try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            )
            let file = try #require(answer["file"] as? String)
            guard let label = labels[try BundledMailbox.messageID(of: file)] else { continue }
            let isSpam = (answer["spam"] as? [String: Any])?["flagged"] as? Bool
            let isFraud = (answer["phishing"] as? [String: Any])?["flagged"] as? Bool
            let evidence = try #require(answer["evidence"] as? [[String: Any]])
            #expect(evidence.allSatisfy { ($0["detail"] as? String)?.isEmpty == false })
            #expect((answer["missing"] as? [Any])?.isEmpty == true)
            if label.phishing {
                fraud += isFraud == true ? 1 : 0
            } else if label.spam {
                spam += isSpam == true ? 1 : 0
            } else {
                #expect(isSpam == false && isFraud == false, "\(file)")
                wanted += 1
                sorted += answer["category"] as? String == label.category ? 1 : 0
            }
        }
        // 14 and 11 of them there are.
        #expect(fraud >= 10 && spam >= 8 && sorted * 10 > wanted * 7, "\(fraud) \(spam) \(sorted)/\(wanted)")
    }

    @Test func `a truncated text is reported`() async throws {
        let long = Array(repeating: "word", count: 1_000).joined(separator: " ")
        let answer = try await program.run("embed", "--json", input: long).json()
        // 1,000 words of one token each, and the 256 that the model takes hold two marks of its own.
        #expect(answer["truncatedTokens"] as? Int == 1_000 - 254)
        #expect((answer["notices"] as? [String])?.isEmpty == false)
    }

    @Test func `similar puts the nearest text first`() async throws {
        let texts = "the rate went up\na small dog\ntwo trains\n"
        let answer = try await program.run("similar", "--json", "--top", "2", "a puppy", input: texts).json()
        let results = try #require(answer["results"] as? [[String: Any]])
        #expect(results.count == 2)
        #expect(results.first?["text"] as? String == "a small dog")
        #expect(results.first?["index"] as? Int == 1)
    }

    @Test func `classify sorts by examples and evaluate counts`() async throws {
        let examples = try program.folder.write(
            "animals.json",
            "{\"animal\": [\"a dog\", \"the cat\"], \"vehicle\": [\"a car\", \"the train\"]}"
        )
        let answer = try await program.run("classify", "--json", "--examples", examples.path, "my horse")
            .json()
        let items = try #require(answer["classifications"] as? [[String: Any]])
        #expect(items.first?["label"] as? String == "animal")
        let labelled = try program.folder.write(
            "labelled.tsv",
            "animal\ta cow\nvehicle\ta lorry\nanimal\ta bicycle\nanimal\ta hen\n"
        )
        let accuracy = try await program.run(
            "classify",
            "--json",
            "--examples",
            examples.path,
            "--evaluate",
            labelled.path
        ).json()
        #expect(accuracy["count"] as? Int == 4)
        // Three of the four labels are "animal", and the third of them is wrong on purpose.
        #expect(accuracy["majorityBaseline"] as? Double == 0.75)
        #expect(accuracy["correct"] as? Int == 3)
    }

    @Test func `LiteRT taken away, ONNX Runtime answers and says why`() async throws {
        let fast = try await program.run("embed", "--json", "The tide comes in twice a day.").json()
        #expect((fast["runtime"] as? String)?.hasPrefix("LiteRT 2.3.0") == true)
        #expect(fast["notices"] == nil)
        var program = program
        program.environment["LITERT_LIB"] = "/nowhere/libLiteRt.so"
        let outcome = try await program.run("embed", "--json", "The tide comes in twice a day.")
        #expect(outcome.code == 0)
        let portable = try outcome.json()
        #expect((portable["runtime"] as? String)?.hasPrefix("ONNX Runtime") == true)
        let notice = try #require((portable["notices"] as? [String])?.first)
        #expect(notice.contains("/nowhere/libLiteRt.so"))
        let vectors = [fast, portable].compactMap { ($0["embeddings"] as? [[Double]])?.first }
        #expect(zip(vectors[0], vectors[1]).reduce(0) { $0 + $1.0 * $1.1 } > 0.998)
        let doctor = try await program.run("doctor").output
        #expect(doctor.contains("/nowhere/libLiteRt.so"))
    }

    @Test func `in fp32 both runtimes give the same vector`() async throws {
        let arguments = [
            "embed", "--json", "--set", "encoder.precision=fp32", "The tide comes in twice a day.",
        ]
        var program = program
        let fast = try await program.run(arguments, bytes: []).json()
        program.environment["LITERT_LIB"] = "/nowhere/libLiteRt.so"
        let portable = try await program.run(arguments, bytes: []).json()
        #expect(fast["runtime"] as? String != portable["runtime"] as? String)
        let vectors = [fast, portable].compactMap { ($0["embeddings"] as? [[Double]])?.first }
        #expect(zip(vectors[0], vectors[1]).allSatisfy { abs($0 - $1) < 1e-5 })
    }

    @Test func `rerank says which kind of model it needs`() async throws {
        let failure = try await program.run("rerank", "a query", "a text").failure()
        #expect(failure["code"] == "no_runner")
        #expect(failure["remedy"]?.contains("cross-encoder") == true)
        #expect(try await program.run("embed", "--as", "nonsense", "a text").code == 64)
        #expect(try await program.run("embed", "--as", "query", "a text").code == 0)
    }

    @Test func `the runtime taken away is an error with what mends it`() async throws {
        var program = program
        program.environment["ORT_DYLIB_PATH"] = "/nowhere/libonnxruntime.so"
        program.environment["LITERT_LIB"] = "/nowhere/libLiteRt.so"
        program.environment["BREEZE_CACHE"] = program.folder.url.appending(path: "empty").path
        let outcome = try await program.run("embed", "a text")
        #expect(outcome.code == 1)
        let failure = try outcome.failure()
        #expect(failure["code"] == "unavailable")
        #expect(failure["message"]?.contains("/nowhere/libonnxruntime.so") == true)
        #expect(failure["remedy"]?.contains("make setup") == true)
    }

    @Test func `a second import finds the first, and removing gives the space back`() async throws {
        var program = program
        let home = program.folder.url.appending(path: "second-home").path
        program.environment["BREEZE_HOME"] = home
        let folder = try #require(Oracle.miniLM).path
        let first = try await program.run("models", "import", "--json", "--id", "copy", folder)
        #expect(try first.json()["alreadyInstalled"] as? Bool == false)
        #expect(first.errors.isEmpty)
        let second = try await program.run("models", "import", "--json", "--id", "copy", folder)
        #expect(try second.json()["alreadyInstalled"] as? Bool == true)
        // Without a terminal each step is a plain line.
        let third = try await program.run("models", "import", "--id", "copy", folder)
        #expect(third.errors == "comparing\n")
        let listed = try await program.run("models", "list", "--json").json()["models"] as? [[String: Any]]
        #expect(listed?.map { $0["id"] as? String } == ["copy"])
        let removed = try await program.run("models", "remove", "--json", "copy").json()
        #expect(removed["removed"] as? String == "copy")
        // The weights alone have 90,868,376 bytes.
        #expect((removed["freedBytes"] as? Int).map { $0 > 90_868_376 } == true)
        #expect(
            try await (program.run("models", "list", "--json").json()["models"] as? [Any])?.isEmpty == true
        )
    }

    @Test func `the tour shows everything, on the texts that it is given`() async throws {
        let report = try await program.run("tour", "--json", input: "Shall we meet on Thursday?\n").json()
        let sorted = try #require(report["sorted"] as? [[String: Any]])
        #expect(sorted.map { $0["text"] as? String } == ["Shall we meet on Thursday?"])
        let scores = try #require(sorted.first?["scores"] as? [[String: Any]])
        #expect(scores.first?["label"] as? String == "appointment")
        let lookup = try #require(report["lookup"] as? [String: Any])
        let answers = try #require(lookup["answers"] as? [[String: Any]])
        let nearest = (answers.last?["nearest"] as? [[String: Any]])?.first?["text"] as? String
        #expect(nearest == "The herons are back at the pond behind the mill.")
        #expect((report["chat"] as? [String: Any])?["isMock"] as? Bool == true)
    }

    @Test func `the tour finds mail by its meaning`() async throws {
        let mailbox = BundledMailbox.maildir.path
        let report = try await program.run("tour", "--json", "--mailbox", mailbox, "One text.").json()
        let mail = try #require(report["mail"] as? [String: Any])
        #expect((mail["messages"] as? Int).map { $0 > 100 } == true)
        let answers = try #require(mail["answers"] as? [[String: Any]])
        #expect(answers.map { $0["mode"] as? String } == ["meaning", "both", "words"])
        let first = (answers.first?["hits"] as? [[String: Any]])?.first
        #expect(first?["messageID"] as? String == "20261113080019.4FBFC42@saltreath-eyes.example")
    }
}

@Suite struct `The tour without an encoder` {
    @Test func `it says what is missing and goes on`() async throws {
        let outcome = try await Program().run("tour")
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("Not on this device yet"))
        #expect(outcome.output.contains("breeze models import"))
        #expect(outcome.output.contains("[mock] "))
        #expect(!outcome.output.contains("\u{1B}"))
    }

    @Test func `it looks through a mailbox, and leaves nothing of it behind`() async throws {
        let program = try Program()
        let mailbox = BundledMailbox.maildir.path
        let report = try await program.run("tour", "--json", "--mailbox", mailbox, "One text.").json()
        let mail = try #require(report["mail"] as? [String: Any])
        #expect((mail["messages"] as? Int).map { $0 > 100 } == true)
        #expect(try await program.run("mail", "status", "--json").json()["messages"] as? Int == 0)
    }
}
