/// Reasons for a benchmark that cannot continue: cause and remedy on one line.
struct BenchmarkError: Error, Sendable, Hashable, CustomStringConvertible {
    let description: String
    var isInterruption: Bool { self == .interrupted }

    static let interrupted = BenchmarkError("interrupted; run it again to continue")

    init(_ description: String) { self.description = description }
}
