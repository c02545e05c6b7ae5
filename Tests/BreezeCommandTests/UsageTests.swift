import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Usage of the program` {
    @Test(arguments: [
        ["--no-such-option"], ["tuor"], ["chat", "--timeout", "soon"], ["chat", "--timeout", "0"],
        ["chat", "--param", "temperature", "hello"], ["route"], ["config", "set", "privacy.offline"],
        ["similar", "query", "text", "--in", "file"], ["completions", "tcsh"],
    ])
    func `wrong usage exits 64 and says so in JSON`(_ arguments: [String]) throws {
        let outcome = try Program().start(arguments).wait()
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
        let failure = try outcome.failure()
        #expect(failure["code"] == "usage")
        #expect(failure["message"]?.isEmpty == false)
        #expect(failure["remedy"]?.contains("--help") == true)
    }

    @Test func `a misspelt command gets the nearest one`() throws {
        let failure = try Program().run("tuor").failure()
        #expect(failure["remedy"]?.hasPrefix("Did you mean breeze tour?") == true)
    }

    @Test(arguments: [
        [], ["chat"], ["classify"], ["completions"], ["config"], ["config", "explain"], ["config", "set"],
        ["config", "show"], ["config", "unset"], ["doctor"], ["embed"], ["guard"], ["metrics"], ["models"],
        ["models", "import"], ["models", "list"], ["models", "remove"], ["models", "show"], ["pin"],
        ["rerank"], ["route"], ["run"], ["runners"], ["similar"], ["tour"], ["unload"], ["unpin"],
        ["version"],
    ])
    func `every command explains itself with examples`(_ command: [String]) throws {
        let outcome = try Program().start(command + ["--help"]).wait()
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.contains(command.isEmpty ? "Start here:" : "Example"))
        #expect(outcome.output.contains("breeze \(command.joined(separator: " "))"))
    }

    @Test func `the version is the same in all its forms`() throws {
        let program = try Program()
        let version = try #require(try program.run("version", "--json").json()["version"] as? String)
        #expect(try program.run("--version").output == "\(version)\n")
        #expect(try program.run("version").output.hasPrefix("breeze \(version) ("))
    }

    @Test(arguments: [("bash", "complete"), ("zsh", "#compdef breeze"), ("fish", "complete -c 'breeze'")])
    func `a shell gets its completion script`(_ shell: String, _ mark: String) throws {
        let outcome = try Program().run("completions", shell)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains(mark))
    }

    @Test func `a reader that goes away ends it without a word`() throws {
        let program = try Program()
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        // The reader ends at once; the writer has more to say than a pipe holds.
        process.arguments = ["-c", "\"$0\" completions bash | true; \"$0\" completions zsh | head -c 1"]
        process.arguments?.append(try #require(Program.executable).path)
        process.environment = program.environment
        let errors = try program.folder.write("errors", "")
        process.standardOutput = FileHandle.nullDevice
        process.standardError = try FileHandle(forWritingTo: errors)
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(try String(contentsOf: errors, encoding: .utf8).isEmpty)
    }
}
