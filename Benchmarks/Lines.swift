import Foundation

/// Answers a command a line, until the input ends.
func answerLines<Command: Decodable, Figures: Encodable>(
    _ answer: (Command) async throws -> Figures
) async throws {
    while let line = readLine() {
        let command = try JSONDecoder().decode(Command.self, from: Data(line.utf8))
        let figures = try await answer(command)
        print(String(decoding: try JSONEncoder().encode(figures), as: UTF8.self))
        fflush(nil)
    }
}
