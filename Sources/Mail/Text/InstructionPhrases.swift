/// Phrases that speak to an AI, in the languages that they come in.
///
/// A line has steps, `/` between them, each with its alternatives, `|` between them; a word with `*` may go on. Between
/// two steps other words may stand, no more than `gap` and none beyond a sentence. Case, accents and how the letters
/// are disguised do not matter; a comma stands for a colon too.
struct InstructionPhrases: Sendable {
    var kind: InstructionKind
    /// Whether people say it to people as well: it tells something only together with another kind.
    var isLoose = false
    /// Whether it shows that the text is about such phrases.
    var isDiscussion = false
    var gap = 3
    var lines: [String]

    static let all =
        english + german + french + spanish + italian + portuguese + dutch + russian + chinese + japanese
        + discussion

    private static let english: [InstructionPhrases] = [
        Self(
            kind: .override,
            lines: [
                """
                ignore|ignores|ignoring|disregard|forget|override|bypass|discard|neglect\
                /previous|prior|above|preceding|earlier|existing|former|initial|original|past|system|foregoing\
                /instruction*|prompt|prompts|directive*|guideline*|guardrail*|programming
                """,
                """
                ignore|disregard|forget|override|bypass/your|all your|all of your\
                /instruction*|guideline*|guardrail*|programming|system prompt|safety rules|training
                """,
                "new|updated|revised|real|actual|true/system prompt|system instruction*|system directive*",
            ]
        ),
        Self(
            kind: .override,
            isLoose: true,
            lines: [
                "ignore|disregard|forget/everything|anything|all|all text|the/above|before this|previously said",
                "system override|new system message|override protocol",
            ]
        ),
        Self(
            kind: .persona,
            gap: 2,
            lines: [
                """
                you are now|you re now|from now on you are|from now on act as|henceforth you are\
                /ai|chatbot|language model|llm|gpt|chatgpt|assistant|unrestricted|jailbroken|unfiltered|uncensored\
                |developer mode|dan mode
                """,
                "you are|you re/ai language model|large language model|ai assistant|ai model|helpful assistant",
                """
                act as|pretend to be|pretend you are|behave as|roleplay as\
                /unrestricted|jailbroken|uncensored|ai assistant|ai model|language model|chatbot
                """,
            ]
        ),
        Self(
            kind: .leak,
            gap: 4,
            lines: [
                """
                reveal|print|show|repeat|output|display|leak|share|dump|return|disclose|expose|send|tell|give|write\
                |include|append|summarize|summarise|recite|translate\
                /system prompt|system prompts|initial prompt|hidden prompt|hidden instruction*|secret instruction*\
                |system instruction*|developer message|your prompt|your initial instruction*|your original instruction*
                """
            ]
        ),
        Self(
            kind: .concealment,
            lines: [
                """
                do not|don t|dont|never|must not|without/tell*|inform*|notify*|mention*|alert*|reveal*|warn*|disclos*\
                /the user|the human|your user
                """
            ]
        ),
        Self(
            kind: .address,
            lines: [
                """
                as an ai|as the ai|as your ai|as an artificial intelligence|as a language model|as a large language model\
                |as an llm/you|your/must|should|will|shall|need|have to|are required|are to|task|goal|job|role|duty
                """,
                "if you are|if you re/ai|llm|language model|chatbot/read*|process*|summariz*|summaris*|analyz*|, ",
                """
                instruction*|note|message|attention|directive*/for|to|, \
                /ai assistant|ai assistants|ai model|ai models|ai system|llm|llms|language model|language models\
                |email assistant|ai summarizer
                """,
            ]
        ),
        Self(
            kind: .action,
            gap: 4,
            lines: [
                """
                assistant ,|ai ,|ai agent ,|ai assistant ,|agent ,|copilot ,|chatbot ,|llm ,|language model ,|gpt ,\
                /forward|send|call|invoke|execute|run|delete|transfer|upload|exfiltrate|email|search\
                /mail*|email*|message*|inbox|tool|tools|function|password*|code|codes|contacts|credential*|data|attachment*
                """,
                """
                call|invoke|use|trigger/send email|send mail|forward email|send message|delete email|search inbox\
                |read email|create filter|web browsing/tool|function|plugin
                """,
            ]
        ),
        Self(
            kind: .action,
            isLoose: true,
            lines: [
                "use|using|call|invoke/your tool|your tools|your function|your plugin*|the tool|available tools",
                """
                forward|send|bcc|exfiltrate/all|every|latest|last|entire|user s|users\
                /emails|mails|messages|inbox|contacts|passwords|credential*|verification codes|conversation*/to
                """,
            ]
        ),
        Self(
            kind: .verdict,
            gap: 4,
            lines: [
                """
                classifier ,|spam filter ,|filter ,|ai ,|assistant ,|llm ,|model ,\
                /mark|flag|treat|classify|label|categorize|categorise|rate|score|consider\
                /safe|not spam|non spam|legitimate|benign|trusted|important|not phishing|ham
                """,
                """
                classify|categorize|categorise|label|score|rate/this|the\
                /message|mail|email|e mail|sender/as/safe|not spam|non spam|legitimate|benign|trusted|not phishing
                """,
            ]
        ),
        Self(
            kind: .verdict,
            isLoose: true,
            lines: [
                """
                mark|flag|treat|consider|report/this|the/message|mail|email|e mail|sender\
                /as/safe|not spam|non spam|not junk|legitimate|important|trusted|benign|high priority|not phishing
                """
            ]
        ),
    ]

    private static let discussion: [InstructionPhrases] = [
        Self(
            kind: .override,
            isLoose: true,
            isDiscussion: true,
            gap: 0,
            lines: [
                """
                prompt injection*|prompt injecting|injected prompt*|jailbreak|jailbreaks|jailbreaking|adversarial prompt*\
                |red teaming|injection attack*|injections de prompt|injection de prompt|inyeccion de prompt\
                |inyeccion de prompts|injecao de prompt|promptinjectie|промпт инъекци*|инъекци* промпт*\
                |提示注入|提示词注入|提示詞注入|プロンプトインジェクション
                """
            ]
        )
    ]
}
