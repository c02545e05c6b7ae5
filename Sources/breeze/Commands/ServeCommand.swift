import ArgumentParser
import BreezeAccess
import BreezeCore
import BreezeEngine
import BreezeHub
import BreezeModels
import BreezeSecrets
import Foundation
import Logging

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the hub: the server that other programs ask.",
        discussion: """
            Speaks OpenAI's API (http://127.0.0.1:11535/v1) and Ollama's (OLLAMA_HOST=127.0.0.1:11535) to \
            programs that you let in: breeze apps. Ctrl-C or SIGTERM ends it: running answers get three seconds. SIGHUP takes up new \
            settings and models.

            Examples:
              breeze serve                         on loopback, and on a socket of your own
              breeze serve --mock                  with made-up answers under the model's name mock-llm
              breeze serve --open                  any program of this device may ask, for development
              breeze serve --host 0.0.0.0 --tls-certificate chain.pem --tls-key key.pem
            """
    )

    @OptionGroup var options: EngineOptions
    @Option(help: "The address to listen on.") var host = "127.0.0.1"
    @Option(help: "The port; 0 takes a free one.") var port = HubOptions.standardPort
    @Option(
        help: ArgumentHelp("Where the Unix socket lies; \"none\" for no socket.", valueName: "path")
    ) var socket: String?
    @Flag(help: "Let mocks answer: made-up answers, labelled as such.") var mock = false
    @Flag(help: "Let in every program of this device, for inference on the device alone.") var open = false
    @Option(help: ArgumentHelp("A PEM file of the certificate and its chain.", valueName: "file"))
    var tlsCertificate: String?
    @Option(help: ArgumentHelp("A PEM file of the certificate's key.", valueName: "file")) var tlsKey: String?
    @Flag(help: "Listen to the network without TLS: whoever is on it reads every prompt.") var insecure =
        false

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port takes 0 to 65535.") }
        guard (tlsCertificate == nil) == (tlsKey == nil) else {
            throw ValidationError("--tls-certificate and --tls-key go together.")
        }
    }

    func run() async throws {
        let composition = try await Composition(options)
        let hub = try hubOptions(composition)
        let folder = composition.paths.data
        try Self.make(folder)
        let lock = try await HubLock.take(folder)
        defer { lock.withdraw() }
        let logger = Logger(label: "breeze.hub")
        let access = try await AccessFile.open(
            composition.paths,
            try composition.settings.current(),
            isOpen: open
        )
        for notice in access.notices { Console.printError(notice) }
        let parts = HubParts(
            engine: composition.engine,
            settings: composition.settings,
            access: access,
            manager: try ModelAccess().manager(),
            secrets: Credentials.service(),
            scheme: SchemeDesk(SchemePlace(composition.paths).file),
            mail: MailDesk(
                MailPlace.file(composition.paths),
                reading: HubMail(),
                embedder: composition.engine,
                trustedServers: { try composition.settings.current().trustedMailServers },
                knownPhishing: MailPlace.knownPhishing(composition.paths)
            ),
            checkSecret: { try await Credentials.check(flags: [])($0) },
            ledger: OutgoingTransport.ledger(environment: ProcessInfo.processInfo.environment),
            version: BreezeVersion.current,
            allowsMocks: mock,
            refresh: { try await composition.refresh() }
        )
        let server = HubServer(parts, options: hub, logger: logger)
        Signals.shared.onHangup {
            Task {
                do { try await server.reload() } catch {
                    logger.error("The settings or models could not be read again: \(error)")
                }
            }
        }
        let json = options.json
        try await server.run { address in
            let place = HubLock.Place(
                process: getpid(),
                address: address.absoluteString,
                socket: hub.socket?.path,
                proof: access.gate.sessions.proof
            )
            do { try lock.tell(place) } catch {
                logger.error("Other programs will not find the hub: \(error)")
            }
            try? Self.announce(place, json: json)
        }
        try await access.close()
    }

    private struct Announcement: Encodable {
        let process: Int32
        let address: String
        let socket: String?
        let panel: String
    }

    private static func announce(_ place: HubLock.Place, json: Bool) throws {
        let link = PanelCommand.link(place)
        if json {
            return try JSONText.print(
                Announcement(
                    process: place.process,
                    address: place.address,
                    socket: place.socket,
                    panel: link
                )
            )
        }
        try Console.print("Breeze listens on \(place.address)\(place.socket.map { " and \($0)" } ?? "").")
        try Console.print("The control panel, for a minute: \(link)")
        try Console.print(
            "Another link: breeze panel. Let a program in: breeze apps add NAME. Ctrl-C ends the hub."
        )
    }

    private func hubOptions(_ composition: Composition) throws -> HubOptions {
        var hub = HubOptions(
            host: host,
            port: port,
            socket: composition.paths.data.appending(path: "hub.sock"),
            certificate: tlsCertificate.map { URL(fileURLWithPath: $0) },
            certificateKey: tlsKey.map { URL(fileURLWithPath: $0) }
        )
        hub.limits.connections = Descriptors.raise(wanted: hub.limits.connections)
        if let socket { hub.socket = socket == "none" ? nil : URL(fileURLWithPath: socket) }
        // A socket's address has room for about a hundred bytes.
        if let path = hub.socket?.path, path.utf8.count > 100 {
            guard socket == nil else {
                throw ValidationError("--socket: the path has more than 100 bytes.")
            }
            hub.socket = nil
        }
        guard hub.isLoopback || hub.certificate != nil || insecure else {
            throw BreezeError(
                .invalidRequest,
                "\(host) is reached from the network, where every prompt could be read on its way.",
                remedy:
                    "Give --tls-certificate and --tls-key, or --insecure where another program does the TLS."
            )
        }
        guard hub.isLoopback || !open else {
            throw BreezeError(
                .invalidRequest,
                "--open lets in whoever reaches \(host), and that is more than this device.",
                remedy: "Leave --host or --open out."
            )
        }
        return hub
    }

    private static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }
}
