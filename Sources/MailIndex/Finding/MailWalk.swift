#if Hub
import BreezeCore
import Foundation

/// What messages lie in.
package enum DirectoryKind: Int, Sendable {
    /// A directory of any files.
    case tree
    /// A Maildir folder: its subdirectories alone count.
    case maildir
    /// `cur` or `new`: every file is a message, and keeps its content for good.
    case messages
    case mbox
    /// A file that holds one message, named by the person.
    case lone
    /// What came without a file.
    case input
}

/// A directory as the index has it.
struct KnownDirectory: Sendable {
    var id: Int64
    var kind: DirectoryKind
    var modified: Int64?
    /// Of an mbox when it was read to its end, and its first bytes.
    var size: Int64
    var head: [UInt8]
}

/// A directory as it lies there.
struct FoundDirectory: Sendable {
    var path: String
    var kind: DirectoryKind
    var folder: String
    /// `nil` for a file.
    var listing: DirectoryListing?
    /// Of a file.
    var stamp: FileStamp?
    /// In a tree, the files that are messages.
    var messages: [String] = []
}

/// Goes through the directories below what is to be indexed and lists those that changed since the index, or an earlier
/// walk of the same run, knew them. Links are not followed, so that no loop is.
struct MailWalk {
    /// What changed, a folder before what it holds, and `new` before `cur`: a message that is taken from one to the
    /// other meanwhile is then seen twice rather than never.
    private(set) var found: [FoundDirectory] = []
    private(set) var visited: Set<String> = []
    private(set) var failures: [IndexFailure] = []
    /// Links and what is no file: never opened.
    private(set) var skipped: [String] = []
    /// Where nothing can be said about what is missing.
    private(set) var unknown: [String] = []

    private let known: [String: KnownDirectory]
    private let children: [String: [String]]
    /// By path, as of the last listing in this run.
    private let seen: [String: Int64]
    private var steps: [Step] = []

    private struct Step {
        var path: String
        var components: [Substring]
    }

    /// File systems that keep time in seconds, and two of them, are the coarsest.
    static let coarsest: Int64 = 2_000_000_000
    /// A tick of the kernel's clock, and a little.
    static let tick: Int64 = 20_000_000

    init(known: [String: KnownDirectory], seen: [String: Int64] = [:]) {
        self.known = known
        self.seen = seen
        children = Dictionary(grouping: known.keys) {
            String($0[..<($0.lastIndex(of: "/") ?? $0.startIndex)])
        }
        .mapValues { $0.sorted() }
    }

    /// `path` is absolute; what it leads to through links was found out before.
    mutating func walk(_ path: String) {
        guard let stamp = FileStamp(path: path) else {
            // Perhaps its disk is not there now: what the index has of it stays.
            return fail(path, errno)
        }
        switch stamp.kind {
        case .directory: steps = [Step(path: path, components: [])]
        case .file: return file(path, stamp)
        case .link, .other: return fail(path, EINVAL)
        }
        while let step = steps.popLast() {
            if visited.insert(step.path).inserted { take(step) }
        }
    }

    private mutating func fail(_ path: String, _ number: Int32) {
        failures.append(IndexFailure(path: path, number))
        unknown.append(path)
    }

    /// The index has to know of it: what holds it may not change until it can be read.
    private mutating func fail(_ path: String, _ kind: DirectoryKind, _ folder: String, _ error: any Error) {
        failures.append(IndexFailure(path: path, error))
        unknown.append(path)
        if known[path] == nil { found.append(FoundDirectory(path: path, kind: kind, folder: folder)) }
    }

    private mutating func file(_ path: String, _ stamp: FileStamp) {
        let name = path[path.index(after: path.lastIndex(of: "/") ?? path.startIndex)...]
        let isMbox = MailFile.kind(of: path, named: String(name)) == .mbox || MailFile.beginsAsMbox(path)
        add(path, isMbox ? .mbox : .lone, String(name), stamp)
    }

    private mutating func add(_ path: String, _ kind: DirectoryKind, _ folder: String, _ stamp: FileStamp) {
        guard visited.insert(path).inserted, seen[path] != stamp.modified else { return }
        if let known = known[path], known.kind == kind, known.modified == stamp.modified,
            known.size == stamp.size
        {
            return
        }
        found.append(FoundDirectory(path: path, kind: kind, folder: folder, stamp: stamp))
    }

    private mutating func take(_ step: Step) {
        if isUnchanged(step.path, .maildir) {
            let names = (children[step.path] ?? []).map { $0.dropFirst(step.path.utf8.count + 1) }
            return descend(step, names)
        }
        do {
            let listing = try DirectoryListing(step.path)
            let entries = (0..<listing.count).map { listing[$0] }
            if entries.contains(where: { $0.name == ".noindex" }) {
                // It stays known, so that it is looked at again; what it holds does not.
                if seen[step.path] != listing.modified {
                    found.append(
                        FoundDirectory(
                            path: step.path,
                            kind: .tree,
                            folder: FolderName.make(step.components),
                            listing: listing
                        )
                    )
                }
                return
            }
            for name in listing.unreadable { fail("\(step.path)/\(name)", EILSEQ) }
            open(step, listing, entries)
        } catch {
            fail(step.path, .tree, FolderName.make(step.components), error)
        }
    }

    /// Whether it is as the index has it, or as this run has seen it already.
    private func isUnchanged(_ path: String, _ kind: DirectoryKind) -> Bool {
        guard let known = known[path], known.kind == kind, let stamp = FileStamp(path: path),
            stamp.kind == .directory
        else { return false }
        return stamp.modified == known.modified || stamp.modified == seen[path]
    }

    private mutating func open(_ step: Step, _ listing: DirectoryListing, _ entries: [DirectoryListing.Entry])
    {
        var (folders, files): ([Substring], [String]) = ([], [])
        for entry in entries {
            switch entry.kind ?? FileStamp(path: "\(step.path)/\(entry.name)")?.kind {
            case .directory: folders.append(entry.name[...])
            case .file: files.append(entry.name)
            case .link, .other: if !entry.name.hasPrefix(".") { skipped.append("\(step.path)/\(entry.name)") }
            case nil: break
            }
        }
        let isMaildir = folders.contains("cur") || folders.contains("new") && folders.contains("tmp")
        var here = FoundDirectory(
            path: step.path,
            kind: isMaildir ? .maildir : .tree,
            folder: FolderName.make(step.components),
            listing: listing
        )
        if isMaildir {
            folders.removeAll { $0 == "tmp" }
        } else {
            sort(files.sorted(), into: &here, step)
        }
        if seen[step.path] != listing.modified { found.append(here) }
        descend(step, folders.sorted(), isMaildir: isMaildir)
    }

    private mutating func sort(_ files: [String], into tree: inout FoundDirectory, _ step: Step) {
        for name in files where !name.hasPrefix(".") {
            let path = "\(step.path)/\(name)"
            switch MailFile.kind(of: path, named: name) {
            case .message: tree.messages.append(name)
            case .mbox:
                guard let stamp = FileStamp(path: path) else { continue }
                add(path, .mbox, FolderName.make(step.components + [name[...]]), stamp)
            case nil: break
            }
        }
    }

    private mutating func descend(_ step: Step, _ names: [Substring], isMaildir: Bool = true) {
        // Taken from the end: the first name comes first.
        for name in names.reversed() {
            let path = "\(step.path)/\(name)"
            if isMaildir, name == "cur" || name == "new" { continue }
            steps.append(Step(path: path, components: step.components + [name]))
        }
        guard isMaildir else { return }
        for name in ["new", "cur"] where names.contains(name[...]) {
            messages("\(step.path)/\(name)", FolderName.make(step.components))
        }
    }

    private mutating func messages(_ path: String, _ folder: String) {
        visited.insert(path)
        if isUnchanged(path, .messages) { return }
        do {
            let listing = try DirectoryListing(path)
            for name in listing.unreadable { fail("\(path)/\(name)", EILSEQ) }
            found.append(FoundDirectory(path: path, kind: .messages, folder: folder, listing: listing))
        } catch {
            fail(path, .messages, folder, error)
        }
    }
}
#endif
