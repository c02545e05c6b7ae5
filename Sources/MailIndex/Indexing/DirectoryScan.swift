#if Hub
import BreezeCore
import Foundation

/// What comes out of a directory, in order.
enum ScanStep {
    /// A message to be read, and where it lies.
    case read(ParseJob, NewPlace)
    /// A message that the index has already lies here too, or now.
    case linked(message: Int64)
    case moved
    case flagged
    /// A link, or what is no file.
    case skipped(String)
    case failed(IndexFailure)
    /// A file that was listed is not there any more.
    case vanished
}

/// Compares a directory's files with what the index has of it. Files whose names, or stamps, it knows are not opened.
struct DirectoryScan {
    private let found: FoundDirectory
    private let id: Int64
    /// Whether a file keeps its content as long as it keeps its name.
    private let isMaildir: Bool
    private let hasPlaces: Bool
    /// `new` and `cur` of one folder.
    private let siblings: Set<Int64>
    private var known: [String: KnownPlace] = [:]
    /// Names in the listing that the index does not have.
    private var fresh: [String] = []
    private var at = 0
    private var flagged: [ScanStep] = []

    /// Marks what is missed, and writes new names of what was flagged. `hasPlaces` is `false` where the index was empty,
    /// and nothing can have been moved; `siblings` are directories of the same folder, as a person sees it.
    init(
        _ found: FoundDirectory,
        id: Int64,
        hasPlaces: Bool,
        siblings: Set<Int64>,
        _ writer: IndexWriter
    ) throws {
        self.siblings = siblings
        self.found = found
        self.id = id
        self.hasPlaces = hasPlaces
        isMaildir = found.kind == .messages
        if hasPlaces {
            for place in try writer.places(in: id) { known[place.name] = place }
        }
        switch found.kind {
        case .messages: try compareNames()
        case .tree: fresh = found.messages.filter { !isKnown($0) }
        case .lone: fresh = isKnown("") ? [] : [""]
        case .maildir, .mbox, .input: break
        }
        if isMaildir { try takeFlags(writer) }
        for place in known.values { try writer.miss(place.id) }
        known = [:]
    }

    /// `nil` at the end.
    mutating func next(_ writer: IndexWriter) throws -> ScanStep? {
        if let step = flagged.popLast() { return step }
        guard at < fresh.count else { return nil }
        defer { at += 1 }
        let name = fresh[at]
        let new = NewPlace(directory: id, name: name, flags: isMaildir ? MaildirName(name).flags : "")
        if hasPlaces, let step = try find(new, writer) { return step }
        return .read(ParseJob(path: path(name), source: .file), new)
    }

    private func path(_ name: String) -> String { name.isEmpty ? found.path : "\(found.path)/\(name)" }

    private mutating func compareNames() throws {
        guard let listing = found.listing else { return }
        for index in 0..<listing.count {
            let entry = listing[index]
            if entry.name.hasPrefix(".") { continue }
            switch entry.kind ?? FileStamp(path: path(entry.name))?.kind {
            case .file: break
            case .directory, nil: continue
            case .link, .other:
                flagged.append(.skipped(path(entry.name)))
                continue
            }
            if let place = known[entry.name], place.inode == entry.inode || isKnown(entry.name) {
                known[entry.name] = nil
            } else {
                fresh.append(entry.name)
            }
        }
    }

    /// Whether the file is as the index has it; then it is not missed.
    private mutating func isKnown(_ name: String) -> Bool {
        guard let place = known[name], let stamp = FileStamp(path: path(name)), place.isSame(stamp) else {
            return false
        }
        known[name] = nil
        return true
    }

    /// A file with the base name of one that is missed, and the same inode, has other flags.
    private mutating func takeFlags(_ writer: IndexWriter) throws {
        guard !known.isEmpty, !fresh.isEmpty else { return }
        var missed: [Substring: [KnownPlace]] = [:]
        for place in known.values { missed[MaildirName(place.name).base, default: []].append(place) }
        var left: [String] = []
        for name in fresh {
            let parsed = MaildirName(name)
            let stamp = missed[parsed.base] == nil ? nil : FileStamp(path: path(name))
            guard let stamp, let place = missed[parsed.base]?.first(where: { $0.isSame(stamp) }),
                known.removeValue(forKey: place.name) != nil
            else {
                left.append(name)
                continue
            }
            try writer.rename(place.id, to: name, flags: parsed.flags)
            flagged.append(.flagged)
        }
        fresh = left
    }

    /// Whether the index has this very file under another name.
    private func find(_ new: NewPlace, _ writer: IndexWriter) throws -> ScanStep? {
        guard let stamp = FileStamp(path: path(new.name)) else {
            return errno == ENOENT ? .vanished : .failed(IndexFailure(path: path(new.name), errno))
        }
        guard stamp.kind == .file else { return .skipped(path(new.name)) }
        let candidates = try writer.places(withInode: stamp.inode)
        guard let place = candidates.first(where: { $0.isSame(stamp) && $0.start == nil }) else { return nil }
        if place.isGone {
            try writer.move(place.id, to: new)
            return siblings.contains(place.directory) ? .flagged : .moved
        }
        try writer.insert(new, of: place.message, stamp)
        return .linked(message: place.message)
    }
}
#endif
