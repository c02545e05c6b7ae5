import BreezeCore
import BreezeSecrets
import Testing

@Suite struct `A secret` {
    private static let value = "hf_marker_3f9c"

    private var credential: Credential {
        get throws {
            Credential(
                service: .huggingFace,
                values: [try Secret(Self.value, named: "The token")],
                source: CredentialSource(.environment, "HF_TOKEN")
            )
        }
    }

    @Test func `is in no description, mirror or dump`() throws {
        let credential = try credential
        var dumped = ""
        dump(credential, to: &dumped)
        dump(credential.key, to: &dumped)
        let probe = try #require(try KeyProbe(credential))
        dump(probe, to: &dumped)
        let texts = [
            "\(credential)", "\(credential.key)", String(reflecting: credential), "\(probe)",
            String(reflecting: credential.key), "\(credential.values)",
            "\(Mirror(reflecting: credential.key))", String(describing: Optional(credential.key)),
            String(reflecting: probe), dumped,
        ]
        for text in texts {
            #expect(!text.contains(Self.value))
            #expect(!text.contains("marker"))
        }
        #expect("\(credential.key)" == "•••")
    }

    @Test func `gives its value to whoever asks for it by name`() throws {
        #expect(try credential.key.reveal() == Self.value)
    }

    @Test func `is taken without the blanks and line breaks around it`() throws {
        #expect(try Secret(" \t\(Self.value)\r\n", named: "It").reveal() == Self.value)
    }

    @Test(arguments: [
        ("", "The key is empty."), (" \n", "The key is empty."),
        ("a\nmarker", "The key holds a control character or a line break."),
        ("a\r\nInjected: marker", "The key holds a control character or a line break."),
        ("marker\u{0}x", "The key holds a control character or a line break."),
        (String(repeating: "m", count: 8_193), "The key is longer than 8192 bytes."),
    ])
    func `what can be no secret is refused without being repeated`(_ text: String, _ message: String) {
        let error = #expect(throws: BreezeError.self) { try Secret(text, named: "The key") }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message == message)
        #expect(error.map { "\($0)".contains("marker") } == false)
    }
}

@Suite struct `The table of services` {
    @Test(arguments: [
        ("huggingface", ["HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"]),
        ("kaggle", ["KAGGLE_USERNAME", "KAGGLE_KEY"]),
        ("picovoice", ["PICOVOICE_ACCESS_KEY"]), ("openrouter", ["OPENROUTER_API_KEY"]),
        ("brave", ["BRAVE_API_KEY"]), ("openai", ["OPENAI_API_KEY"]),
        ("custom:my-server", ["BREEZE_SECRET_MY_SERVER"]),
    ])
    func `knows each by its variables`(_ name: String, _ variables: [String]) throws {
        let service = try CredentialServices.builtIn.named(name)
        #expect(service.name == name)
        #expect(service.parts.flatMap(\.variables) == variables)
        #expect(service.isPair == (name == "kaggle"))
    }

    @Test func `an app adds and replaces its own`() throws {
        var services = CredentialServices.builtIn
        let count = services.all.count
        let part = CredentialService.Part("key", variables: ["MINE"])
        let mine = CredentialService("mine", title: "Mine", purpose: "tests", page: nil, parts: [part])
        services.register(mine)
        services.register(mine)
        #expect(services.all.count == count + 1)
        #expect(try services.named("mine") == mine)
    }

    @Test(arguments: [
        "hf_secretvalue", "custom:hf_secretvalue", "custom:", "custom:-a", "custom:a--b", "custom:A",
        "custom:a/b", "custom:../secretvalue", "",
    ])
    func `a name that is none is not repeated, since it may be the key`(_ name: String) {
        let error = #expect(throws: BreezeError.self) { try CredentialServices.builtIn.named(name) }
        #expect(error?.code == .invalidRequest)
        #expect(error.map { "\($0)".contains("secretvalue") } == false)
    }

    @Test func `a misspelt one gets the nearest`() {
        let error = #expect(throws: BreezeError.self) { try CredentialServices.builtIn.named("hugingface") }
        #expect(error?.remedy?.hasPrefix("Did you mean huggingface?") == true)
    }
}
