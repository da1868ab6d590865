/// Failures of a batch by cause, in bounded memory.
struct FailureGroups {
    /// Failures with the same code and remedy.
    private struct Cause: Hashable {
        let code: String
        let remedy: String
    }

    private struct Group {
        var count = 0
        /// The first failures, each with name and reason.
        var examples: [String] = []
    }

    /// Failures listed for one cause.
    private static let maximumExamples = 20

    private var causes: [Cause] = []
    private var groups: [Cause: Group] = [:]

    mutating func add(_ failure: SourceFailure, of name: String) {
        let cause = Cause(code: failure.code, remedy: failure.remedy)
        if groups[cause] == nil { causes.append(cause) }
        var group = groups[cause] ?? Group()
        group.count += 1
        if group.examples.count < Self.maximumExamples {
            group.examples.append("\(name): \(failure.reason)")
        }
        groups[cause] = group
    }

    /// Causes with their number, most frequent first, each followed by its failures.
    var lines: [String] {
        let sorted = causes.enumerated().sorted {
            let (left, right) = (groups[$0.element]?.count ?? 0, groups[$1.element]?.count ?? 0)
            return left == right ? $0.offset < $1.offset : left > right
        }
        return sorted.flatMap { _, cause in
            guard let group = groups[cause] else { return [String]() }
            let others = group.count - group.examples.count
            return ["\(group.count) failed [\(cause.code)]: \(cause.remedy)"]
                + group.examples.map { "  \($0)" }
                + (others > 0 ? ["  and \(others) more"] : [])
        }
    }
}
