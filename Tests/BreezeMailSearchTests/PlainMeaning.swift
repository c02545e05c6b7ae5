#if Hub
import BreezeMail
import BreezeMailIndex
import Foundation

/// A message as the index lists it, with its text: what queries are held against, said plainly.
struct PlainMail {
    let message: IndexedMessage
    let words: [String: [[String]]]
    let threadIDs: Set<String>

    /// `thread` are the Message-IDs of its thread, and the name.
    init(_ message: IndexedMessage, text: String, thread: Set<String>) {
        func words(_ addresses: [MailAddress]) -> [[String]] {
            [
                addresses.map { [$0.name ?? "", $0.address].joined(separator: " ") }.joined(separator: " ")
                    .plainWords
            ]
        }
        self.message = message
        threadIDs = thread
        self.words = [
            "subject": [message.subject.plainWords], "body": [text.plainWords], "from": words(message.from),
            "to": words(message.to), "copies": words(message.copies),
            "files": [message.attachments.compactMap(\.name).joined(separator: " ").plainWords],
        ]
    }
}

extension String {
    var plainWords: [String] {
        folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}

extension QueryNode {
    func accepts(_ mail: PlainMail) -> Bool {
        switch self {
        case .everything: true
        case .text(let text): text.accepts(mail)
        case .field(let field): field.accepts(mail)
        case .not(let node): !node.accepts(mail)
        case .and(let nodes): nodes.allSatisfy { $0.accepts(mail) }
        case .or(let nodes): nodes.contains { $0.accepts(mail) }
        }
    }
}

extension QueryText {
    fileprivate func accepts(_ mail: PlainMail) -> Bool {
        let names: [String] =
            switch scope {
            case .anywhere: ["subject", "body", "from", "to", "copies"]
            case .subject: ["subject"]
            case .body: ["body"]
            case .from: ["from"]
            case .to: ["to", "copies"]
            case .cc, .bcc: ["copies"]
            case .contact: ["from", "to", "copies"]
            case .attachment: ["files"]
            }
        let wanted = text.plainWords
        return names.flatMap { mail.words[$0] ?? [] }.contains { words in
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
    fileprivate func accepts(_ mail: PlainMail) -> Bool {
        let message = mail.message
        let flags = message.places.map(\.flags)
        switch self {
        case .date(let range): return message.date.map { range.contains($0.unixSeconds) } ?? false
        case .size(let range): return range.contains(Int64(message.size))
        case .has(.attachment): return !message.attachments.isEmpty
        case .has(.link): return mail.words["body"]?.joined().contains("https") == true
        case .has(.list): return message.list != nil
        case .flag(.unread): return !flags.contains { $0.contains("S") }
        case .flag(.read): return flags.contains { $0.contains("S") }
        case .flag(.flagged): return flags.contains { $0.contains("F") }
        case .flag(.replied): return flags.contains { $0.contains("R") }
        case .flag(.passed): return flags.contains { $0.contains("P") }
        case .flag(.draft): return flags.contains { $0.contains("D") }
        case .flag(.trashed): return flags.contains { $0.contains("T") }
        case .flag(.new): return message.places.contains { $0.path.contains("/new/") }
        case .tag: return false
        case .folder(let folder):
            return message.places.contains {
                folder.matches($0.folder.split(separator: "/").map(String.init))
            }
        case .list(let list): return message.list.map(list.matches) ?? false
        case .category: return false
        case .thread(let name): return mail.threadIDs.contains(name)
        case .messageID(let id): return message.messageID == id
        case .type(let type): return message.attachments.contains { type.matches($0.type) }
        }
    }
}
#endif
