internal import AttachmentModel
internal import AttachmentContainer
internal import Foundation

/// Measures the footprint of a process tree every millisecond.
final class TreeWatch: Sendable {
    struct Peaks: Sendable, Hashable {
        /// Highest footprint of the measured processes.
        var footprint = ByteCount(0)
        /// Highest total of the other processes.
        var beside = ByteCount(0)
        /// Highest resident set of a measured process.
        var resident = ByteCount(0)
    }

    struct Window: Sendable, Hashable {
        let least: ByteCount
        let most: ByteCount
    }

    private struct State {
        var tree: ProcessTree
        var window: ClosedRange<Int>?
        var everCounted: Set<Int32> = []
        var counted: [Int32: Bool] = [:]
        var peaks = Peaks()
        var measurements = 0
        var last = ContinuousClock.now
        var longestPause = Duration.zero
        var end: ContinuousClock.Instant?
        var isStopped = false
    }

    private let root: Int32
    private let workers: [String]
    private let state: Lock<State>

    /// `workers` names processes with a cap each, whose largest counts; without names all count
    /// together.
    init(root: Int32, workers: [String] = []) {
        self.root = root
        self.workers = workers.map { String($0.prefix(15)) }
        state = Lock(State(tree: ProcessTree(root: root)))
        SmallThread.start(stackBytes: 512 << 10) { [weak self] in
            #if os(Linux)
                // Of this thread alone. Without the privilege, a busy machine delays measurements.
                setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, -10)
            #endif
            while self?.measure() == true { usleep(1000) }
        }
    }

    var peaks: Peaks { state.withLock { $0.peaks } }

    /// Time at which the root's exit was noticed; nil while it runs.
    var end: ContinuousClock.Instant? { state.withLock { $0.end } }

    /// Processes alive at the last measurement.
    var processes: Set<Int32> { state.withLock { $0.tree.members } }

    /// Longest time between two measurements, in which a peak may have gone unnoticed.
    var longestPause: Duration { state.withLock { $0.longestPause } }

    var countedProcesses: Int { state.withLock { $0.everCounted.count } }

    /// Footprint since the last call; nil without a measured process.
    func nextWindow() -> Window? {
        state.withLock { state in
            defer { state.window = nil }
            return state.window.map {
                Window(least: ByteCount($0.lowerBound), most: ByteCount($0.upperBound))
            }
        }
    }

    func stop() { state.withLock { $0.isStopped = true } }

    /// Measures once.
    ///
    /// Returns false when stopped.
    private func measure() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            let now = ContinuousClock.now
            state.longestPause = max(state.longestPause, now - state.last)
            state.last = now
            // Listing all processes is expensive: do it every time at first, while the command
            // starts its workers, then every fourth time.
            if state.measurements < 64 || state.measurements.isMultiple(of: 4) {
                state.tree.refresh()
            }
            // A process changes its name when it executes another program.
            let isThorough = state.measurements < 64 || state.measurements.isMultiple(of: 8)
            state.measurements += 1
            var counted = 0
            var beside = 0
            var isAnyCounted = false
            for process in state.tree.members {
                guard let footprint = ProcessMemory.resident(of: process) else {
                    if process == root, state.end == nil { state.end = .now }
                    state.tree.remove(process)
                    continue
                }
                if isThorough { record(process, in: &state) }
                if state.counted[process] ?? workers.isEmpty {
                    counted =
                        workers.isEmpty
                        ? counted + footprint.bytes : max(counted, footprint.bytes)
                    isAnyCounted = true
                } else {
                    beside += footprint.bytes
                }
            }
            state.peaks.footprint = max(state.peaks.footprint, ByteCount(counted))
            state.peaks.beside = max(state.peaks.beside, ByteCount(beside))
            if isAnyCounted {
                let range = state.window ?? counted...counted
                state.window = min(range.lowerBound, counted)...max(range.upperBound, counted)
            }
            return !state.tree.members.isEmpty
        }
    }

    /// Reads values that change rarely: the name and the kernel's high-water mark.
    private func record(_ process: Int32, in state: inout State) {
        let counts =
            workers.isEmpty || ProcessText.name(of: process).map(workers.contains) == true
        state.counted[process] = counts
        if counts { state.everCounted.insert(process) }
        guard counts, let mark = ProcessMemory.highWaterMark(of: process) else { return }
        state.peaks.resident = max(state.peaks.resident, mark)
    }
}
