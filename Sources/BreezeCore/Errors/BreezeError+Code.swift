extension BreezeError {
    /// A stable name for a kind of failure. Open, so that adding one never breaks a caller's `switch`; a
    /// published value never changes its meaning.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

/// The caller's request cannot be taken as it is.
extension BreezeError.Code {
    /// The request is malformed, or lacks what its capability needs.
    public static let invalidRequest = Self(rawValue: "invalid_request")
    /// A parameter has a wrong type, or a value out of its range.
    public static let invalidParameter = Self(rawValue: "invalid_parameter")
    /// A setting in the file, the environment or the flags is unknown or has a wrong value.
    public static let invalidSetting = Self(rawValue: "invalid_setting")
    /// The request asks for something that the chosen runner cannot enforce.
    public static let unsupported = Self(rawValue: "unsupported")
    /// The input is longer than the model's context.
    public static let contextSizeExceeded = Self(rawValue: "context_size_exceeded")
    public static let unknownCapability = Self(rawValue: "unknown_capability")
    public static let unknownRunner = Self(rawValue: "unknown_runner")
    public static let unknownModel = Self(rawValue: "unknown_model")
    /// What the request names is not there: a message, a correction, a path of the hub.
    public static let notFound = Self(rawValue: "not_found")
}

extension BreezeError {
    /// The input is `asked` tokens long and the context has `limit`.
    package static func contextSizeExceeded(limit: Int, asked: Int) -> BreezeError {
        BreezeError(
            .contextSizeExceeded,
            "The input has \(asked) tokens, and the context has room for \(limit) with the answer.",
            remedy: "Shorten the input, or ask for a larger contextSize where the model allows it."
        )
    }
}

/// The device, or a file on it, does not allow it now.
extension BreezeError.Code {
    /// No registered runner may answer; the message says why for each.
    public static let noRunner = Self(rawValue: "no_runner")
    /// A runtime, model or permission is missing; the remedy is the command that mends it.
    public static let unavailable = Self(rawValue: "unavailable")
    public static let insufficientMemory = Self(rawValue: "insufficient_memory")
    public static let insufficientDisk = Self(rawValue: "insufficient_disk")
    /// A model, tokenizer or media file is damaged, mislabelled or of an unknown kind.
    public static let invalidFile = Self(rawValue: "invalid_file")
    /// A file could not be read or written.
    public static let inputOutput = Self(rawValue: "input_output")
    /// Memory, disk, the network or a server is not there now; trying again later may succeed.
    public static let resourceUnavailable = Self(rawValue: "resource_unavailable")
    /// A service wants a credential that is missing or was refused; ``BreezeError/service`` is its name.
    public static let authRequired = Self(rawValue: "auth_required")
    /// Another process or request holds what is needed.
    public static let busy = Self(rawValue: "busy")
}

/// A request that had begun did not end well.
extension BreezeError.Code {
    public static let cancelled = Self(rawValue: "cancelled")
    public static let timeout = Self(rawValue: "timeout")
    public static let loadFailed = Self(rawValue: "load_failed")
    public static let runFailed = Self(rawValue: "run_failed")
    /// The answer does not satisfy the schema it was asked to satisfy.
    public static let invalidOutput = Self(rawValue: "invalid_output")
    /// A guardian ended the request, or could not do its work: an answer so far ends with
    /// ``InferenceResult/FinishReason/contentFilter``. ``BreezeError/verdict`` is what it said.
    public static let guardianBlocked = Self(rawValue: "guardian_blocked")
    /// A fault in Breeze itself.
    public static let internalError = Self(rawValue: "internal_error")
}

extension BreezeError {
    /// A credential is missing, or was refused, so that an interface can ask for the right one and go on.
    ///
    /// `service` is the name that `breeze secrets set` takes, `huggingface`; `message` calls the service as a person
    /// does, and `remedy` says how the credential is given to Breeze.
    public static func authRequired(service: String, _ message: String, remedy: String) -> BreezeError {
        BreezeError(.authRequired, message, remedy: remedy, service: service)
    }

    /// `reason` is a sentence that names what is not there.
    public static func resourceUnavailable(
        _ reason: String,
        remedy: String? = nil,
        retryAfter: Duration? = nil,
        underlying: (any Error)? = nil
    ) -> BreezeError {
        BreezeError(
            .resourceUnavailable,
            reason,
            remedy: remedy,
            retryAfter: retryAfter,
            underlying: underlying
        )
    }
}
