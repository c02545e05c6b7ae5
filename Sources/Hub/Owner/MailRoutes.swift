#if Hub
import BreezeCore
import BreezeMail
import BreezeMailClassifier
import BreezeMailIndex
import BreezeMailJudgement
import BreezeMailSearch
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore

extension HubServer {
    /// The owner's mail: what is in its index, search, and the work on it. None of it is for apps.
    func addMailRoutes(to router: RouterGroup<HubContext>) {
        router.get("mail") { _, _ in try Response(try await self.mailStatus()) }
        router.get("mail/folders") { _, _ in
            let folders = try await self.parts.mail.standing?.index.folders() ?? []
            return try Response(["folders": folders])
        }
        router.get("mail/messages") { request, _ in try Response(try await self.mailList(request)) }
        router.get("mail/messages/:id") { _, context in
            let opened = try self.parts.mail.known
            let message = try await self.message(context, opened.index)
            let judged = try await opened.judge.judged(message.id)
            let text = try await opened.index.text(of: message.id) ?? ""
            return try Response(ShownMessage(message, text: text, judged))
        }
        router.get("mail/messages/:id/page") { _, context in
            let message = try await self.message(context, try self.parts.mail.known.index)
            return try Response(ShownPage(try await self.parts.mail.page(of: message)))
        }
        router.get("mail/messages/:id/similar") { request, context in
            let opened = try self.parts.mail.known
            let message = try await self.message(context, opened.index)
            let found = try await opened.search.similar(to: message.id, try request.page())
            return try Response(ShownResults(found))
        }
        router.get("mail/threads/:id") { _, context in
            let index = try self.parts.mail.known.index
            let messages = try await index.thread(try context.number("id", "thread"))
            guard !messages.isEmpty else { throw Self.noMail("thread", try context.part("id")) }
            return try Response(["messages": messages.map { ShownListed($0.message, depth: $0.depth) }])
        }
        // The line that asks has to fit into what a request's head may be.
        var limits = QueryLimits()
        limits.length = 1_000
        let searchLimits = limits
        router.get("mail/search") { request, _ in
            let text = request.uri.queryParameters["q"].map(String.init) ?? ""
            let query = try MailQuery(
                text,
                clock: QueryClock(now: Date(), timeZone: .current),
                limits: searchLimits
            )
            let found = try await self.parts.mail.known.search.search(query, try request.page())
            return try Response(ShownResults(found))
        }
        addMailWorkRoutes(to: router)
        addMailJudgementRoutes(to: router)
    }

    private func addMailWorkRoutes(to router: RouterGroup<HubContext>) {
        router.post("mail/index") { request, context in
            struct Wish: Decodable { let paths: [String]? }
            let wish = try await request.read(Wish.self, self.options.limits, context)
            try self.mailWork.begin(try await self.parts.mail.places(wish.paths ?? []))
            return try Response(Done(), status: .accepted)
        }
        router.post("mail/index/stop") { _, _ in
            await self.mailWork.stop()
            return try Response(Done())
        }
        router.post("mail/vectors/pause") { _, _ in
            try await self.mailWork.pause()
            return try Response(Done())
        }
        router.post("mail/vectors/resume") { _, _ in
            try await self.mailWork.resume()
            return try Response(Done())
        }
    }

    // MARK: - What there is

    private struct MailStatus: Encodable {
        struct Source: Encodable {
            let path: String
            let messages: Int
        }

        struct Judged: Encodable {
            let done: Int
            let total: Int
        }

        let messages: Int
        let threads: Int
        /// Bytes of the index's file.
        let bytes: Int
        let sources: [Source]
        let vectors: EmbeddedShare?
        let categories: [CategoryCount]
        let warnings: WarningCount
        let judged: Judged
        /// Why meaning cannot be searched; absent where it can.
        let encoder: MailFault?
        let work: MailWork.Status
        /// What happened to a damaged index that this one took the place of.
        let notice: String?
    }

    private func mailStatus() async throws -> MailStatus {
        let desk = parts.mail
        let fault = await desk.encoderFault()
        guard let opened = try desk.standing else {
            return MailStatus(
                messages: 0,
                threads: 0,
                bytes: 0,
                sources: [],
                vectors: nil,
                categories: Self.counts([]),
                warnings: WarningCount(spam: 0, phishing: 0),
                judged: .init(done: 0, total: 0),
                encoder: fault,
                work: mailWork.status,
                notice: nil
            )
        }
        let index = opened.index
        let status = try await index.status()
        let judged = try await opened.judge.progress()
        return MailStatus(
            messages: status.messages,
            threads: status.threads,
            bytes: status.bytes,
            sources: try await index.sources().map { .init(path: $0.path, messages: $0.places) },
            vectors: try await EmbeddedShare(of: index),
            categories: Self.counts(try await index.categories()),
            warnings: try await index.warnings(),
            judged: .init(done: judged.done, total: judged.total),
            encoder: fault,
            work: mailWork.status,
            notice: index.notice
        )
    }

    /// All five, in their order.
    private static func counts(_ known: [CategoryCount]) -> [CategoryCount] {
        MailCategory.allCases.map { category in
            known.first { $0.category == category.rawValue }
                ?? CategoryCount(category: category.rawValue, messages: 0, unread: 0)
        }
    }

    private struct MailList: Encodable {
        let messages: [ShownListed]
        let isMore: Bool
    }

    private func mailList(_ request: Request) async throws -> MailList {
        let options = try request.page()
        let filter = ListingFilter(
            folder: request.uri.queryParameters["folder"].map(String.init),
            category: try request.word("category", MailCategory.self)?.rawValue,
            warning: try request.word("warning", ListingFilter.Warning.self)
        )
        guard let index = try parts.mail.standing?.index else { return MailList(messages: [], isMore: false) }
        let list = try await index.listing(
            filter,
            isByThread: options.grouping == .threads,
            limit: options.limit,
            offset: options.offset
        )
        return MailList(messages: list.entries.map { ShownListed($0) }, isMore: list.isMore)
    }

    /// By its number in the index.
    func message(_ context: HubContext, _ index: MailIndex) async throws -> IndexedMessage {
        let number = try context.number("id", "message")
        guard let message = try await index.message(number) else {
            throw Self.noMail("message", "\(number)")
        }
        return message
    }

    static func noMail(_ kind: String, _ name: String) -> BreezeError {
        BreezeError(
            .notFound,
            "The index has no \(kind) \(name.prefix(80)).",
            remedy: "It may have been deleted since. Load the list again."
        )
    }
}

extension HubContext {
    fileprivate func number(_ name: String, _ kind: String) throws -> Int64 {
        let text = try part(name)
        guard let number = Int64(text) else { throw HubServer.noMail(kind, text) }
        return number
    }
}

extension Request {
    /// One of a few words; `nil` where the query says nothing of it.
    fileprivate func word<Value: RawRepresentable & CaseIterable>(_ name: String, _ type: Value.Type) throws
        -> Value?
    where Value.RawValue == String {
        guard let text = uri.queryParameters[Substring(name)] else { return nil }
        guard let value = Value(rawValue: String(text)) else {
            throw BreezeError(
                .invalidParameter,
                "\(name) has a value that it does not take.",
                remedy: "It takes \(Value.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
        return value
    }

    /// `mode`, `limit`, `offset` and `grouping` of a search or a list.
    fileprivate func page() throws -> SearchOptions {
        SearchOptions(
            mode: try word("mode", SearchMode.self) ?? .both,
            limit: try whole("limit", in: 1...200, default: 30),
            offset: try whole("offset", in: 0...1_000_000, default: 0),
            grouping: try word("grouping", SearchGrouping.self) ?? .messages
        )
    }
}
#endif
