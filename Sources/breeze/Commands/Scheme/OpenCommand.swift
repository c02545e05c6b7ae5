import ArgumentParser
import BreezeCore
import BreezeHub
import BreezeSchemeHandler
import BreezeSchemeStore
import BreezeService
import Foundation

struct OpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Do what a breezeapp:// URL asks for: what the desktop starts when an app opens one.",
        discussion: """
            The answer goes to the app's own URL scheme, never to this terminal. A hub that runs answers; without one an \
            engine starts for this one URL. What may come from anybody waits for your yes: here in a terminal, else in \
            the control panel or under breeze apps, and is refused after two minutes.

            Examples:
              breeze service install --url-handler            the desktop opens breezeapp:// with this
              breeze open 'breezeapp://api/chat?prompt=hello&callback=mycoolapp'
            """
    )

    @OptionGroup var options: EngineOptions
    @Flag(help: "Let mocks answer: made-up answers, labelled as such.") var mock = false
    @Argument(help: "The URL.") var url: String

    private struct Report: Encodable {
        /// `url`, `socket` or `nothing`.
        let delivered: String
        /// The scheme that got it.
        let callback: String?
    }

    func run() async throws {
        let place = SchemePlace(BreezePaths(environment: ProcessInfo.processInfo.environment))
        let store = try place.open()
        for notice in store.notices { Console.printError(notice.printable) }
        let handler = try SchemeHandler(
            store: store,
            service: { try await self.service(place.paths) },
            questions: Self.questions(store),
            opener: try Self.opener(),
            handoff: place.handoff(),
            showSettings: { try await PanelCommand.open(place.paths) }
        )
        let outcome = await handler.handle(url)
        try store.close()
        let report = Self.report(outcome.delivery)
        if options.json {
            try JSONText.print(report)
        } else if let callback = report.callback {
            Console.printError("The answer went to \(callback)://.")
        }
        if let error = outcome.error { throw error }
    }

    /// The hub that runs, else an engine of this process.
    private func service(_ paths: BreezePaths) async throws -> any InferenceService {
        if let hub = OwnHub(paths) { return MockedService(base: hub, allowsMocks: mock) }
        return MockedService(base: try await Composition(options).engine, allowsMocks: mock)
    }

    private static func questions(_ store: SchemeStore) -> any OwnerQuestions {
        Console.isInputTerminal && Console.isErrorTerminal ? TerminalQuestions() : NotedQuestions(store)
    }

    private static func opener() throws -> any URLOpener {
        #if os(Linux)
        return GIOOpener()
        #elseif canImport(AppKit)
        return NSWorkspaceOpener()
        #else
        throw BreezeError(.unavailable, "This system opens URLs from within an app alone.")
        #endif
    }

    private static func report(_ delivery: SchemeOutcome.Delivery) -> Report {
        switch delivery {
        case .nothing: Report(delivered: "nothing", callback: nil)
        case .socket: Report(delivered: "socket", callback: nil)
        case .url(let url): Report(delivered: "url", callback: String(url.prefix { $0 != ":" }).printable)
        }
    }
}

/// The same, and whether mocks may answer, which no app can ask for.
private struct MockedService: InferenceService {
    let base: any InferenceService
    let allowsMocks: Bool

    private func changed(_ request: InferenceRequest) -> InferenceRequest {
        var request = request
        request.allowsMocks = allowsMocks
        return request
    }

    func run(_ request: InferenceRequest) async throws -> InferenceResult {
        try await base.run(changed(request))
    }

    func stream(_ request: InferenceRequest) -> InferenceStream { base.stream(changed(request)) }
    func cancel(_ id: String) async -> Bool { await base.cancel(id) }

    func explain(_ request: InferenceRequest) async throws -> RoutingDecision {
        try await base.explain(changed(request))
    }
}
