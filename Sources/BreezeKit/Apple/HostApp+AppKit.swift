#if canImport(AppKit) && !targetEnvironment(macCatalyst)
import AppKit

extension HostApp {
    static var appKit: HostApp {
        HostApp(
            info: Bundle.main.infoDictionary,
            canOpenHub: {
                URL(string: "\(hubScheme)://status")
                    .flatMap { NSWorkspace.shared.urlForApplication(toOpen: $0) } != nil
            }
        )
    }
}
#endif
