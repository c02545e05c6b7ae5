import Testing

/// Lets other tasks go on until the condition holds; records an issue where it never does.
func eventually(
    _ what: Comment,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async -> Bool
) async {
    for _ in 0..<1_000_000 {
        if await condition() { return }
        await Task.yield()
    }
    Issue.record(what, sourceLocation: sourceLocation)
}
