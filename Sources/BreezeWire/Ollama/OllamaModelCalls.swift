package import BreezeCore

/// The bodies of `/api/show`, `/api/pull` and `/api/delete`: a model, and how to go about it.
package struct OllamaModelCall: Sendable {
    package enum Route: Sendable {
        case show, pull, delete
    }

    package var model: String
    /// Whether progress comes in lines.
    package var streams: Bool
    package var remarks = WireRemarks()

    package init(_ route: Route, parsing body: [UInt8]) throws {
        (self, remarks) = try WireBody.read(body) { try Self(route, &$0) }
    }

    private init(_ route: Route, _ fields: inout WireFields) throws {
        model = try fields.modelName("model", older: "name")
        streams = try fields.bool("stream") ?? true
        switch route {
        case .show:
            fields.accept("verbose")
            for name in ["system", "template", "options"] {
                try fields.refuse(name, "would show another model than there is", unless: \.isEmpty)
            }
        case .pull:
            let remedy = "Models come over connections that are checked."
            try fields.refuse("insecure", "cannot be honoured", remedy: remedy) { $0.bool == false }
            try fields.refuse(
                "username",
                "is a credential",
                remedy: "Use breeze secrets set.",
                unless: \.isEmpty
            )
            try fields.refuse(
                "password",
                "is a credential",
                remedy: "Use breeze secrets set.",
                unless: \.isEmpty
            )
        case .delete: break
        }
    }

    /// `{"status": "success"}`, and what else there is to say.
    package static func status(_ status: String) -> [UInt8] {
        JSONWriter.object { $0.field("status", status) }
    }

    /// One line of a download: the SHA-256 in hexadecimal digits of the file that comes in, `nil` for a step without
    /// one; and bytes, `nil` where nobody knows.
    package static func progress(
        _ status: String,
        digest: String? = nil,
        total: Int64? = nil,
        completed: Int64? = nil
    ) -> [UInt8] {
        LineStream.line(
            JSONWriter.object { writer in
                writer.field("status", status)
                writer.field("digest", ifPresent: digest.map { "sha256:\($0)" })
                writer.field("total", ifPresent: total)
                writer.field("completed", ifPresent: completed)
            }
        )
    }

    /// A download that broke off.
    package static func failure(_ error: BreezeError) -> [UInt8] {
        LineStream.line(WireFailure(error, .ollama).body)
    }

    package static func version(_ version: String) -> [UInt8] {
        JSONWriter.object { $0.field("version", version) }
    }
}

/// The body of `/api/copy`.
package struct OllamaCopyCall: Sendable {
    package var source: String
    package var destination: String
    package var remarks = WireRemarks()

    package init(parsing body: [UInt8]) throws {
        let names: (String, String)
        (names, remarks) = try WireBody.read(body) { fields in
            (try fields.requiredString("source"), try fields.requiredString("destination"))
        }
        (source, destination) = names
    }
}

extension WireFields {
    fileprivate mutating func modelName(_ name: String, older: String) throws -> String {
        if peek(name) == nil, peek(older) != nil { return try requiredString(older) }
        accept(older)
        return try requiredString(name)
    }
}
