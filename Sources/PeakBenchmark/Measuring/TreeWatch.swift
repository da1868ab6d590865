package import AttachmentContainer
internal import Foundation
internal import Synchronization

/// Looks every millisecond at the footprint of a process and all that descend from it.
package final class TreeWatch: Sendable {
    /// The highest figures so far.
    package struct Peaks: Sendable, Hashable {
        /// The most that the processes that count held together.
        package var footprint = ByteCount(0)
        /// The most that the others held together.
        package var beside = ByteCount(0)
        /// The highest resident set of a process that counts.
        package var resident = ByteCount(0)
    }

    /// What the processes that count held over a time.
    package struct Window: Sendable, Hashable {
        /// The least.
        package let least: ByteCount
        /// The most.
        package let most: ByteCount
    }

    private struct State {
        var tree: ProcessTree
        var window: ClosedRange<Int>?
        var everCounted: Set<Int32> = []
        var counted: [Int32: Bool] = [:]
        var peaks = Peaks()
        var looks = 0
        var end: ContinuousClock.Instant?
        var isStopped = false
    }

    private let root: Int32
    private let worker: String?
    private let state: Mutex<State>

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - root: The process that was started.
    ///   - worker: The name of the processes that count; nil when all do.
    package init(root: Int32, worker: String? = nil) {
        self.root = root
        self.worker = worker.map { String($0.prefix(15)) }
        state = Mutex(State(tree: ProcessTree(root: root)))
        let thread = Thread { [weak self] in
            while self?.look() == true { usleep(1000) }
        }
        thread.name = "watch"
        thread.start()
    }

    /// The highest figures so far.
    package var peaks: Peaks { state.withLock { $0.peaks } }

    /// When the root was seen to have ended; nil while it runs.
    package var end: ContinuousClock.Instant? { state.withLock { $0.end } }

    /// The processes that were alive at the last look.
    package var processes: Set<Int32> { state.withLock { $0.tree.members } }

    /// How many processes have counted so far.
    package var countedProcesses: Int { state.withLock { $0.everCounted.count } }

    /// What the processes that count held since this was asked last.
    ///
    /// - Returns: The least and the most; nil when there was no such process.
    package func nextWindow() -> Window? {
        state.withLock { state in
            defer { state.window = nil }
            return state.window.map {
                Window(least: ByteCount($0.lowerBound), most: ByteCount($0.upperBound))
            }
        }
    }

    /// Stops looking.
    package func stop() { state.withLock { $0.isStopped = true } }

    /// Looks once.
    ///
    /// - Returns: Whether to look again.
    private func look() -> Bool {
        state.withLock { state in
            guard !state.isStopped else { return false }
            // Listing all processes costs more than a look: often at first, when a command starts
            // what does its work, and then every few milliseconds.
            if state.looks < 64 || state.looks.isMultiple(of: 4) { state.tree.refresh() }
            // What a process calls itself changes when it becomes another program.
            let isThorough = state.looks < 64 || state.looks.isMultiple(of: 8)
            state.looks += 1
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
                if state.counted[process] ?? (worker == nil) {
                    counted += footprint.bytes
                    isAnyCounted = true
                } else {
                    beside += footprint.bytes
                }
            }
            state.peaks.footprint = max(state.peaks.footprint, ByteCount(counted))
            state.peaks.beside = max(state.peaks.beside, ByteCount(beside))
            if isAnyCounted {
                let range = state.window ?? counted...counted
                state.window =
                    min(range.lowerBound, counted)...max(range.upperBound, counted)
            }
            return !state.tree.members.isEmpty
        }
    }

    /// Reads what changes seldom: the name, and the high-water mark, which the kernel keeps.
    private func record(_ process: Int32, in state: inout State) {
        let counts = worker == nil || ProcessText.name(of: process) == worker
        state.counted[process] = counts
        if counts { state.everCounted.insert(process) }
        guard counts, let mark = ProcessMemory.highWaterMark(of: process) else { return }
        state.peaks.resident = max(state.peaks.resident, mark)
    }
}
