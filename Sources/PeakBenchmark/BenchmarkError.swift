/// Why the benchmark cannot go on: reason and remedy, in one line for a person.
package struct BenchmarkError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String
    /// Whether the user stopped it.
    package var isInterruption: Bool { self == .interrupted }

    /// The task was cancelled.
    static let interrupted = BenchmarkError("interrupted; run it again to go on")

    /// Makes an error.
    ///
    /// - Parameter description: The reason and, where there is one, the remedy.
    package init(_ description: String) { self.description = description }
}
