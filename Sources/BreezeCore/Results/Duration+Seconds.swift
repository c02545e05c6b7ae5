extension Duration {
    package var seconds: Double {
        let (seconds, attoseconds) = components
        // Whole nanoseconds, so that no digits appear that no clock has measured.
        return Double(seconds) + Double(attoseconds / 1_000_000_000) / 1e9
    }
}
