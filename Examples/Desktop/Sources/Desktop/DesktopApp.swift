import BreezeKit
import BreezeKitPairing
import Foundation

/// A small app that asks Breeze by its URL scheme, and is brought the answer by its own one.
@main
enum DesktopApp {
    static let name = "Desktop example"
    static let scheme = "breeze-desktop-example"
    private static let usage = """
        usage: Desktop install            registers \(scheme):// for this user
               Desktop pair               pairs the app with Breeze, which is done once
               Desktop ask QUESTION       asks; before it is paired, other apps can read it
               Desktop remove             takes the registration and the pairing back
        """

    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        do {
            switch (words.first, words.count) {
            case ("install", 1): try Registration.install()
            case ("remove", 1):
                try await hub().unpair()
                try Registration.remove()
            case ("pair", 1): try await pair()
            case ("ask", 2): try await ask(words[1])
            // What the desktop starts with an answer: the app that asked waits in another process.
            case ("open", 2): Postbox().bring(words[1])
            default: print(usage)
            }
        } catch let error as BreezeError {
            fail("\(error.message) \(error.remedy ?? "")")
        } catch let closed as NothingSent {
            fail("\(closed.reason) \(closed.remedy ?? "")")
        } catch { fail("\(error)") }
    }

    private static func hub() throws -> HubScheme { try HubScheme(appName: name, callbackScheme: scheme) }

    private static func pair() async throws {
        let hub = try hub()
        let postbox = try Postbox().open { _ = hub.handle($0) }
        defer { postbox.close() }
        let granted = try await hub.pair(asking: [.chat]) { code in
            print("Open Breeze (`breeze apps`). Does it show \(code)? [y/n]")
            return readLine() == "y"
        }
        print("Paired, for \(granted.map(\.rawValue).joined(separator: ", ")).")
    }

    private static func ask(_ question: String) async throws {
        let hub = try hub()
        let postbox = try Postbox().open { _ = hub.handle($0) }
        defer { postbox.close() }
        // The hub's socket and its HTTP are left out, so that the URL is the way that is shown.
        let configuration = BreezeConfiguration(
            appName: name,
            callbackScheme: scheme,
            hub: .at(),
            scheme: hub
        )
        let answer = try await BreezeClient(configuration).chat(prompt: question)
        print(answer.text)
        for notice in answer.result.notices { print("  (\(notice))") }
    }

    private static func fail(_ text: String) -> Never {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
        exit(1)
    }
}
