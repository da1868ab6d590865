import AttachmentContainer
import BenchmarkMeasuring

/// Hands out the numbers of the mutants.
final class MutantQueue: Sendable {
    private struct State {
        var next: Int
        var finished = 0
        var progress: ProgressLine
    }

    private let end: Int
    private let state: Lock<State>

    init(_ numbers: Range<Int>) {
        end = numbers.upperBound
        state = Lock(
            State(next: numbers.lowerBound, progress: ProgressLine(total: numbers.count)))
    }

    /// The next number; nil at the end.
    func next() -> Int? {
        state.withLock { state in
            guard state.next < end else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func finish() {
        state.withLock { state in
            state.finished += 1
            state.progress.show(state.finished)
        }
    }

    func finishProgress() { state.withLock { $0.progress.erase() } }
}
