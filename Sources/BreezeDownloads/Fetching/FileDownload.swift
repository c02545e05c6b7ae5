import BreezeCore
import BreezeFiles
import BreezeTransport
import Foundation

/// One file's way from its sources to its name. For one task.
final class FileDownload {
    private let file: DownloadPlan.File
    private let index: Int
    private let plan: DownloadPlan
    private let folder: StagingFolder
    private let context: DownloadContext
    private let part: PartFile
    private var retries: RetryPolicy
    private var restarts = 0
    /// Bytes of the request that runs.
    private var brought: Int64 = 0
    /// Set when a server refused the credentials, until one takes them.
    private var wasRefused = false

    init(_ index: Int, of plan: DownloadPlan, _ folder: StagingFolder, _ context: DownloadContext) throws {
        file = plan.files[index]
        self.index = index
        self.plan = plan
        self.folder = folder
        self.context = context
        part = try PartFile(folder, file.name)
        retries = RetryPolicy(context.options, jitter: context.jitter)
    }

    /// The file, where an earlier run or another process has finished it.
    static func finished(_ file: DownloadPlan.File, _ folder: StagingFolder) throws -> DownloadedFile? {
        let url = folder.final(file.name)
        guard let size = FileStatus.size(of: url) else { return nil }
        if let record = folder.readRecord(file.name), let finished = record.finished, finished.size == size,
            finished.modified == FileStatus.modified(url),
            file.sha256.map({ $0 == finished.sha256 }) ?? true,
            file.size.map({ $0 == size }) ?? true
        {
            return DownloadedFile(
                name: file.name,
                url: url,
                size: size,
                sha256: finished.sha256,
                etag: record.etag
            )
        }
        // It has its name and no word of who checked it.
        unlink(url.path)
        return nil
    }

    func run() async throws -> DownloadedFile {
        try await part.readAgain()
        context.meter.set(index, received: part.size, total: file.size ?? part.record?.total)
        var fault: any Error = BreezeError(.internalError, "\(file.name) has no source.")
        for source in file.sources {
            do {
                try await fetch(from: source)
                return try await finish()
            } catch let error as BreezeError where Self.othersMayHaveIt.contains(error.code) {
                fault = error
            }
        }
        throw fault
    }

    private static let othersMayHaveIt: Set<BreezeError.Code> = [
        .downloadFailed, .resourceUnavailable, .timeout, .authRequired, .invalidResponse, .insecureConnection,
    ]

    /// Until all bytes are there.
    private func fetch(from source: URL) async throws {
        while part.record?.total != part.size || part.record == nil {
            try Task.checkCancellation()
            brought = 0
            try prepare(for: source)
            do {
                if try await attempt(source) { return }
            } catch let pause as Pause {
                retries.brought(brought)
                guard let delay = retries.afterFailure(asked: pause.asked) else { throw pause.error }
                try await part.sync()
                try await context.clock.sleep(delay)
            } catch let error as BreezeError where Self.isPassing(error) {
                retries.brought(brought)
                guard let delay = retries.afterFailure() else { throw error }
                try await context.clock.sleep(delay)
            } catch let error as CancellationError {
                // What is there now need not be fetched again after a power cut either.
                try? await part.sync()
                throw error
            }
        }
    }

    private struct Pause: Error {
        let error: BreezeError
        var asked: Duration?
    }

    private static func isPassing(_ error: BreezeError) -> Bool {
        [.resourceUnavailable, .timeout, .invalidResponse].contains(error.code)
    }

    /// Bytes of another source are of the same file only where a digest will tell.
    private func prepare(for source: URL) throws {
        guard part.size > 0, let record = part.record, file.sha256 == nil else { return }
        if record.source != source.withoutSecrets || record.validator == nil { try reset() }
    }

    private func reset() throws {
        try part.reset()
        context.meter.set(index, received: 0)
    }

    private func restart(_ source: URL) throws {
        restarts += 1
        guard restarts <= context.options.restarts else {
            throw DownloadFault.restarts(source, restarts)
        }
        try reset()
    }

    /// One request; `true` where the file ended with it.
    private func attempt(_ source: URL) async throws -> Bool {
        let have = part.size
        let response = try await context.transport.send(try await request(source))
        let answer = ServerAnswer(
            status: response.status,
            headers: response.headers,
            have: have,
            record: part.record,
            now: context.now()
        )
        if answer != .needsCredentials { wasRefused = false }
        switch answer {
        case .more(let total):
            try check(total)
            if part.record?.total == nil { try begin(response, source, total) }
            return try await take(response.body, total, source)
        case .whole(let total):
            try check(total)
            if have > 0 { try restart(source) }
            try begin(response, source, total)
            return try await take(response.body, total, source)
        case .nothingMore:
            return true
        case .beginAnew:
            try restart(source)
            return false
        case .needsCredentials:
            guard !wasRefused, plan.authorization != nil else {
                throw DownloadFault.authRequired(plan.authorization, source, 401)
            }
            wasRefused = true
            return false
        default:
            throw failure(answer, response, source)
        }
    }

    private func failure(_ answer: ServerAnswer, _ response: HTTPResponse, _ source: URL) -> any Error {
        switch answer {
        case .later(let asked):
            let fault = DownloadFault.overloaded(source, response.status, retryAfter: asked)
            return Pause(error: fault, asked: asked)
        case .forbidden:
            let fault = DownloadFault.authRequired(plan.authorization, source, 403)
            // The server that the source points to refuses a signature that has run out: a new one is asked
            // for.
            let isSigned = response.url.host() != source.host() || response.url.port != source.port
            return isSigned ? Pause(error: fault) : fault
        case .missing: return DownloadFault.missing(source, response.status)
        case .compressed(let encoding): return DownloadFault.compressed(source, encoding)
        default: return DownloadFault.refused(source, response.status)
        }
    }

    private func request(_ source: URL) async throws -> HTTPRequest {
        var request = HTTPRequest("GET", source, purpose: plan.purpose)
        if let authorization = plan.authorization {
            request.headers = try await authorization.headers(source, wasRefused ? .refused : .request)
        }
        request.headers["Accept-Encoding"] = "identity"
        if part.size > 0 {
            request.headers["Range"] = "bytes=\(part.size)-"
            if let record = part.record, record.source == source.withoutSecrets,
                let validator = record.validator
            {
                request.headers["If-Range"] = validator
            }
        }
        return request
    }

    private func begin(_ response: HTTPResponse, _ source: URL, _ total: Int64?) throws {
        try part.begin(PartRecord(source: source, headers: response.headers, total: total ?? file.size))
        context.meter.set(index, received: part.size, total: total ?? file.size)
    }

    private func check(_ total: Int64?) throws {
        guard let expected = file.size, let total, total != expected else { return }
        part.discard()
        throw DownloadFault.size(file.name, expected: expected, found: total)
    }

    private func take(_ body: HTTPBody, _ total: Int64?, _ source: URL) async throws -> Bool {
        let total = total ?? file.size
        try context.checkSpace(for: total.map { $0 - part.size } ?? 0)
        for try await piece in body {
            try await context.limiter?.spend(piece.count)
            try part.append(piece)
            brought += Int64(piece.count)
            context.meter.add(index, piece.count)
            if let total, part.size > total {
                let found = part.size
                part.discard()
                throw DownloadFault.size(file.name, expected: total, found: found)
            }
            if part.unsynced >= context.options.syncEvery {
                try await part.sync()
                try context.checkSpace(for: total.map { $0 - part.size } ?? 0)
            }
        }
        if let total, part.size < total { throw DownloadFault.endedEarly(source) }
        return true
    }

    private func finish() async throws -> DownloadedFile {
        if let expected = file.size, part.size != expected {
            let found = part.size
            part.discard()
            throw DownloadFault.size(file.name, expected: expected, found: found)
        }
        let found = part.sha256
        if let expected = file.sha256, found != expected {
            part.discard()
            throw DownloadFault.digest(file.name, expected: expected, found: found)
        }
        try await part.finish()
        context.meter.set(index, received: part.size, total: part.size, isDone: true)
        return DownloadedFile(
            name: file.name,
            url: folder.final(file.name),
            size: part.size,
            sha256: found,
            etag: part.record?.etag
        )
    }
}
