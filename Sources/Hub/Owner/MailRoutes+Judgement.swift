#if Hub
import BreezeCore
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import Foundation
import Hummingbird

extension HubServer {
    /// What the owner says of mail's categories, spam and phishing.
    func addMailJudgementRoutes(to router: RouterGroup<HubContext>) {
        router.post("mail/messages/:id/correct") { request, context in
            let wish = try await request.read(Wish.self, self.options.limits, context)
            let opened = try self.parts.mail.known
            let message = try await self.message(context, opened.index)
            let outcome = try await opened.judge.correct(
                message.id,
                try wish.word,
                scope: wish.scope ?? .message
            )
            let others = try await self.relearn(opened.judge)
            return try Response(
                Corrected(
                    corrections: [.init(kind: outcome.kind, key: outcome.key)],
                    changed: outcome.changed + others,
                    verdict: try await opened.judge.judged(message.id).map(ShownVerdict.init)
                )
            )
        }
        router.get("mail/corrections") { _, _ in
            let said = try await self.parts.mail.standing?.judge.corrections() ?? []
            return try Response(["corrections": said])
        }
        router.post("mail/corrections/undo") { request, context in
            struct Wish: Decodable {
                let kind: String
                let key: String
            }
            struct Undone: Encodable {
                let undone = true
                let changed: Int
            }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            let judge = try self.parts.mail.known.judge
            let changed = try await judge.undo(kind: wish.kind, key: wish.key)
            return try Response(Undone(changed: changed + (try await self.relearn(judge))))
        }
    }

    /// Mail that is read anew while somebody waits for the answer.
    private static let mostAtOnce = 5_000

    /// Mail that is like what was corrected follows: at once, or in the background where there is much of it, and lists
    /// are loaded anew after it.
    /// - Returns: how many messages changed at once.
    private func relearn(_ judge: MailJudge) async throws -> Int {
        if try await judge.progress().done <= Self.mostAtOnce { return try await judge.relearn() }
        Task(priority: .utility) {
            if let changed = try? await judge.relearn(), changed > 0 { self.mailWork.tell() }
        }
        return 0
    }

    private struct Wish: Decodable {
        let category: MailCategory?
        let spam: Risk?
        let scope: PersonalJudgement.Scope?

        enum Risk: String, Decodable {
            case spam, phishing, no
        }

        var word: OwnersWord {
            get throws {
                switch (category, spam) {
                case (let category?, nil): .category(category)
                case (nil, .spam): .spam
                case (nil, .phishing): .phishing
                case (nil, .no): .wanted
                default:
                    throw BreezeError(
                        .invalidRequest,
                        "A correction says either a category or what kind of spam it is.",
                        remedy: "Give one of category and spam."
                    )
                }
            }
        }
    }

    private struct Corrected: Encodable {
        struct Key: Encodable {
            let kind: String
            let key: String
        }

        /// To take it back with.
        let corrections: [Key]
        /// Messages that have another category or warning now.
        let changed: Int
        let verdict: ShownVerdict?
    }
}
#endif
