#if Hub
import BreezeCore
import Foundation

extension AccessGate {
    static func entry(_ facts: AccessGrant.Facts, _ outcome: RequestOutcome) -> AuditEntry {
        var entry = AuditEntry(
            time: facts.time,
            request: AuditEntry.name(facts.request),
            who: facts.subject.name,
            app: facts.subject.app,
            uid: facts.uid,
            action: facts.need.action,
            capability: facts.need.capability.map { AuditEntry.name($0.rawValue) },
            model: outcome.model.map(AuditEntry.name),
            runner: outcome.runner.map(AuditEntry.name),
            locality: outcome.locality,
            outcome: outcome.name,
            error: outcome.error?.rawValue
        )
        entry.tokensIn = outcome.usage.inputTokens
        entry.tokensOut = outcome.usage.outputTokens
        entry.bytesIn = outcome.bytesIn
        entry.bytesOut = outcome.bytesOut
        entry.queueSeconds = outcome.timings.queue
        entry.loadSeconds = outcome.timings.load
        entry.runSeconds = outcome.timings.run
        entry.totalSeconds = outcome.timings.total
        return entry
    }

    static func denial(
        _ error: BreezeError,
        who: AuditSubject,
        _ need: AccessNeed,
        _ caller: Caller,
        request: String,
        at time: Date
    ) -> AuditEntry {
        AuditEntry(
            time: time,
            request: AuditEntry.name(request),
            who: who.name,
            app: who.app,
            uid: caller.uid,
            action: need.action,
            capability: need.capability.map { AuditEntry.name($0.rawValue) },
            outcome: "denied",
            error: error.code.rawValue
        )
    }
}
#endif
