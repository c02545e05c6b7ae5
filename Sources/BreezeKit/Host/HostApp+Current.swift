extension HostApp {
    /// The app that runs, as far as its system tells.
    public static var current: HostApp {
        #if canImport(UIKit) && !os(watchOS)
        .uiKit
        #elseif canImport(AppKit)
        .appKit
        #else
        .unknown
        #endif
    }
}
