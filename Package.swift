// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "breeze",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "BreezeEngine", targets: ["BreezeCore", "BreezeEngine"]),
        .library(name: "BreezeKit", targets: ["BreezeCore", "BreezeKit"]),
        .library(name: "BreezeKitPairing", targets: ["BreezeCore", "BreezeKit", "BreezeKitPairing"]),
        .library(
            name: "BreezeAPIRunner",
            targets: ["BreezeCore", "BreezeTransport", "BreezeURLSessionTransport", "BreezeAPIRunner"]
        ),
        .executable(name: "breeze", targets: ["breeze"]),
        .executable(name: "breeze-mail-index", targets: ["breeze-mail-index"]),
    ],
    traits: [
        .trait(name: "Hub", description: "The command line, the model store and what the hub server needs."),
        .trait(name: "Pairing", description: "Sealed requests over the URL scheme, with swift-crypto."),
        .trait(name: "Llama", description: "GGUF models with llama.cpp, which `make setup` builds."),
        .trait(name: "Archives", description: "Unpacks tar.gz and zip with the system's libarchive."),
        .trait(name: "Mail", description: "Reads mail with the system's GMime and libxml2."),
        .default(enabledTraits: ["Hub"]),
    ],
    // A dependency that no trait gates is fetched by every consumer: swift-log alone stays ungated.
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-system.git", from: "1.8.1"),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird.git",
            from: "2.28.1",
            traits: ["FullFoundation"]
        ),
        .package(url: "https://github.com/groue/GRDB.swift.git", from: "7.10.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swiftlang/swift-subprocess.git", from: "1.0.2"),
    ],
    targets: [
        // Contracts
        .target(name: "BreezeCore"),
        // JSON Schema: what guided output is held against
        .target(name: "BreezeSchema", dependencies: ["BreezeCore"]),
        // Engine
        .target(
            name: "BreezeEngine",
            dependencies: ["BreezeCore", .product(name: "Logging", package: "swift-log")]
        ),
        // Files: written whole, locked, hashed
        .target(
            name: "BreezeFiles",
            dependencies: [
                "BreezeCore",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/Files"
        ),
        // Models: formats, conversion, tokenizers, the store
        .target(name: "BreezeTokenizers", dependencies: ["BreezeCore"]),
        .target(name: "BreezeModels", dependencies: ["BreezeCore", "BreezeFiles", "BreezeTokenizers"]),
        // The network: one way out, in a ledger, and downloads that survive anything
        .target(
            name: "BreezeTransport",
            dependencies: [
                "BreezeCore",
                .product(
                    name: "AsyncHTTPClient",
                    package: "async-http-client",
                    condition: .when(traits: ["Hub"])
                ),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Hub"])),
            ]
        ),
        // Apart: the system's client brings half a dozen libraries into a process, and a hub has its own
        .target(
            name: "BreezeURLSessionTransport",
            dependencies: ["BreezeCore", "BreezeTransport"],
            path: "Sources/URLSessionTransport"
        ),
        .target(name: "BreezeDownloads", dependencies: ["BreezeCore", "BreezeFiles", "BreezeTransport"]),
        // Where models come from: catalog, providers, and what brings them into the store
        .target(
            name: "BreezeCatalog",
            dependencies: ["BreezeCore", "BreezeModels", "BreezeTransport", "BreezeDownloads"],
            path: "Sources/Catalog",
            resources: [.embedInCode("Resources/catalog.json")]
        ),
        // Archives: libarchive, in a child process
        .systemLibrary(name: "CArchive", path: "Sources/Native/CArchive", pkgConfig: "libarchive"),
        .target(
            name: "BreezeArchives",
            dependencies: [
                "BreezeCore", "CSandbox",
                .target(name: "CArchive", condition: .when(traits: ["Archives"])),
            ]
        ),
        // Mail: messages as values, and GMime and libxml2 that read them
        .target(name: "BreezeMail", dependencies: ["BreezeCore"], path: "Sources/Mail"),
        // What a message says of its sender and its links, and what the system knows of host names
        .target(
            name: "BreezeMailSigns",
            dependencies: ["BreezeCore", "BreezeMail"],
            path: "Sources/MailSigns"
        ),
        .target(
            name: "CDomains",
            path: "Sources/Native/CDomains",
            cSettings: [.define("BREEZE_DOMAINS", .when(traits: ["Mail"]))],
            linkerSettings: [
                .linkedLibrary("psl", .when(traits: ["Mail"])),
                .linkedLibrary("icui18n", .when(traits: ["Mail"])),
                .linkedLibrary("icuuc", .when(traits: ["Mail"])),
            ]
        ),
        .systemLibrary(name: "CGMime", path: "Sources/Native/CGMime", pkgConfig: "gmime-3.0"),
        .systemLibrary(name: "CXml2", path: "Sources/Native/CXml2", pkgConfig: "libxml-2.0"),
        .target(
            name: "BreezeMailParser",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailSigns",
                .target(name: "CDomains", condition: .when(traits: ["Mail"])),
                .target(name: "CGMime", condition: .when(traits: ["Mail"])),
                .target(name: "CXml2", condition: .when(traits: ["Mail"])),
            ],
            path: "Sources/MailParser"
        ),
        .target(name: "CMailHeads", path: "Sources/Native/CMailHeads"),
        // Categories, spam and phishing: linear heads over words and embeddings, with the signs
        .target(
            name: "BreezeMailClassifier",
            dependencies: ["BreezeCore", "BreezeMail", "BreezeMailSigns", "CMailHeads"],
            path: "Sources/MailClassifier"
        ),
        // Runners: each sees BreezeCore, never the engine
        .target(name: "COnnxRuntime", path: "Sources/Native/COnnxRuntime"),
        .target(
            name: "BreezeOnnxRuntime",
            dependencies: ["BreezeCore", "COnnxRuntime"],
            path: "Sources/Runners/Onnx"
        ),
        .target(name: "CLiteRt", path: "Sources/Native/CLiteRt"),
        .target(
            name: "BreezeLiteRT",
            dependencies: ["BreezeCore", "CLiteRt"],
            path: "Sources/Runners/LiteRT"
        ),
        .target(
            name: "BreezeEncoderRunner",
            dependencies: [
                "BreezeCore", "BreezeTokenizers", "BreezeModels", "BreezeOnnxRuntime", "BreezeLiteRT",
            ],
            path: "Sources/Runners/Encoder"
        ),
        // The module is empty where the trait is off, since then nobody told where llama.cpp lies.
        .systemLibrary(name: "CLlama", path: "Sources/Native/CLlama", pkgConfig: "breeze-llama"),
        .target(
            name: "CLlamaCommon",
            dependencies: [.target(name: "CLlama", condition: .when(traits: ["Llama"]))],
            path: "Sources/Native/CLlamaCommon",
            cxxSettings: [.define("BREEZE_LLAMA", .when(traits: ["Llama"]))]
        ),
        .target(
            name: "BreezeLlamaRunner",
            dependencies: [
                "BreezeCore", "BreezeModels", "BreezeSchema",
                .target(name: "CLlama", condition: .when(traits: ["Llama"])),
                .target(name: "CLlamaCommon", condition: .when(traits: ["Llama"])),
            ],
            path: "Sources/Runners/Llama"
        ),
        .target(name: "BreezeGuardianRunner", dependencies: ["BreezeCore"], path: "Sources/Runners/Guardian"),
        .target(
            name: "BreezeAPIRunner",
            dependencies: ["BreezeCore", "BreezeSchema", "BreezeTransport", "BreezeGuardianRunner"],
            path: "Sources/Runners/API"
        ),
        .target(
            name: "BreezeMockRunners",
            dependencies: ["BreezeCore", "BreezeSchema"],
            path: "Sources/Runners/Mock",
            resources: [.embedInCode("Fixtures")]
        ),
        // The wire: OpenAI and Ollama JSON, without a server
        .target(name: "BreezeWire", dependencies: ["BreezeCore"]),
        // The URL scheme: what both sides make of breezeapp://, without opening anything
        .target(
            name: "BreezeScheme",
            dependencies: [
                "BreezeCore",
                .product(
                    name: "Crypto",
                    package: "swift-crypto",
                    condition: .when(traits: ["Hub", "Pairing"])
                ),
            ],
            path: "Sources/Scheme"
        ),
        // The SDK: any app asks the hub; and the HTTP client that it does so with
        .target(name: "BreezeLocalHTTP", path: "Sources/LocalHTTP"),
        .target(name: "BreezeKit", dependencies: ["BreezeCore", "BreezeLocalHTTP"]),
        // Apart: sealing needs swift-crypto, which an app fetches with the trait Pairing alone
        .target(name: "BreezeOpeners", dependencies: ["BreezeCore"], path: "Sources/Openers"),
        .target(
            name: "BreezeKitPairing",
            dependencies: ["BreezeCore", "BreezeOpeners", "BreezeScheme", "BreezeKit"],
            path: "Sources/KitPairing"
        ),
        // Workers: any runner in a child process
        .target(name: "CSandbox", path: "Sources/Native/CSandbox"),
        .target(name: "BreezeWorker", dependencies: ["BreezeCore", "CSandbox"], path: "Sources/Worker"),
        // Secrets: where the keys of services are kept
        .target(name: "CSecret", path: "Sources/Native/CSecret"),
        .target(
            name: "BreezeSecrets",
            dependencies: [
                "BreezeCore", "CSecret",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/Secrets"
        ),
        // What features keep: one SQLite file each; and who may use the hub
        .target(
            name: "BreezeStore",
            dependencies: [
                "BreezeCore",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .target(
            name: "BreezeAccess",
            dependencies: [
                "BreezeCore", "BreezeStore",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Hub"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/Access"
        ),
        // The URL scheme on this device: what is kept of it, and what handles such URLs
        .target(
            name: "BreezeSchemeStore",
            dependencies: [
                "BreezeCore", "BreezeFiles", "BreezeScheme", "BreezeStore",
                .product(name: "Crypto", package: "swift-crypto", condition: .when(traits: ["Hub"])),
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/SchemeStore"
        ),
        .target(
            name: "BreezeSchemeHandler",
            dependencies: ["BreezeCore", "BreezeOpeners", "BreezeScheme", "BreezeSchemeStore"],
            path: "Sources/SchemeHandler"
        ),
        // The mail index: where mail lies, what is in it, and words to find it by
        .target(
            name: "BreezeMailIndex",
            dependencies: [
                "BreezeCore", "BreezeFiles", "BreezeMail", "BreezeStore",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
                .product(name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/MailIndex"
        ),
        // Vectors: the nearest ones, by brute force over mapped files
        .target(name: "CVectorSearch", path: "Sources/Native/CVectorSearch"),
        .target(
            name: "BreezeVectors",
            dependencies: ["BreezeCore", "BreezeFiles", "CVectorSearch"],
            path: "Sources/Vectors"
        ),
        // Mail found by words and by meaning, and what makes its vectors
        .target(
            name: "BreezeMailSearch",
            dependencies: [
                "BreezeCore", "BreezeFiles", "BreezeMail", "BreezeMailIndex", "BreezeVectors",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/MailSearch"
        ),
        // Verdicts of indexed mail, in the background and on demand, and what its owner teaches
        .target(
            name: "BreezeMailJudgement",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailIndex", "BreezeMailSearch", "BreezeMailClassifier",
                "BreezeMailSigns",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/MailJudgement"
        ),
        // The one target that changes what lies in somebody's mailbox: keywords and tags, by explicit command
        .target(name: "BreezeMailTags", dependencies: ["BreezeCore"], path: "Sources/MailTags"),
        // The description of the hub's API
        .target(name: "BreezeOpenAPI", path: "Sources/OpenAPI", resources: [.embedInCode("openapi.json")]),
        // The control panel's files
        .target(name: "BreezePanel", path: "Sources/Panel", resources: [.embedInCode("Files")]),
        // The hub: the server that other programs ask
        .target(
            name: "BreezeHub",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeFiles", "BreezeModels", "BreezeTokenizers", "BreezeWire",
                "BreezeAccess", "BreezeCatalog", "BreezeDownloads", "BreezeTransport", "BreezeSecrets",
                "BreezeScheme", "BreezeSchemeStore", "BreezeOpenAPI", "BreezePanel", "BreezeMail",
                "BreezeMailIndex", "BreezeMailSearch", "BreezeMailClassifier", "BreezeMailJudgement",
                .product(name: "HTTPTypes", package: "swift-http-types", condition: .when(traits: ["Hub"])),
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Hub"])),
                .product(name: "HummingbirdCore", package: "hummingbird", condition: .when(traits: ["Hub"])),
                .product(name: "HummingbirdTLS", package: "hummingbird", condition: .when(traits: ["Hub"])),
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ServiceLifecycle",
                    package: "swift-service-lifecycle",
                    condition: .when(traits: ["Hub"])
                ),
                .product(name: "NIOCore", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(name: "NIOHTTP1", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(
                    name: "NIOHTTPTypes",
                    package: "swift-nio-extras",
                    condition: .when(traits: ["Hub"])
                ),
                .product(name: "NIOPosix", package: "swift-nio", condition: .when(traits: ["Hub"])),
                .product(name: "NIOSSL", package: "swift-nio-ssl", condition: .when(traits: ["Hub"])),
            ],
            path: "Sources/Hub"
        ),
        // The hub as a service of the system: systemd, launchd
        .target(name: "BreezeService", dependencies: ["BreezeCore", "BreezeFiles"], path: "Sources/Service"),
        // Composition root
        .executableTarget(
            name: "breeze",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeModels", "BreezeMockRunners", "BreezeEncoderRunner",
                "BreezeOnnxRuntime", "BreezeLiteRT", "BreezeTokenizers", "BreezeGuardianRunner",
                "BreezeAPIRunner", "BreezeLlamaRunner", "BreezeWorker", "BreezeCatalog", "BreezeTransport",
                "BreezeDownloads",
                "BreezeArchives", "BreezeSecrets", "BreezeAccess", "BreezeHub", "BreezeService",
                "BreezeMail", "BreezeMailIndex", "BreezeMailSearch", "BreezeMailTags", "BreezeMailClassifier",
                "BreezeMailJudgement", "BreezeMailSigns", "BreezeFiles", "BreezeScheme",
                "BreezeSchemeStore", "BreezeSchemeHandler", "BreezeKit",
                "BreezeLocalHTTP",
                "CSandbox",
                .product(name: "Logging", package: "swift-log"),
                .product(
                    name: "ArgumentParser",
                    package: "swift-argument-parser",
                    condition: .when(traits: ["Hub"])
                ),
            ]
        ),
        // Apart: it parses what strangers wrote, with libraries that the hub has no use for
        .executableTarget(
            name: "breeze-mail-index",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailIndex", "BreezeMailParser", "BreezeMailSigns",
                "BreezeMailClassifier", "CSandbox",
            ],
            path: "Sources/MailIndexer"
        ),
        .executableTarget(
            name: "breeze-benchmark",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeModels", "BreezeTokenizers", "BreezeMockRunners",
                "BreezeEncoderRunner", "BreezeOnnxRuntime", "BreezeLiteRT", "BreezeLlamaRunner",
                "BreezeGuardianRunner", "BreezeWorker", "BreezeVectors", "BreezeMail", "BreezeMailIndex",
                "BreezeMailParser", "BreezeMailSearch",
                "BreezeTestSupport",
                .product(name: "Hummingbird", package: "hummingbird", condition: .when(traits: ["Hub"])),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "Benchmarks",
            exclude: ["hub_client.c", "load.c", "thresholds.json"]
        ),
        // What several test targets need; no product holds it
        .target(
            name: "BreezeTestSupport",
            dependencies: [
                "BreezeModels", "BreezeLocalHTTP",
                .product(name: "Subprocess", package: "swift-subprocess", condition: .when(traits: ["Hub"])),
                .product(
                    name: "SystemPackage",
                    package: "swift-system",
                    condition: .when(platforms: [.linux], traits: ["Hub"])
                ),
            ],
            path: "Tests/Support"
        ),
        // A mailbox with its index, for tests of what works on one
        .target(
            name: "BreezeMailTestSupport",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailIndex", "BreezeMailParser", "BreezeMailSearch",
                "BreezeTestSupport",
            ],
            path: "Tests/MailSupport"
        ),
        .testTarget(name: "BreezeCoreTests", dependencies: ["BreezeCore"]),
        .testTarget(
            name: "BreezeEngineTests",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeMockRunners", "BreezeTestSupport",
                .product(name: "Logging", package: "swift-log"),
            ]
        ),
        .testTarget(
            name: "BreezeTokenizersTests",
            dependencies: ["BreezeCore", "BreezeTokenizers", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeFilesTests",
            dependencies: ["BreezeCore", "BreezeFiles", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeModelsTests",
            dependencies: [
                "BreezeCore", "BreezeFiles", "BreezeModels", "BreezeTokenizers", "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "BreezeMockRunnersTests",
            dependencies: ["BreezeCore", "BreezeMockRunners", "BreezeTestSupport"],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(
            name: "BreezeGuardianRunnerTests",
            dependencies: ["BreezeCore", "BreezeGuardianRunner", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeAPIRunnerTests",
            dependencies: [
                "BreezeCore", "BreezeAPIRunner", "BreezeTransport", "BreezeURLSessionTransport",
                "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "BreezeLlamaRunnerTests",
            dependencies: [
                "BreezeCore", "BreezeLlamaRunner", "BreezeModels", "BreezeWorker", "BreezeTestSupport",
                "breeze-test-worker",
            ],
            resources: [.copy("Fixtures")]
        ),
        .testTarget(name: "BreezeOnnxRuntimeTests", dependencies: ["BreezeCore", "BreezeOnnxRuntime"]),
        .testTarget(name: "BreezeLiteRTTests", dependencies: ["BreezeCore", "BreezeLiteRT"]),
        .testTarget(
            name: "LiteRTGraphTests",
            dependencies: ["BreezeModels", "BreezeLiteRT", "BreezeTokenizers", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeEncoderRunnerTests",
            dependencies: [
                "BreezeCore", "BreezeTokenizers", "BreezeModels", "BreezeOnnxRuntime", "BreezeLiteRT",
                "BreezeEncoderRunner",
                "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "RunnerConformanceTests",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeModels", "BreezeTokenizers", "BreezeMockRunners",
                "BreezeOnnxRuntime", "BreezeLiteRT", "BreezeEncoderRunner", "BreezeGuardianRunner",
                "BreezeWorker", "BreezeLlamaRunner", "BreezeTestSupport", "breeze-test-worker",
            ]
        ),
        .executableTarget(
            name: "breeze-test-worker",
            dependencies: ["BreezeCore", "BreezeWorker", "BreezeMockRunners", "BreezeLlamaRunner"],
            path: "Tests/WorkerProgram"
        ),
        .testTarget(
            name: "BreezeWireTests",
            dependencies: ["BreezeCore", "BreezeWire", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeKitTests",
            dependencies: ["BreezeCore", "BreezeLocalHTTP", "BreezeKit", "BreezeTestSupport"]
        ),
        // The examples; and what an app of somebody else's builds, which is a package of its own
        .executableTarget(
            name: "breeze-example-desktop",
            dependencies: ["BreezeCore", "BreezeKit", "BreezeKitPairing"],
            path: "Examples/Desktop/Sources/Desktop"
        ),
        .testTarget(
            name: "BreezeConsumerTests",
            dependencies: [
                "BreezeCore", "BreezeKit", "BreezeKitPairing", "BreezeTestSupport", "breeze-example-desktop",
                "breeze-test-scheme",
            ]
        ),
        .testTarget(
            name: "BreezeKitPairingTests",
            dependencies: [
                "BreezeCore", "BreezeKit", "BreezeKitPairing", "BreezeOpeners", "BreezeScheme",
                "BreezeSchemeStore", "BreezeSchemeHandler", "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "BreezeSchemeTests",
            dependencies: [
                "BreezeCore", "BreezeScheme", "BreezeTestSupport",
                .product(
                    name: "Crypto",
                    package: "swift-crypto",
                    condition: .when(traits: ["Hub", "Pairing"])
                ),
            ]
        ),
        .executableTarget(
            name: "breeze-test-scheme",
            dependencies: [
                "BreezeCore", "BreezeOpeners", "BreezeScheme", "BreezeSchemeStore", "BreezeSchemeHandler",
            ],
            path: "Tests/SchemeProgram"
        ),
        .testTarget(
            name: "BreezeSchemeStoreTests",
            dependencies: [
                "BreezeCore", "BreezeScheme", "BreezeStore", "BreezeSchemeStore", "BreezeTestSupport",
                "breeze-test-scheme",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeSchemeHandlerTests",
            dependencies: [
                "BreezeCore", "BreezeOpeners", "BreezeScheme", "BreezeSchemeStore", "BreezeSchemeHandler",
                "BreezeService", "BreezeTestSupport", "breeze-test-scheme",
            ]
        ),
        .testTarget(
            name: "BreezeWorkerTests",
            dependencies: [
                "BreezeCore", "BreezeWorker", "BreezeMockRunners", "BreezeTestSupport", "breeze-test-worker",
            ]
        ),
        .testTarget(
            name: "BreezeCatalogTests",
            dependencies: [
                "BreezeCore", "BreezeCatalog", "BreezeModels", "BreezeTransport", "BreezeDownloads",
                "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "BreezeTransportTests",
            dependencies: ["BreezeCore", "BreezeTransport", "BreezeTestSupport"]
        ),
        .executableTarget(
            name: "breeze-test-download",
            dependencies: ["BreezeCore", "BreezeTransport", "BreezeDownloads"],
            path: "Tests/DownloadProgram"
        ),
        .testTarget(
            name: "BreezeDownloadsTests",
            dependencies: [
                "BreezeCore", "BreezeFiles", "BreezeTransport", "BreezeDownloads", "BreezeTestSupport",
                "breeze-test-download",
            ]
        ),
        .executableTarget(
            name: "breeze-test-extract",
            dependencies: ["BreezeArchives"],
            path: "Tests/ExtractProgram"
        ),
        .testTarget(
            name: "BreezeArchivesTests",
            dependencies: ["BreezeCore", "BreezeArchives", "BreezeTestSupport", "breeze-test-extract"]
        ),
        .testTarget(
            name: "BreezeMailTests",
            dependencies: ["BreezeCore", "BreezeMail", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeMailParserTests",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailParser", "BreezeMailSigns", "BreezeTestSupport",
            ]
        ),
        .testTarget(
            name: "BreezeMailSignsTests",
            dependencies: ["BreezeCore", "BreezeMail", "BreezeMailSigns", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeMailClassifierTests",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailSigns", "BreezeMailClassifier", "BreezeTestSupport",
            ]
        ),
        .executableTarget(
            name: "breeze-test-mail-index",
            dependencies: ["BreezeCore", "BreezeMailIndex", "BreezeMailParser"],
            path: "Tests/MailIndexProgram"
        ),
        .testTarget(
            name: "BreezeMailIndexTests",
            dependencies: [
                "BreezeCore", "BreezeMail", "BreezeMailIndex", "BreezeMailParser", "BreezeStore",
                "BreezeTestSupport", "breeze-test-mail-index",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeMailTagsTests",
            dependencies: ["BreezeCore", "BreezeMailTags", "BreezeTestSupport"]
        ),
        .executableTarget(
            name: "breeze-test-mail-search",
            dependencies: ["BreezeCore", "BreezeMailIndex", "BreezeMailSearch"],
            path: "Tests/MailSearchProgram"
        ),
        .testTarget(
            name: "BreezeMailSearchTests",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeMail", "BreezeMailIndex", "BreezeMailParser",
                "BreezeMailSearch", "BreezeVectors", "BreezeTestSupport", "BreezeMailTestSupport",
                "breeze-test-mail-search",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeMailJudgementTests",
            dependencies: [
                "BreezeCore", "BreezeEngine", "BreezeMail", "BreezeMailClassifier", "BreezeMailIndex",
                "BreezeMailJudgement", "BreezeMailParser", "BreezeMailSearch", "BreezeMailSigns",
                "BreezeTestSupport", "BreezeMailTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeSecretsTests",
            dependencies: ["BreezeCore", "BreezeSecrets", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeStoreTests",
            dependencies: [
                "BreezeCore", "BreezeStore", "BreezeTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeAccessTests",
            dependencies: [
                "BreezeCore", "BreezeStore", "BreezeAccess", "BreezeTestSupport",
                .product(name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Hub"])),
            ]
        ),
        .testTarget(
            name: "BreezeVectorsTests",
            dependencies: ["BreezeCore", "BreezeVectors", "CVectorSearch", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeHubTests",
            dependencies: ["BreezeCore", "BreezeEngine", "BreezeHub", "BreezeKit", "BreezeTestSupport"]
        ),
        .testTarget(
            name: "BreezeServiceTests",
            dependencies: ["BreezeCore", "BreezeService", "BreezeTestSupport"]
        ),
        .testTarget(name: "BreezeCommandTests", dependencies: ["BreezeCore", "BreezeTestSupport"]),
    ],
    cxxLanguageStandard: .cxx17
)

// One list of language settings for every target, so that no module is laxer than its neighbours.
let targetsInC: Set = [
    "COnnxRuntime", "CLiteRt", "CLlama", "CLlamaCommon", "CSandbox", "CArchive", "CSecret", "CVectorSearch",
    "CGMime", "CXml2", "CDomains",
]
for target in package.targets where !targetsInC.contains(target.name) {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ]
    // Only in our own builds: Xcode compiles dependencies with -suppress-warnings and refuses the pair.
    if Context.environment["BREEZE_STRICT"] == "1" {
        target.swiftSettings?.append(.treatAllWarnings(as: .error))
    }
}
