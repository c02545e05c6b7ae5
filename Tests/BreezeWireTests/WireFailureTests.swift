import BreezeCore
import BreezeWire
import Testing

/// Errors as clients get them.
@Suite struct WireFailureTests {
    @Test(arguments: [
        (BreezeError.Code.invalidRequest, 400), (.invalidParameter, 400), (.unsupported, 400),
        (.unsupportedCapability, 400), (.contextSizeExceeded, 400), (.unknownCapability, 400),
        (.unauthorized, 401), (.forbidden, 403), (.notFound, 404), (.unknownModel, 404),
        (.unknownRunner, 404),
        (.methodNotAllowed, 405), (.payloadTooLarge, 413), (.unsupportedMediaType, 415), (.authRequired, 424),
        (.rateLimited, 429), (.busy, 429), (.cancelled, 499), (.runFailed, 500), (.internalError, 500),
        (.invalidOutput, 500), (.loadFailed, 500), (.noRunner, 503), (.unavailable, 503),
        (.resourceUnavailable, 503), (.guardianBlocked, 503), (.timeout, 504), (.insufficientDisk, 507),
        (BreezeError.Code(rawValue: "terms_not_accepted"), 403), (BreezeError.Code(rawValue: "new_one"), 500),
    ])
    func `a code has its status`(code: BreezeError.Code, status: Int) {
        #expect(WireFailure.status(of: BreezeError(code, "x")) == status)
    }

    @Test func `clients try again only where time may mend it`() {
        func headers(_ error: BreezeError) -> [String: String] {
            let headers = WireFailure(error, .openAI).headers
            return Dictionary(uniqueKeysWithValues: headers.map { ($0.name, $0.value) })
        }
        #expect(headers(BreezeError(.runFailed, "x")) == ["x-should-retry": "false"])
        #expect(headers(BreezeError(.invalidRequest, "x")) == ["x-should-retry": "false"])
        #expect(headers(BreezeError(.busy, "x")) == ["x-should-retry": "false"])
        #expect(headers(BreezeError(.busy, "x", retryAfter: .milliseconds(1_200))) == ["retry-after": "2"])
        #expect(headers(BreezeError(.busy, "x", retryAfter: .seconds(3))) == ["retry-after": "3"])
        #expect(headers(BreezeError(.busy, "x", retryAfter: .zero)) == ["retry-after": "1"])
        #expect(headers(.resourceUnavailable("x")).isEmpty)
    }

    @Test func `OpenAI's body names the field, the code and the remedy`() throws {
        let error = failure { _ = try OpenAIChat.parse(bytes(#"{"model":5}"#)) }
        let body = try json(WireFailure(try #require(error), .openAI).body)
        let expected = """
            {"error":{"message":"model is an integer.","type":"invalid_request_error","param":"model",
             "code":"invalid_parameter","remedy":"It takes a string."}}
            """
        #expect(try body == json(expected))
    }

    @Test(arguments: [
        (BreezeError(.contextSizeExceeded, "x"), "context_length_exceeded", "invalid_request_error"),
        (BreezeError(.unknownModel, "x"), "model_not_found", "invalid_request_error"),
        (BreezeError(.unsupported, "x"), "unsupported_capability", "invalid_request_error"),
        (
            BreezeError(.guardianBlocked, "x", verdict: .init(action: .block)), "content_filter",
            "invalid_request_error"
        ),
        (BreezeError(.guardianBlocked, "x"), "guardian_blocked", "server_error"),
        (BreezeError(.unauthorized, "x"), "unauthorized", "authentication_error"),
        (BreezeError(.forbidden, "x"), "forbidden", "permission_error"),
        (BreezeError(.busy, "x"), "busy", "rate_limit_error"),
    ])
    func `codes are the ones that clients know`(error: BreezeError, code: String, type: String) throws {
        let body = try json(WireFailure(error, .openAI).body)
        #expect(body["error", "code"] == .string(code))
        #expect(body["error", "type"] == .string(type))
    }

    @Test func `Ollama's body is a sentence`() throws {
        let error = BreezeError(.unknownModel, "There is no model m.", remedy: "Run breeze models pull m.")
        let body = try json(WireFailure(error, .ollama).body)
        #expect(body == ["error": "There is no model m. Run breeze models pull m."])
    }

    @Test(arguments: [("/v1/nothing", WireDialect.openAI), ("/api/nothing", .ollama), ("/apis", .openAI)])
    func `an unknown path is 404 in its dialect`(path: String, dialect: WireDialect) throws {
        #expect(WireDialect(path: path) == dialect)
        let failure = WireFailure.unknownPath(dialect)
        #expect(failure.status == 404)
        let text = try json(failure.body)["error"]
        #expect(dialect == .ollama ? text?.stringValue != nil : text?["code"] == "not_found")
    }

    @Test func `a verdict's findings go out without the text they were found in`() throws {
        let verdict = GuardianVerdict(action: .block, findings: [.init(category: "c", risk: 1, span: 2..<5)])
        let body = try json(WireFailure(BreezeError(.guardianBlocked, "x", verdict: verdict), .openAI).body)
        let expected = #"{"action":"block","findings":[{"category":"c","risk":1,"span":[2,5]}]}"#
        #expect(try body["error", "verdict"] == json(expected))
    }
}
