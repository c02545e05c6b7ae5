import CSecret
import Foundation

/// Keeps a terminal from showing what is typed, from now until ``restore()``.
package struct HiddenInput: Sendable {
    private let descriptor: Int32
    private let before: termios

    /// `nil` where it is no terminal.
    package init?(_ descriptor: Int32 = STDIN_FILENO) {
        var before = termios()
        guard csecret_hide_input(descriptor, &before) == 0 else { return nil }
        self.descriptor = descriptor
        self.before = before
    }

    /// May be called more than once, and from any thread.
    package func restore() {
        var before = before
        csecret_show_input(descriptor, &before)
    }
}
