#if canImport(UIKit) && !os(watchOS)
import Foundation
public import UIKit

extension Breeze {
    /// For a scene delegate: `func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    /// Breeze.handle(contexts) }`.
    /// - Returns: The URLs that are no answers, and so the app's own.
    @MainActor
    @discardableResult
    public static func handle(_ contexts: Set<UIOpenURLContext>) -> [URL] {
        contexts.map(\.url).filter { url in (try? handle(url: url)) != true }
    }
}

extension HostApp {
    static var uiKit: HostApp {
        HostApp(
            info: Bundle.main.infoDictionary,
            asksForSchemes: true,
            canOpenHub: {
                await MainActor.run {
                    URL(string: "\(hubScheme)://status").map { UIApplication.shared.canOpenURL($0) } ?? false
                }
            },
            background: UIKitBackgroundTime()
        )
    }
}

private struct UIKitBackgroundTime: BackgroundTime {
    func begin(onExpiry: @escaping @Sendable () -> Void) async -> @Sendable () -> Void {
        let task = await UIKitBackgroundTask(onExpiry: onExpiry)
        return { Task { @MainActor in task.end() } }
    }
}

@MainActor
private final class UIKitBackgroundTask {
    private var id = UIBackgroundTaskIdentifier.invalid

    init(onExpiry: @escaping @Sendable () -> Void) {
        id = UIApplication.shared.beginBackgroundTask(withName: "Breeze") { [weak self] in
            onExpiry()
            // The system ends an app that keeps the time beyond this.
            self?.end()
        }
    }

    func end() {
        guard id != .invalid else { return }
        UIApplication.shared.endBackgroundTask(id)
        id = .invalid
    }
}
#endif
