#if Llama
import BreezeCore
import Testing

@testable import BreezeLlamaRunner

/// Tool calls through a template that names them as Qwen's and Hermes' do.
@Suite struct ToolCallTests {
    private static let template = """
        {%- if tools %}<|im_start|>system
        Tools:
        {% for t in tools %}{{ t | tojson }}
        {% endfor %}Call one so: <tool_call>
        {"name": "…", "arguments": {}}
        </tool_call><|im_end|>
        {% endif %}{% for m in messages %}<|im_start|>{{ m.role }}
        {{ m.content }}{% if m.tool_calls %}{% for c in m.tool_calls %}
        <tool_call>
        {"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}
        </tool_call>{% endfor %}{% endif %}<|im_end|>
        {% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
        {% endif %}
        """
    private static let tool = ToolDefinition(
        name: "move_mail",
        description: "Moves a mail.",
        parameters: [
            "type": "object", "required": ["id"], "properties": ["id": ["type": "integer"]],
        ]
    )

    private func request(_ messages: [ChatMessage], _ choice: ToolChoice? = nil) -> InferenceRequest {
        let configuration = InferenceConfig(tools: [Self.tool], toolChoice: choice)
        return InferenceRequest(.chat, id: "r", messages: messages, configuration: configuration)
    }

    private func applied(_ request: InferenceRequest) throws -> ChatTemplates.Applied {
        try ChatTemplates(jinja: Self.template, beginning: "", end: "<|im_end|>").apply(request)
    }

    /// What a caller is given of an answer that comes in these pieces.
    private func read(_ pieces: [String]) throws -> (text: String, calls: [ToolCall]) {
        let asked = request([ChatMessage(.user, "File mail 17.")])
        var reader = AnswerReader(try applied(asked), requestID: asked.id, calls: true)
        var (text, calls) = ("", [ToolCall]())
        for parts in try pieces.map({ try reader.append($0) }) + [reader.finish()] {
            text += parts.text
            calls += parts.toolCalls
        }
        return (text, calls)
    }

    @Test func `a call is told as one, however its text is cut, and its text is not shown`() throws {
        let answer = "Sure. <tool_call>\n{\"name\": \"move_mail\", \"arguments\": {\"id\": 17}}\n</tool_call>"
        for pieces in [
            [answer], answer.map { String($0) }, [String(answer.prefix(20)), String(answer.dropFirst(20))],
        ] {
            let (text, calls) = try read(pieces)
            #expect(text.trimmingPrefix { $0 == " " }.hasPrefix("Sure."))
            #expect(!text.contains("tool_call"))
            #expect(calls == [ToolCall(id: "call_r_0", name: "move_mail", arguments: ["id": 17])])
        }
    }

    @Test func `an answer without a call is its text`() throws {
        let (text, calls) = try read(["just ", "text"])
        #expect(text == "just text")
        #expect(calls.isEmpty)
    }

    @Test func `earlier calls and their results stand in the prompt`() throws {
        let prompt = try applied(
            request([
                ChatMessage(.user, "File mail 17."),
                ChatMessage(
                    .assistant,
                    "",
                    toolCalls: [ToolCall(id: "a", name: "move_mail", arguments: ["id": 17])]
                ),
                ChatMessage(.tool, "moved", toolCallID: "a"),
            ])
        ).prompt
        for words in [
            "Moves a mail.", #"{"name": "move_mail", "arguments": {"id": 17}}"#, "<|im_start|>tool\nmoved",
        ] {
            #expect(prompt.contains(words), "\(words) in \(prompt)")
        }
    }

    @Test func `a choice that no tool satisfies is refused`() {
        for choice in [ToolChoice.named("other"), .required] {
            var asked = request([ChatMessage(.user, "x")], choice)
            if choice == .required { asked.configuration.tools = [] }
            let refused = asked
            let error = #expect(throws: BreezeError.self) { try applied(refused) }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test func `no tool choice leaves the tools out of the prompt`() throws {
        let prompt = try applied(request([ChatMessage(.user, "x")], ToolChoice.none)).prompt
        #expect(!prompt.contains("move_mail"))
    }
}
#endif
