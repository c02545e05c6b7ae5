#if Hub
import BreezeAccess
import BreezeCatalog
import BreezeCore
import BreezeModels
import BreezeTransport
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore
import Synchronization

extension HubServer {
    func addDownloadRoutes(to router: RouterGroup<HubContext>) {
        let plans = ShownPlans()
        router.post("models/plan") { request, context in
            struct Wish: Decodable { let model: String }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            let plan = try await self.parts.manager.plan(
                try Self.reference(wish.model, self.parts.manager.catalog)
            )
            return try Response(
                ShownPlan(planID: plans.keep(plan), plan: await self.shown(plan))
            )
        }
        router.post("models/pull") { request, context in
            struct Accepted: Decodable {
                struct Terms: Decodable {
                    let terms: Bool
                    let noncommercial: Bool?
                }

                let planID: String
                let accept: Terms
            }
            let accepted = try await request.read(Accepted.self, self.options.limits, context)
            let plan = try plans.plan(accepted.planID)
            let acceptance = TermsAcceptance(
                terms: accepted.accept.terms,
                noncommercial: accepted.accept.noncommercial ?? false
            )
            try acceptance.check(plan)
            self.downloads.begin(plan, acceptance)
            return try Response(["id": plan.id], status: .accepted)
        }
        router.post("models/:id/pause") { _, context in
            try await self.downloads.pause(try context.part("id"))
            return try Response(Done())
        }
        router.post("models/:id/resume") { _, context in
            try self.downloads.resume(try context.part("id"))
            return try Response(Done())
        }
        router.post("models/:id/cancel") { _, context in
            try await self.downloads.cancel(try context.part("id"))
            return try Response(Done())
        }
        addPullRoutes(to: router)
    }

    /// What apps want here, and what the owner says to it.
    private func addPullRoutes(to router: RouterGroup<HubContext>) {
        router.get("pulls") { _, _ in
            let names = self.appNames
            let waiting = try await self.parts.access.pulls().filter { $0.state == .waiting }
            return try Response(["pulls": waiting.map { WaitingPull($0, names) }])
        }
        router.post("pulls/:id/accept") { request, context in
            struct Terms: Decodable { let noncommercial: Bool? }
            let terms = try await request.read(Terms.self, self.options.limits, context)
            let pull = try await self.pull(try context.part("id"))
            guard !pull.terms.forbidsCommercialUse || terms.noncommercial == true else {
                throw BreezeError(
                    .termsNotAccepted,
                    "The licence of \(pull.terms.model) forbids commercial use.",
                    remedy: "Accept it for use that is not commercial, or refuse the download."
                )
            }
            // The source may offer something else by now than what was asked for.
            let plan = try await self.parts.manager.plan(pull.terms.model)
            guard plan.terms == pull.terms else {
                throw BreezeError(
                    .conflict,
                    "The source of \(pull.terms.model) has changed since it was asked for.",
                    remedy: "Refuse this request; the app asks anew, with the terms of now."
                )
            }
            try await self.parts.access.decidePull(pull.id, accept: true, shown: pull.terms)
            let acceptance = TermsAcceptance(terms: true, noncommercial: terms.noncommercial ?? false)
            EgressClient.$current.withValue(pull.app.map { .app($0) } ?? .owner) {
                _ = self.downloads.begin(plan, acceptance)
            }
            return try Response(Done())
        }
        router.post("pulls/:id/refuse") { _, context in
            let pull = try await self.pull(try context.part("id"))
            try await self.parts.access.decidePull(pull.id, accept: false, shown: pull.terms)
            return try Response(Done())
        }
    }

    private func pull(_ id: String) async throws -> PullRequest {
        guard let pull = try await parts.access.pulls().first(where: { $0.id == id }) else {
            throw BreezeError(.notFound, "No download \(id.prefix(80)) waits for a decision.")
        }
        return pull
    }

    private struct WaitingPull: Encodable {
        let id: String
        let model: String
        let source: String
        let size: Int64?
        let license: ModelLicense
        let app: String

        init(_ pull: PullRequest, _ names: [String: String]) {
            (id, model, source) = (pull.id, pull.terms.model, pull.terms.source)
            size = pull.terms.bytes > 0 ? pull.terms.bytes : nil
            var license = ModelLicense(named: pull.terms.license)
            license.url = pull.terms.licenseURL
            if pull.terms.forbidsCommercialUse { license.commercialUse = .forbidden }
            self.license = license
            app = pull.app.map { names[$0] ?? $0 } ?? "Owner"
        }
    }

    // MARK: - Before the first byte

    private struct ShownPlan: Encodable {
        struct Plan: Encodable {
            struct File: Encodable {
                let name: String
                let size: Int64?
                let sha256: String?
            }

            let id: String
            let source: String
            let size: Int64?
            let license: ModelLicense
            let gated: Bool
            let publisher: String?
            let files: [File]
            let fit: String
            let reason: String?
        }

        let planID: String
        let plan: Plan
    }

    private func shown(_ plan: PullPlan) async -> ShownPlan.Plan {
        let fit = await fit(of: plan.entry?.estimatedMemory)
        return ShownPlan.Plan(
            id: plan.id,
            source: plan.package.files.first?.url.absoluteString ?? plan.source,
            size: plan.package.size,
            license: plan.license,
            gated: plan.package.offer.isGated,
            publisher: plan.entry?.publisher ?? plan.package.offer.author,
            files: plan.package.files.map { .init(name: $0.name, size: $0.size, sha256: $0.sha256) },
            fit: fit.word,
            reason: fit.reason
        )
    }

    /// What the catalog or ``ModelReference`` calls a model that a client names as Ollama's users do.
    static func reference(_ name: String, _ catalog: ModelCatalog) throws -> String {
        guard !name.hasPrefix("file:") else {
            throw BreezeError(
                .invalidRequest,
                "Files of this device are not read for others.",
                remedy: "Import it in a terminal: breeze models import"
            )
        }
        for host in ["hf.co/", "huggingface.co/"] where name.hasPrefix(host) {
            return "hf:" + name.dropFirst(host.count)
        }
        if catalog.entry(name) != nil { return name }
        let plain = ModelNames.id(ofOllama: name)
        let known = catalog.entries.filter { $0.id == plain || $0.id.hasPrefix(plain + "-") }
        let best = known.first { $0.tags.contains("recommended") } ?? known.first
        return best?.id ?? name
    }
}

extension PullPlan {
    /// What the owner is shown, and accepts, when an app asks for it.
    var terms: PullTerms {
        PullTerms(
            model: entry?.id ?? source,
            source: source,
            bytes: package.size ?? 0,
            license: license.name,
            licenseURL: license.url,
            forbidsCommercialUse: license.commercialUse == .forbidden
        )
    }
}

/// The plans that the panel showed, so that what is pulled is what was shown.
private final class ShownPlans: Sendable {
    private static let limit = 32

    private let plans: Mutex<[(id: String, plan: PullPlan)]> = Mutex([])

    func keep(_ plan: PullPlan) -> String {
        let id = UUID().uuidString
        plans.withLock { plans in
            plans.append((id, plan))
            plans = plans.suffix(Self.limit)
        }
        return id
    }

    func plan(_ id: String) throws -> PullPlan {
        guard let plan = plans.withLock({ $0.first { $0.id == id }?.plan }) else {
            throw BreezeError(
                .notFound,
                "What was shown is too long ago.",
                remedy: "Look at the model once more."
            )
        }
        return plan
    }
}

extension BreezeError.Code {
    /// What was agreed on is not what there is.
    static let conflict = Self(rawValue: "conflict")
}
#endif
