// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "terminal",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "breeze", path: "../..", traits: [])],
    targets: [
        .executableTarget(
            name: "Terminal",
            dependencies: [.product(name: "BreezeKit", package: "breeze")]
        )
    ]
)
