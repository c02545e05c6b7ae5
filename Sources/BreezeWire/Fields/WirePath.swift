/// Where in a body a value stands: `messages[2].content`. Cheap to make and to extend; its text is composed only
/// where an error or a report needs it.
package struct WirePath: Sendable {
    private indirect enum Step: Sendable {
        case root
        case member(Step, String)
        case element(Step, Int)
    }

    private let step: Step

    package static let root = WirePath(step: .root)

    private init(step: Step) {
        self.step = step
    }

    package func member(_ name: String) -> WirePath { WirePath(step: .member(step, name)) }

    package func element(_ index: Int) -> WirePath { WirePath(step: .element(step, index)) }

    /// Empty for the body itself.
    package var text: String { Self.text(step) }

    private static func text(_ step: Step) -> String {
        switch step {
        case .root: ""
        case .member(.root, let name): name
        case .member(let parent, let name): "\(text(parent)).\(name)"
        case .element(let parent, let index): "\(text(parent))[\(index)]"
        }
    }
}
