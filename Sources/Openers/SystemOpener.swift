public import BreezeCore

/// What this system opens URLs with.
public struct SystemOpener: URLOpener {
    public init() {}

    public func open(_ url: String) async throws(BreezeError) {
        #if os(Linux)
        try await GIOOpener().open(url)
        #elseif canImport(UIKit) && !os(watchOS)
        try await UIApplicationOpener().open(url)
        #elseif canImport(AppKit)
        try await NSWorkspaceOpener().open(url)
        #else
        throw OpenerFault.nobody(url, "this system opens no URLs")
        #endif
    }
}
