// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "desktop",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "breeze", path: "../..", traits: ["Pairing"])],
    targets: [
        .executableTarget(
            name: "Desktop",
            dependencies: [
                .product(name: "BreezeKit", package: "breeze"),
                .product(name: "BreezeKitPairing", package: "breeze"),
            ]
        )
    ]
)
