import BreezeCore
import BreezeMailClassifier
import Foundation

/// Mail that somebody labelled, by the folders that it lies in or by its Message-IDs; each body once.
struct LabelledMailbox {
    struct Item {
        let file: String
        /// What it is counted under.
        let folder: String
        let label: MailLabel
    }

    private(set) var items: [Item] = []
    private(set) var leftOut = EvaluationReport.LeftOut()
    private(set) var unreadable: [EvaluationReport.Unreadable] = []
    private var bodies: Set<Int> = []

    /// A folder for each label. `names` says what other folders hold, by their names in lower case.
    /// - Throws: ``BreezeError`` `.invalidRequest` for a folder that is neither, and where nothing is labelled.
    init(folder: String, names: [String: MailLabel]) throws {
        let files = try Self.names(below: folder)
        let tops = Set(files.compactMap(Self.top))
        let labels = tops.reduce(into: [String: MailLabel]()) {
            $0[$1] = names[$1.lowercased()] ?? MailLabel(name: $1)
        }
        let unknown = tops.filter { labels[$0] == nil }.sorted()
        guard unknown.isEmpty else { throw Self.unknown(unknown, in: folder) }
        for name in files {
            try Task.checkCancellation()
            guard let top = Self.top(name), let label = labels[top] else {
                leftOut.unlabelled += 1
                continue
            }
            let file = Self.path(folder, name)
            add(Item(file: file, folder: top, label: label), Self.message(file))
        }
        try checkLabelled(folder, "Put the mail into folders that are named as what they hold: \(Self.known)")
    }

    /// Any folders. `labels` says what the messages are, by Message-ID.
    /// - Throws: ``BreezeError`` `.invalidRequest` where nothing is labelled.
    init(folder: String, labels: [String: MailLabel]) throws {
        for name in try Self.names(below: folder) {
            try Task.checkCancellation()
            let file = Self.path(folder, name)
            guard let message = Self.message(file) else {
                let reason = "The file \(file) cannot be read, so that its Message-ID is not known."
                let code = BreezeError.Code.inputOutput.rawValue
                unreadable.append(EvaluationReport.Unreadable(file: file, code: code, message: reason))
                continue
            }
            guard let label = message.messageID.flatMap({ labels[$0] }) else {
                leftOut.unlabelled += 1
                continue
            }
            add(Item(file: file, folder: label.name, label: label), message)
        }
        try checkLabelled(folder, "Look whether the file of labels has the Message-IDs of this mail.")
    }

    /// What cannot be read is kept: whoever judges it says why.
    private mutating func add(_ item: Item, _ message: RawMessage?) {
        if let body = message?.bodyFingerprint, !bodies.insert(body).inserted {
            leftOut.duplicates += 1
        } else {
            items.append(item)
        }
    }

    private func checkLabelled(_ folder: String, _ remedy: String) throws {
        guard items.isEmpty else { return }
        let failed = unreadable.isEmpty ? "" : " \(unreadable.count) of its files cannot be read."
        throw BreezeError(.invalidRequest, "There is no labelled mail in \(folder).\(failed)", remedy: remedy)
    }

    private static func names(below folder: String) throws -> [String] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue
        else {
            throw BreezeError(
                .inputOutput,
                "There is no folder at \(folder).",
                remedy: "Name a folder that holds one folder for each label: breeze mail eval --help"
            )
        }
        return try MailFiles.names(below: folder)
    }

    private static func path(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }

    /// The outermost folder of a name; `nil` for what lies in none.
    private static func top(_ name: String) -> String? {
        let parts = name.split(separator: "/", maxSplits: 1)
        return parts.count == 2 ? String(parts[0]) : nil
    }

    /// `nil` for what is no plain file: another one could keep its reader waiting.
    private static func message(_ file: String) -> RawMessage? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let data = try? Data(contentsOf: URL(filePath: file))
        else { return nil }
        return RawMessage([UInt8](data))
    }

    static let known = MailLabel.names.joined(separator: ", ")

    private static func unknown(_ names: [String], in folder: String) -> BreezeError {
        let shown = names.prefix(10).joined(separator: ", ") + (names.count > 10 ? ", …" : "")
        return BreezeError(
            .invalidRequest,
            "No label is known by the name of \(names.count == 1 ? "this folder" : "these folders") in \(folder): "
                + "\(shown). Known are \(known).",
            remedy: "Say what each holds: --label \(names[0])=ham"
        )
    }
}

/// What messages are, from a file: a JSON object of Message-ID and `{"category": …, "spam": …, "phishing": …}`.
enum MailLabelsFile {
    private struct Entry: Decodable {
        var category: MailCategory?
        var spam: Bool?
        var phishing: Bool?

        var label: MailLabel {
            let kind: MailLabel.Kind = phishing == true ? .phishing : spam == true ? .spam : .wanted
            return MailLabel(kind, category: category)
        }
    }

    /// By Message-ID without angle brackets.
    static func labels(of file: String) throws -> [String: MailLabel] {
        let data = try TextFile.contents(of: file)
        let entries = try RequestJSON.decode(
            [String: Entry].self,
            from: data,
            what: file,
            command: "mail eval"
        )
        return entries.reduce(into: [:]) { labels, entry in
            let id = entry.key
            labels[id.hasPrefix("<") && id.hasSuffix(">") ? String(id.dropFirst().dropLast()) : id] =
                entry.value.label
        }
    }
}
