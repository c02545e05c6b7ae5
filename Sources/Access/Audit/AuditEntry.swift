package import BreezeCore
package import Foundation

/// Who did something.
package enum AuditSubject: Hashable, Sendable {
    /// An app, by its id.
    case app(String)
    case owner
    /// An app that asks by URL, by its id, or `unverified`: the owner's own handler vouches for it.
    case scheme(String)
    /// A loopback client without a key, where the owner let such in.
    case anonymous
    /// Nobody that is known: it was not let in.
    case unknown

    package var name: String {
        switch self {
        case .app: "app"
        case .owner: "owner"
        case .scheme: "scheme"
        case .anonymous: "anonymous"
        case .unknown: "unknown"
        }
    }

    package var app: String? {
        switch self {
        case .app(let id), .scheme(let id): id
        case .owner, .anonymous, .unknown: nil
        }
    }

    /// For ``InferenceRequest/client``: the same for all requests of one app.
    var client: String { app.map { "\(name):\($0)" } ?? name }
}

/// One request, let in or not. What was asked and answered is in none of its fields.
package struct AuditEntry: Codable, Hashable, Sendable {
    /// When it came.
    package var time: Date
    package var request: String
    /// `app`, `owner`, `scheme`, `anonymous` or `unknown`.
    package var who: String
    package var app: String?
    /// The user at the other end of the Unix socket.
    package var uid: UInt32?
    /// `run`, `list`, `models` or `owner`.
    package var action: String
    package var capability: String?
    package var model: String?
    package var runner: String?
    package var locality: Locality?
    /// How it ended: a reason to finish, `cancelled`, `error`, or `denied`.
    package var outcome: String
    /// The code of ``BreezeError``.
    package var error: String?
    package var tokensIn = 0
    package var tokensOut = 0
    package var bytesIn = 0
    package var bytesOut = 0
    package var queueSeconds = 0.0
    package var loadSeconds = 0.0
    package var runSeconds = 0.0
    package var totalSeconds = 0.0
    /// How many this stands for: what is denied again and again within a moment is one entry.
    package var count = 1

    /// Names come from clients: what cannot be shown in one line is replaced.
    static func name(_ text: String) -> String { UntrustedText.cleaned(text, limit: 200) }
}

/// How a request went, told when it is over.
package struct RequestOutcome: Sendable {
    /// A reason to finish, `cancelled` or `error`.
    package var name: String
    package var error: BreezeError.Code?
    package var model: String?
    package var runner: String?
    /// Where the runner did its work.
    package var locality: Locality?
    package var usage: Usage
    package var bytesIn: Int
    package var bytesOut: Int
    package var timings: Timings
    /// What counts against the quota of compute.
    package var computeSeconds: Double

    /// `computeSeconds` is the runner's time where it is not given.
    package init(
        _ name: String,
        error: BreezeError.Code? = nil,
        model: String? = nil,
        runner: String? = nil,
        locality: Locality? = nil,
        usage: Usage = Usage(),
        bytesIn: Int = 0,
        bytesOut: Int = 0,
        timings: Timings = Timings(),
        computeSeconds: Double? = nil
    ) {
        self.name = name
        self.error = error
        self.model = model
        self.runner = runner
        self.locality = locality
        self.usage = usage
        self.bytesIn = bytesIn
        self.bytesOut = bytesOut
        self.timings = timings
        self.computeSeconds = computeSeconds ?? timings.run
    }

    package static func finished(
        _ result: InferenceResult,
        locality: Locality,
        bytesIn: Int,
        bytesOut: Int
    ) -> RequestOutcome {
        RequestOutcome(
            result.finishReason.rawValue,
            model: result.model,
            runner: result.runner,
            locality: locality,
            usage: result.usage,
            bytesIn: bytesIn,
            bytesOut: bytesOut,
            timings: result.timings
        )
    }

    package static func failed(_ error: BreezeError, timings: Timings = Timings()) -> RequestOutcome {
        RequestOutcome(error.code == .cancelled ? "cancelled" : "error", error: error.code, timings: timings)
    }
}
