#if Hub
import BreezeCore
import BreezeMail
import BreezeMailIndex
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
            let index = try self.parts.mail.known.index
            let message = try await self.message(context, index)
            return try Response(ShownMessage(message, text: try await index.text(of: message.id) ?? ""))
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

        let messages: Int
        let threads: Int
        /// Bytes of the index's file.
        let bytes: Int
        let sources: [Source]
        let vectors: EmbeddedShare?
        /// Why meaning cannot be searched; absent where it can.
        let encoder: MailFault?
        let work: MailWork.Status
        /// What happened to a damaged index that this one took the place of.
        let notice: String?
    }

    private func mailStatus() async throws -> MailStatus {
        let desk = parts.mail
        let fault = await desk.encoderFault()
        guard let index = try desk.standing?.index else {
            return MailStatus(
                messages: 0,
                threads: 0,
                bytes: 0,
                sources: [],
                vectors: nil,
                encoder: fault,
                work: mailWork.status,
                notice: nil
            )
        }
        let status = try await index.status()
        return MailStatus(
            messages: status.messages,
            threads: status.threads,
            bytes: status.bytes,
            sources: try await index.sources().map { .init(path: $0.path, messages: $0.places) },
            vectors: try await EmbeddedShare(of: index),
            encoder: fault,
            work: mailWork.status,
            notice: index.notice
        )
    }

    private struct MailList: Encodable {
        let messages: [ShownListed]
        let isMore: Bool
    }

    private func mailList(_ request: Request) async throws -> MailList {
        let options = try request.page()
        guard let index = try parts.mail.standing?.index else { return MailList(messages: [], isMore: false) }
        let list = try await index.listing(
            folder: request.uri.queryParameters["folder"].map(String.init),
            isByThread: options.grouping == .threads,
            limit: options.limit,
            offset: options.offset
        )
        return MailList(messages: list.entries.map { ShownListed($0) }, isMore: list.isMore)
    }

    /// By its number in the index.
    private func message(_ context: HubContext, _ index: MailIndex) async throws -> IndexedMessage {
        let number = try context.number("id", "message")
        guard let message = try await index.message(number) else {
            throw Self.noMail("message", "\(number)")
        }
        return message
    }

    fileprivate static func noMail(_ kind: String, _ name: String) -> BreezeError {
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
    /// `mode`, `limit`, `offset` and `grouping` of a search or a list.
    fileprivate func page() throws -> SearchOptions {
        func word<Value: RawRepresentable & CaseIterable>(_ name: String, _ usual: Value) throws -> Value
        where Value.RawValue == String {
            guard let text = uri.queryParameters[Substring(name)] else { return usual }
            guard let value = Value(rawValue: String(text)) else {
                throw BreezeError(
                    .invalidParameter,
                    "\(name) has a value that it does not take.",
                    remedy: "It takes \(Value.allCases.map(\.rawValue).joined(separator: ", "))."
                )
            }
            return value
        }
        return SearchOptions(
            mode: try word("mode", SearchMode.both),
            limit: try whole("limit", in: 1...200, default: 30),
            offset: try whole("offset", in: 0...1_000_000, default: 0),
            grouping: try word("grouping", SearchGrouping.messages)
        )
    }
}
#endif
