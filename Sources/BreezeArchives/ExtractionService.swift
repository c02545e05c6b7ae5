import BreezeCore
import CSandbox
import Foundation

/// What the child says when it is done, as one line of JSON.
struct ExtractionAnswer: Codable {
    var contents: ArchiveContents?
    var error: BreezeError?
}

/// The child's side: what the hidden command `breeze extract` runs.
public enum ExtractionService {
    /// Bytes of private memory that unpacking may take: the dictionaries of both formats are small.
    private static let memory: UInt64 = 1 << 30

    /// Gives up the network, privileges and core dumps, then unpacks. Writes its answer to standard output.
    /// - Parameter arguments: The archive, the folder, and the limits as JSON.
    /// - Returns: The exit code: 0 where it went well.
    public static func run(_ arguments: [String]) -> Int32 {
        let answer = answer(arguments)
        let line = (try? JSONEncoder().encode(answer)) ?? Data()
        FileHandle.standardOutput.write(line + Data("\n".utf8))
        return answer.error == nil ? 0 : 1
    }

    private static func answer(_ arguments: [String]) -> ExtractionAnswer {
        // Names in archives are UTF-8, whatever the environment says of this process.
        setlocale(LC_CTYPE, "C.UTF-8")
        do {
            guard arguments.count == 3,
                let limits = try? JSONDecoder().decode(ArchiveLimits.self, from: Data(arguments[2].utf8))
            else {
                throw BreezeError(.invalidRequest, "extract takes an archive, a folder and limits.")
            }
            try protect()
            var unpacker = try ArchiveUnpacker(into: URL(filePath: arguments[1]), limits: limits)
            return ExtractionAnswer(contents: try unpacker.unpack(URL(filePath: arguments[0])))
        } catch {
            let fault = error as? BreezeError ?? BreezeError(.internalError, "\(error)")
            return ExtractionAnswer(error: fault)
        }
    }

    private static func protect() throws {
        var protection = sandbox_protection()
        sandbox_harden(&protection)
        sandbox_refuse_internet(&protection)
        _ = sandbox_limit_memory(memory)
        #if os(Linux)
        guard protection.no_internet, protection.no_new_privileges else {
            throw BreezeError(
                .unavailable,
                "This kernel does not let a process give up the network, so no archive is opened.",
                remedy: "Use a kernel with seccomp filters."
            )
        }
        #endif
    }
}
