import BreezeTestSupport
import Foundation
import Testing

@Suite struct `Usage of the program` {
    @Test(arguments: [
        ["--no-such-option"], ["tuor"], ["chat", "--timeout", "soon"], ["chat", "--timeout", "0"],
        ["chat", "--param", "temperature", "hello"], ["route"], ["config", "set", "privacy.offline"],
        ["similar", "query", "text", "--in", "file"], ["completions", "tcsh"],
    ])
    func `wrong usage exits 64 and says so in JSON`(_ arguments: [String]) async throws {
        let outcome = try await Program().run(arguments)
        #expect(outcome.code == 64)
        #expect(outcome.output.isEmpty)
        let failure = try outcome.failure()
        #expect(failure["code"] == "usage")
        #expect(failure["message"]?.isEmpty == false)
        #expect(failure["remedy"]?.contains("--help") == true)
    }

    @Test func `a misspelt command gets the nearest one`() async throws {
        let failure = try await Program().run("tuor").failure()
        #expect(failure["remedy"]?.hasPrefix("Did you mean breeze tour?") == true)
    }

    @Test(arguments: [
        [], ["chat"], ["classify"], ["completions"], ["config"], ["config", "explain"], ["config", "set"],
        ["config", "show"], ["config", "unset"], ["doctor"], ["embed"], ["guard"], ["metrics"], ["models"],
        ["models", "import"], ["models", "list"], ["models", "remove"], ["models", "show"], ["pin"],
        ["rerank"], ["route"], ["run"], ["runners"], ["secrets"], ["secrets", "list"],
        ["secrets", "remove"], ["secrets", "set"], ["secrets", "test"], ["service"], ["service", "install"],
        ["similar"], ["tour"], ["unload"], ["unpin"],
        ["version"],
    ])
    func `every command explains itself with examples`(_ command: [String]) async throws {
        let outcome = try await Program().run(command + ["--help"])
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
        #expect(outcome.output.contains(command.isEmpty ? "Start here:" : "Example"))
        #expect(outcome.output.contains("breeze \(command.joined(separator: " "))"))
    }

    @Test func `the version is the same in all its forms`() async throws {
        let program = try Program()
        let version = try #require(try await program.run("version", "--json").json()["version"] as? String)
        #expect(try await program.run("--version").output == "\(version)\n")
        #expect(try await program.run("version").output.hasPrefix("breeze \(version) ("))
    }

    @Test(arguments: [("bash", "complete"), ("zsh", "#compdef breeze"), ("fish", "complete -c 'breeze'")])
    func `a shell gets its completion script`(_ shell: String, _ mark: String) async throws {
        let outcome = try await Program().run("completions", shell)
        #expect(outcome.code == 0)
        #expect(outcome.output.contains(mark))
    }

    @Test func `a reader that goes away ends it without a word`() async throws {
        // The reader ends at once; the writer has more to say than a pipe holds.
        let line = "\"$0\" completions bash | true; \"$0\" completions zsh | head -c 1"
        let outcome = try await Program().shell(line)
        #expect(outcome.code == 0)
        #expect(outcome.errors.isEmpty)
    }
}
