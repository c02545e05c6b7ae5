extension InferenceRequest {
    /// Whether the request holds what its capability needs; a capability that Breeze does not define is taken
    /// as it is.
    /// - Throws: ``BreezeError/Code/invalidRequest`` naming what is missing.
    public func validate() throws {
        switch capability {
        case .chat: try validateConversation()
        case .tts, .guardian: try require(prompt?.isEmpty == false, "a prompt that is not empty")
        case .vlm, .ocr:
            let inMessages = messages?.contains { $0.images?.isEmpty == false } ?? false
            try require(imageData?.isEmpty == false || inMessages, "image data")
        case .asr: try require(audioData?.isEmpty == false, "audio data")
        case .embedding: try validateTexts()
        case .classification:
            try validateTexts()
            try validateCategories()
        case .rerank:
            try require(prompt?.isEmpty == false, "a prompt, the query")
            try require(inputs?.isEmpty == false, "inputs, the documents")
        default: break
        }
    }

    private func require(_ holds: Bool, _ what: String) throws {
        guard !holds else { return }
        throw BreezeError(
            .invalidRequest,
            "A request for \(capability) needs \(what).",
            remedy: "Add it to the request."
        )
    }

    private func validateConversation() throws {
        try require(!conversation.isEmpty, "a prompt or messages")
        let last = conversation.last
        try require(
            last?.content.isEmpty == false || last?.images?.isEmpty == false,
            "a last message that is not empty"
        )
    }

    private func validateTexts() throws {
        try require(!texts.isEmpty, "inputs or a prompt")
        if let index = texts.firstIndex(where: \.isEmpty) {
            throw BreezeError(
                .invalidRequest,
                "Text \(index + 1) of \(texts.count) is empty.",
                remedy: "Leave empty texts out."
            )
        }
    }

    private func validateCategories() throws {
        guard let categories else { return }
        try require(categories.count > 1, "two categories or more")
        var seen: Set<String> = []
        for category in categories {
            try require(seen.insert(category.name).inserted, "categories of different names")
            try require(
                category.examples.contains { !$0.isEmpty },
                "an example text for the category \(category.name)"
            )
        }
    }
}
