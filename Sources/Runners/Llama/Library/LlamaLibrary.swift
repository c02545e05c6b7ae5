#if Llama
import CLlama
import CLlamaCommon
import Foundation
import Synchronization

/// llama.cpp as a whole: started once, its log kept away from the program's outputs.
enum LlamaLibrary {
    /// As much of its log as an error message needs.
    private static let kept = 20
    private static let complaints: Mutex<[String]> = Mutex([])

    private static let started: Void = {
        lc_silence()
        // Before it ends the process ggml would start a debugger on it.
        setenv("GGML_NO_BACKTRACE", "1", 0)
        // It captures nothing and is made outside every actor: llama.cpp's own threads call it.
        llama_log_set({ level, text, _ in LlamaLibrary.note(level, text) }, nil)
        llama_backend_init()
    }()

    static func start() { _ = started }

    private static func note(_ level: ggml_log_level, _ text: UnsafePointer<CChar>?) {
        guard level == GGML_LOG_LEVEL_ERROR || level == GGML_LOG_LEVEL_WARN, let text else { return }
        let line = String(cString: text).trimmingPrefix { $0.isWhitespace }
        complaints.withLock { lines in
            lines.append(String(line.prefix(500)))
            lines.removeFirst(max(0, lines.count - kept))
        }
    }

    /// What it complained of since the last call, a sentence or two for an error's message.
    static func takeComplaints() -> String? {
        let lines = complaints.withLock { lines in
            defer { lines = [] }
            return lines
        }
        let words = lines.suffix(3).joined(separator: " ").split(whereSeparator: \.isNewline)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }
}
#endif
