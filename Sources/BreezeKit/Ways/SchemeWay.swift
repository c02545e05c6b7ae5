import BreezeCore

/// The hub by its URL scheme.
struct SchemeWay: Way {
    let name = TransportReport.Way.urlScheme
    let transport: (any SchemeTransport)?
    let host: HostApp
    let callbackScheme: String?

    func answer(_ request: InferenceRequest, into sink: ChunkSink?) async throws -> InferenceResult {
        let transport = try await openTransport()
        var request = request
        request.streamingCallback = nil
        var result = try await transport.run(request)
        if sink != nil { result.notices.append("The hub's URL scheme brings an answer in one piece.") }
        return result
    }

    /// How the app stands with a hub that is reached this way; nothing is opened.
    /// - Throws: ``NothingSent`` where this way is closed.
    func look() async throws(NothingSent) -> HubFinding {
        let finding = await (try openTransport()).look()
        guard finding.state != .notInstalled else {
            throw NothingSent(finding.reason ?? "No hub is installed.", remedy: finding.remedy)
        }
        return finding
    }

    private func openTransport() async throws(NothingSent) -> any SchemeTransport {
        guard let transport else { throw NothingSent("This app was built without it.") }
        guard callbackScheme != nil else {
            throw NothingSent(
                "The app has no callback scheme.",
                remedy:
                    "Register one, and name it: Breeze.configure(appName: …, callbackScheme: \"mycoolapp\")"
            )
        }
        if let problem = host.callbackProblem(callbackScheme) ?? host.queryProblem {
            throw NothingSent(problem.reason, remedy: problem.remedy)
        }
        if let canOpenHub = host.canOpenHub, await !canOpenHub() {
            throw NothingSent("No app here opens \(HostApp.hubScheme)://.", remedy: "Install Breeze.")
        }
        return transport
    }
}
