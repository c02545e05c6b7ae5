#if canImport(UIKit) && !os(watchOS)
package import BreezeCore
import Foundation
import UIKit

package struct UIApplicationOpener: URLOpener {
    package init() {}

    package func open(_ url: String) async throws(BreezeError) {
        guard let target = URL(string: url), await Self.isOpened(target) else {
            throw OpenerFault.nobody(url, "the system knows no app for it, or this one is in the background")
        }
    }

    @MainActor private static func isOpened(_ url: URL) async -> Bool {
        await UIApplication.shared.open(url)
    }

    /// Does `work` in the time that the system grants an app in the background, and cancels it where that runs out.
    @MainActor package static func withBackgroundTime<Value: Sendable>(
        _ work: @escaping @Sendable () async -> Value
    ) async -> Value {
        let task = Task { await work() }
        let identifier = UIApplication.shared.beginBackgroundTask(withName: "breezeapp") { task.cancel() }
        let value = await task.value
        if identifier != .invalid { UIApplication.shared.endBackgroundTask(identifier) }
        return value
    }
}
#endif
