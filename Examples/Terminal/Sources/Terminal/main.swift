import BreezeKit
import Foundation

try Breeze.configure(appName: "Terminal client")
var turns: [ChatMessage] = []
while let line = readLine(), !line.isEmpty {
    turns.append(ChatMessage(.user, line))
    do {
        for try await chunk in try Breeze.stream(turns) {
            FileHandle.standardOutput.write(Data((chunk.text ?? "").utf8))
            if let text = chunk.result?.output.text { turns.append(ChatMessage(.assistant, text)) }
        }
        print()
    } catch let error as BreezeError { print(error.message, error.remedy ?? "") }
}
