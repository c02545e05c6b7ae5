import BreezeCore
import BreezeTransport
import Foundation
import Testing

@testable import BreezeAPIRunner

/// What services report becomes an error that a caller can act on, and holds neither the key nor the prompt.
@Suite struct ErrorTests {
    private func fault(
        _ status: Int,
        _ body: String,
        prompt: String = "What is the capital of France?",
        headers: HeaderFields = [:]
    ) async throws -> BreezeError {
        let transport = ScriptedTransport([ScriptedTransport.step(body, status: status, headers: headers)])
        let runner = try Bench.runner(transport, retry: .never)
        let error = await #expect(throws: BreezeError.self) {
            try await Bench.collect(runner, InferenceRequest(.chat, prompt: prompt))
        }
        return try #require(error)
    }

    @Test(
        arguments: [
            (
                400,
                #"{"error":{"message":"Invalid value","type":"invalid_request_error","param":"n","code":null}}"#,
                "invalid_request"
            ),
            (401, #"{"error":{"code":401,"message":"No auth credentials found"}}"#, "auth_required"),
            (402, #"{"error":{"code":402,"message":"Insufficient credits"}}"#, "credit_exhausted"),
            (
                403,
                #"{"error":{"code":403,"message":"x","metadata":{"reasons":["violence"],"flagged_input":"y"}}}"#,
                "content_refused"
            ),
            (403, #"{"error":{"code":403,"message":"Forbidden"}}"#, "auth_required"),
            (
                404, #"{"error":{"code":"model_not_found","message":"The model does not exist"}}"#,
                "unknown_model"
            ),
            (
                404, #"{"error":{"code":404,"message":"No endpoints found matching your data policy"}}"#,
                "unknown_model"
            ),
            (404, "<html>not here</html>", "invalid_response"),
            (400, #"{"error":{"code":400,"message":"foo/bar is not a valid model ID"}}"#, "unknown_model"),
            (400, #"{"error":{"code":"content_policy_violation","message":"x"}}"#, "content_refused"),
            (408, "{}", "timeout"), (413, "", "invalid_request"),
            (422, #"{"detail":[{"loc":["body"]}]}"#, "invalid_request"),
            (429, #"{"error":{"code":429,"message":"x"}}"#, "rate_limited"),
            (
                429, #"{"error":{"code":"insufficient_quota","type":"insufficient_quota","message":"x"}}"#,
                "credit_exhausted"
            ),
            (500, "", "resource_unavailable"),
            (502, #"{"error":{"code":502,"message":"x"}}"#, "resource_unavailable"),
            (503, "<html>", "resource_unavailable"), (504, "", "timeout"), (302, "", "resource_unavailable"),
        ]
    )
    func `statuses and codes`(status: Int, body: String, code: String) async throws {
        #expect(try await fault(status, body).code.rawValue == code)
    }

    @Test(
        arguments: [
            // OpenAI, vLLM and OpenRouter, llama.cpp.
            (
                400,
                #"{"error":{"code":"context_length_exceeded","message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens."}}"#
            ),
            (
                400,
                #"{"object":"error","type":"BadRequestError","code":400,"message":"This model's maximum context length is 8192 tokens. However, you requested 9001 tokens (8901 in the messages)."}"#
            ),
            (
                400,
                #"{"error":{"code":400,"message":"This endpoint's maximum context length is 8192 tokens. However, you requested about 9001 tokens."}}"#
            ),
            (
                400,
                #"{"error":{"code":400,"type":"exceed_context_size_error","message":"too long","n_prompt_tokens":9001,"n_ctx":8192}}"#
            ),
        ]
    )
    func `a context that is too small comes with its counts`(status: Int, body: String) async throws {
        let error = try await fault(status, body)
        #expect(error.code == .contextSizeExceeded)
        #expect(error.message.contains("9001") && error.message.contains("8192"))
    }

    @Test func `without counts it has the configured context`() async throws {
        let error = try await fault(
            400,
            #"{"error":{"code":"context_length_exceeded","message":"too long"}}"#
        )
        #expect(error.message == "The input is longer than the context of acme/one, which is 4096 tokens.")
    }

    @Test func `a time to come back is passed on`() async throws {
        for status in [429, 503] {
            let error = try await fault(status, "{}", headers: ["Retry-After": "90"])
            #expect(error.retryAfter == .seconds(90))
        }
    }

    @Test func `a refused key is named by its service`() async throws {
        let error = try await fault(401, #"{"error":{"message":"Incorrect API key provided: sk-tes**cdef"}}"#)
        #expect(error.service == "test")
        #expect(error.remedy == "breeze secrets set test")
        #expect(!error.description.contains("sk-"))
    }

    @Test(
        arguments: [
            "Invalid: What is the capital of France?", "Invalid value 'capital of\nFrance?'",
            "the key sk-test-0123456789abcdef is not welcome",
        ]
    )
    func `neither prompt nor key is repeated`(message: String) async throws {
        let quoted = try JSONValue.string(message).compactText()
        let error = try await fault(400, "{\"error\":{\"message\":\(quoted)}}")
        #expect(error.message == "The test service refused the request with status 400.")
        #expect(error.underlying == nil)
    }

    @Test func `what the service says helps where it is harmless`() async throws {
        let error = try await fault(400, #"{"error":{"message":"temperature must be at most 1"}}"#)
        #expect(error.message.hasSuffix("It says: temperature must be at most 1"))
    }

    @Test func `without a key nothing is sent, and the runner says so before`() async throws {
        let transport = ScriptedTransport(streaming: Recordings.chat)
        let runner = try Bench.runner(transport, key: { nil })
        let error = await #expect(throws: BreezeError.self) { try await Bench.collect(runner) }
        #expect(error?.code == .authRequired)
        #expect(error?.service == "test")
        #expect(transport.requests.isEmpty)
        guard case .unavailable(let reason, let remedy) = await runner.availability() else {
            Issue.record("it is available")
            return
        }
        #expect(reason == "The test service needs an API key, and none was found.")
        #expect(remedy == "breeze secrets set test")
        #expect(await (try Bench.runner(transport)).availability() == .available)
    }

    @Test func `a service without a key is not asked for one`() async throws {
        var service = Bench.service()
        service.keyName = nil
        let transport = ScriptedTransport(streaming: Recordings.chat)
        let runner = try Bench.runner(transport, service, key: { throw CancellationError() })
        _ = try await Bench.collect(runner)
        #expect(transport.requests.first?.headers["Authorization"] == nil)
    }
}
