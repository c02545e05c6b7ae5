#if Hub
import BreezeAccess
import BreezeCore
import BreezeEngine
import BreezeSchemeStore
import BreezeWire
import Foundation
import Hummingbird
import HummingbirdCore
import NIOCore

extension HubServer {
    func addStatusRoutes(to router: RouterGroup<HubContext>) {
        router.get("status") { request, _ in try Response(try await self.status(request)) }
        router.get("events") { request, context in self.events(request, context) }
        router.get("history") { request, _ in
            let hours = try request.number("hours", in: 0.1...24, default: 1)
            return try Response(["samples": self.activity.history(hours: hours)])
        }
        router.post("requests/:id/cancel") { _, context in
            let id = try context.part("id")
            let reason = BreezeError(
                .cancelled,
                "The owner of this device ended the request.",
                remedy: "Ask the owner."
            )
            guard self.parts.requests.stop(id, because: reason) else {
                throw BreezeError(.notFound, "No request \(id.prefix(80)) is running.")
            }
            return try Response(Done())
        }
    }

    private struct Status: Encodable {
        struct Memory: Encodable {
            /// Of the hub's own process.
            let resident: Int64?
            /// Of loaded models: at most, and now.
            let budget: Int64?
            let used: Int64
        }

        struct Device: Encodable {
            let name: String
            let memory: Int64?
            let cores: Int
            let temperature: DeviceProfile.ThermalState?
        }

        let version: String
        let uptime: Double
        let address: String
        let mock: Bool
        let open: Bool
        let egressForbidden: Bool
        let memory: Memory
        let device: Device
        let waitingApps: Int
        let waitingPulls: Int
        let running: Int
        let queued: Int
    }

    private func status(_ request: Request) async throws -> Status {
        let residency = await parts.engine.residency()
        let device = activity.device
        let apps = parts.access.apps()
        return Status(
            version: parts.version,
            uptime: Date().timeIntervalSince(parts.started),
            address: "\(options.certificate == nil ? "http" : "https")://\(request.head.authority ?? "")",
            mock: parts.allowsMocks,
            open: parts.access.gate.isOpen,
            egressForbidden: try parts.settings.current().isOffline,
            memory: Status.Memory(
                resident: SystemProcessMemory().resident(),
                budget: residency.budget,
                used: residency.used
            ),
            device: Status.Device(
                name: device.operatingSystem.name,
                memory: device.memory.total,
                cores: device.processor.effectiveCores,
                temperature: device.thermalState
            ),
            waitingApps: apps.count { $0.state == .waiting } + (try await parts.scheme.questions().count),
            waitingPulls: try await parts.access.pulls().count { $0.state == .waiting },
            running: parts.requests.count,
            queued: await parts.engine.runners().reduce(0) { $0 + $1.waiting }
        )
    }

    /// One connection for the whole panel: a sample each second, and what happens, as it happens.
    private func events(_ request: Request, _ context: HubContext) -> Response {
        let feed = feed
        let listener = feed.listen()
        let credential = credential(of: request)
        let place = context.connection.onGone { listener.end() }
        let work = Task {
            await withTaskGroup { group in
                group.addTask { await self.sample(for: listener, credential) }
                group.addTask { await self.follow(listener) }
            }
        }
        let body = ResponseBody { writer in
            defer {
                work.cancel()
                listener.end()
                context.connection.forget(place)
            }
            for await bytes in listener.events { try await writer.write(ByteBuffer(bytes: bytes)) }
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: [.contentType: "text/event-stream"], body: body)
    }

    /// Until the session is over: a page that was left open learns nothing more.
    private func sample(for listener: PanelFeed.Listener, _ credential: Credential) async {
        let speed = activity.speed()
        var asked: [String] = []
        while case .ownerToken(let token) = credential, parts.access.gate.sessions.isOwner(token) {
            let runners = await parts.engine.runners()
            let names = await clientNames
            // Whoever handles a URL is another process: that it put a question there is seen by looking.
            let waiting = ((try? await parts.scheme.questions()) ?? []).map(\.id)
            if waiting != asked { listener.send("apps", Done()) }
            asked = waiting
            let sample = Activity.Sample(
                time: Date(),
                running: parts.requests.calls().map { activity.call($0, runners, names) },
                queued: runners.reduce(0) { $0 + $1.waiting },
                memory: await parts.engine.residency().used,
                temperature: activity.device.thermalState,
                tokensPerSecond: speed()
            )
            listener.send("sample", sample)
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { break }
        }
        listener.end()
    }

    /// What the engine does, while somebody looks.
    private func follow(_ listener: PanelFeed.Listener) async {
        let shown: Set<EngineEvent.Kind> = [.loaded, .loadFailed, .evicted, .unloaded]
        for await event in parts.engine.events(buffering: 1_024) {
            activity.note(event)
            if shown.contains(event.kind) { listener.send("engine", event) }
        }
    }
}
#endif
