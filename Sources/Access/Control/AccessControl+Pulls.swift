#if Hub
import BreezeCore
import BreezeStore
import Foundation
import GRDB

extension AccessControl {
    /// Those that wait, and those that were decided, the oldest first.
    package func pulls() async throws -> [PullRequest] {
        try await store.read { try PullRecords.all($0) }
    }

    /// The owner's acceptance of exactly these terms; where there is none, asks for it.
    ///
    /// `app` is who wants the model; `nil` is the owner.
    /// - Throws: ``BreezeError`` `.consentRequired`, and a request waits for the owner then; `.busy` where too many wait
    ///   already.
    package func requirePull(_ terms: PullTerms, by app: String?) async throws -> PullRequest {
        let (terms, time, limit) = (try terms.checked(), now(), settings.waitingLimit)
        let new = PullRequest(id: KeyText.randomID(), terms: terms, app: app, created: time, state: .waiting)
        let (request, isNew) = try await jobs.run {
            try await self.store.write { database in
                if let known = try PullRecords.find(terms, database) { return (known, false) }
                guard try PullRecords.waiting(database) < limit else {
                    throw BreezeError(
                        .busy,
                        "\(limit) downloads wait for the owner already.",
                        remedy: "Decide about them first, in the control panel under Models."
                    )
                }
                try PullRecords.insert(new, database)
                return (new, true)
            }
        }
        if isNew { await tell(request) }
        let said =
            switch request.state {
            case .accepted: nil as String?
            case .waiting: "The owner has not accepted the source and licence of \(terms.model) yet."
            case .refused: "The owner refused the download of \(terms.model)."
            }
        guard let said else { return request }
        throw BreezeError(
            .consentRequired,
            said,
            remedy: "The owner accepts it in the control panel under Models."
        )
    }

    /// `shown` is what the owner saw before the decision. Where it is not what the request says, nothing is
    /// decided.
    @discardableResult
    package func decidePull(_ id: String, accept: Bool, shown: PullTerms) async throws -> PullRequest {
        let time = now()
        let request = try await jobs.run {
            try await self.store.write { database in
                var request = try PullRecords.find(id, database)
                guard request.terms == shown else {
                    throw AccessFault.invalid(
                        "The terms of \(request.terms.model) are not those that were shown.",
                        remedy: "Look at them once more, then decide."
                    )
                }
                request.state = accept ? .accepted : .refused
                request.decided = time
                try PullRecords.update(request, database)
                return request
            }
        }
        await tell(request)
        return request
    }

    private func tell(_ request: PullRequest) async {
        await memory.set { $0.pulls?[request.id] = request }
        changesOut.send([.pull(request)])
    }
}
#endif
