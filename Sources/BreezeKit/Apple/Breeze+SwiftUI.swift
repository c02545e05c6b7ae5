#if canImport(SwiftUI)
public import SwiftUI

extension View {
    /// Gives Breeze the answers that come back through the app's callback scheme: `ContentView().breeze()`.
    public func breeze() -> some View {
        // Before `Breeze.configure` nothing was asked, so that no URL is an answer.
        onOpenURL { url in _ = try? Breeze.handle(url: url) }
    }
}
#endif
