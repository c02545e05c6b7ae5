import ArgumentParser
import BreezeAccess
import BreezeCore
import BreezeHub
import Foundation

struct PanelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "panel",
        abstract: "Print a link to the control panel of the hub that runs.",
        discussion: """
            The link works once, within a minute, and makes its browser the owner's for twelve hours.

            Examples:
              breeze panel
              breeze panel --open            in the browser, at once
            """
    )

    @OptionGroup var output: OutputOptions
    @Flag(help: "Open it in the browser.") var open = false

    func run() async throws {
        let link = try Self.link(BreezePaths(environment: ProcessInfo.processInfo.environment))
        if open { try await Self.open(link) }
        if output.json { return try JSONText.print(["panel": link]) }
        try Console.print(link)
    }

    /// Shows the panel of the hub that runs.
    static func open(_ paths: BreezePaths) async throws { try await open(try link(paths)) }

    private static func link(_ paths: BreezePaths) throws -> String {
        guard let place = HubLock.running(paths.data) else {
            throw BreezeError(
                .resourceUnavailable,
                "No hub runs for this home.",
                remedy: "Start it: breeze serve"
            )
        }
        return link(place)
    }

    static func link(_ place: HubLock.Place) -> String {
        // What listens on every address is reached on this device by loopback.
        let address = place.address.replacing("//0.0.0.0", with: "//127.0.0.1").replacing(
            "//[::]",
            with: "//[::1]"
        )
        return HubServer.panelLink(address, OwnerSessions.linkCode(proof: place.proof))
    }

    private static func open(_ link: String) async throws {
        #if canImport(Darwin)
        let openers = [["/usr/bin/open", link]]
        #else
        let openers = [["/usr/bin/gio", "open", link], ["/usr/bin/xdg-open", link]]
        #endif
        for words in openers where FileManager.default.isExecutableFile(atPath: words[0]) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: words[0])
            process.arguments = Array(words.dropFirst())
            if (try? process.run()) != nil { return }
        }
        throw BreezeError(
            .resourceUnavailable,
            "No program here opens a browser.",
            remedy: "Open the link by hand: breeze panel"
        )
    }
}
