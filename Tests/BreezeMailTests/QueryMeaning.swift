import BreezeMail
import Foundation

/// A message in its mailbox, as much of it as queries ask for.
struct IndexedMail {
    var texts: [QueryScope: String] = [:]
    /// The words of each text, folded.
    var words: [QueryScope: [String]] = [:]
    var date: Int64 = 0
    var size: Int64 = 0
    var possessions: Set<QueryPossession> = []
    var flags: Set<QueryFlag> = []
    var tags: Set<String> = []
    var folder: [String] = []
    var list: String?
    var category = "primary"
    var thread = ""
    var id = ""
    var types: Set<String> = []
}

/// What queries mean, said plainly: the reference for everything that is compiled.
extension QueryNode {
    /// The places of the messages that it finds.
    func found(in mails: [IndexedMail]) -> Set<Int> {
        let all = Set(mails.indices)
        switch self {
        case .everything: return all
        case .text(let text):
            let wanted = text.text.foldedWords
            return all.filter { text.accepts(mails[$0], wanted) }
        case .field(let field): return all.filter { field.accepts(mails[$0]) }
        case .not(let node): return all.subtracting(node.found(in: mails))
        case .and(let nodes): return nodes.reduce(all) { $0.intersection($1.found(in: mails)) }
        case .or(let nodes): return nodes.reduce([]) { $0.union($1.found(in: mails)) }
        }
    }
}

extension String {
    var foldedWords: [String] {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

extension QueryText {
    fileprivate func accepts(_ mail: IndexedMail, _ wanted: [String]) -> Bool {
        let scopes: [QueryScope] =
            switch scope {
            case .anywhere: [.subject, .body, .from, .to, .cc, .bcc]
            case .to: [.to, .cc, .bcc]
            case .contact: [.from, .to, .cc, .bcc]
            default: [scope]
            }
        return scopes.compactMap { mail.words[$0] }.contains { words in
            guard wanted.count <= words.count else { return false }
            return (0...words.count - wanted.count).contains { start in
                let found = words[start..<start + wanted.count]
                guard isPrefix, let last = wanted.last else { return Array(found) == wanted }
                return found.dropLast() == wanted.dropLast() && found.last?.hasPrefix(last) == true
            }
        }
    }
}

extension QueryField {
    fileprivate func accepts(_ mail: IndexedMail) -> Bool {
        switch self {
        case .date(let range): range.contains(mail.date)
        case .size(let range): range.contains(mail.size)
        case .has(let possession): mail.possessions.contains(possession)
        case .flag(let flag): mail.flags.contains(flag)
        case .tag(let tag): mail.tags.contains(tag)
        case .folder(let folder): folder.matches(mail.folder)
        case .list(let list): mail.list.map(list.matches) ?? false
        case .category(let category): mail.category == category
        case .thread(let thread): mail.thread == thread
        case .messageID(let id): mail.id == id
        case .type(let type): mail.types.contains(where: type.matches)
        }
    }
}

extension QueryFilter {
    /// `matches` are the rows that each expression finds.
    func found(in mails: [IndexedMail], _ matches: [String: Set<Int>]) -> Set<Int> {
        let all = Set(mails.indices)
        switch self {
        case .everything: return all
        case .match(let expression): return matches[expression] ?? []
        case .field(let field): return all.filter { field.accepts(mails[$0]) }
        case .not(let filter): return all.subtracting(filter.found(in: mails, matches))
        case .and(let filters): return filters.reduce(all) { $0.intersection($1.found(in: mails, matches)) }
        case .or(let filters): return filters.reduce([]) { $0.union($1.found(in: mails, matches)) }
        }
    }

    var expressions: [String] {
        switch self {
        case .everything, .field: []
        case .match(let expression): [expression]
        case .not(let filter): filter.expressions
        case .and(let filters), .or(let filters): filters.flatMap(\.expressions)
        }
    }
}
