#if canImport(AppKit)
import AppKit
package import BreezeCore
import Foundation

package struct NSWorkspaceOpener: URLOpener {
    package init() {}

    package func open(_ url: String) async throws(BreezeError) {
        guard let target = URL(string: url) else {
            throw OpenerFault.nobody(url, "the system takes no such URL")
        }
        do {
            _ = try await NSWorkspace.shared.open(target, configuration: NSWorkspace.OpenConfiguration())
        } catch {
            throw OpenerFault.nobody(url, "the system knows no app for it")
        }
    }
}
#endif
