import BreezeArchives

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What `breeze extract` does, for tests; as `crash` it dies as a library that reads a bad archive may, as
/// `wait` it never comes to an end.
@main
enum ExtractProgram {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        switch arguments.first {
        case "crash": raise(SIGSEGV)
        case "wait":
            // Told by a file, since standard output is the answer's.
            _ = arguments.dropFirst(2).first.map { mkdir($0 + "/began", 0o700) }
            while true { pause() }
        case "babble":
            while true { print("babble", terminator: "") }
        default: exit(ExtractionService.run(Array(arguments.dropFirst())))
        }
    }
}
