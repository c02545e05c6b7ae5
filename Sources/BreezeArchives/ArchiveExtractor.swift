import BreezeCore
public import Foundation

/// Unpacks tar.gz and zip archives in a child process that has no network, so that a fault in the library
/// that reads them costs one archive.
public struct ArchiveExtractor: Sendable {
    private let executable: URL
    private let arguments: [String]

    /// The program that runs now, as `breeze extract`.
    public static var thisProgram: ArchiveExtractor {
        let path = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return ArchiveExtractor(executable: URL(filePath: path), arguments: ["extract"])
    }

    /// `executable`, after `arguments`, calls ``ExtractionService/run(_:)`` with the rest.
    public init(executable: URL, arguments: [String]) {
        self.executable = executable
        self.arguments = arguments
    }

    /// Whether this build can.
    public static var isAvailable: Bool {
        #if Archives
        true
        #else
        false
        #endif
    }

    /// Unpacks into a folder that must not be there yet; where it fails or the task is cancelled, it is not
    /// there afterwards.
    /// - Throws: ``BreezeError``: `.invalidFile` for an archive that is damaged or does what none should,
    ///   `.insufficientDisk`, `.inputOutput`, `.unavailable` where this build has no libarchive;
    ///   `CancellationError`.
    public func extract(
        _ archive: URL,
        into folder: URL,
        limits: ArchiveLimits = ArchiveLimits()
    ) async throws -> ArchiveContents {
        guard Self.isAvailable else { throw ArchiveFault.unavailable }
        guard mkdir(folder.path, 0o700) == 0 else { throw ArchiveFault.writing(folder.path, errno) }
        do {
            return try await unpack(archive, folder, limits)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    private func unpack(_ archive: URL, _ folder: URL, _ limits: ArchiveLimits) async throws
        -> ArchiveContents
    {
        let order = String(decoding: try JSONEncoder().encode(limits), as: UTF8.self)
        let child = ExtractionChild(
            executable: executable,
            arguments: arguments + [archive.path, folder.path, order]
        )
        let end = try await child.run()
        try Task.checkCancellation()
        guard let answer = try? JSONDecoder().decode(ExtractionAnswer.self, from: Data(end.output)) else {
            throw BreezeError(
                .invalidFile,
                "\(archive.lastPathComponent) ended the process that unpacked it (\(end.how)).",
                remedy: "Nothing of it was kept. Get the file from another source."
            )
        }
        if let error = answer.error { throw error }
        guard let contents = answer.contents else { throw ArchiveFault.damaged("nothing was said of it") }
        return contents
    }
}
