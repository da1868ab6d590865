import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Dispatch

/// Groups of rows that the reader's thread and another one decode, each the next one that no thread
/// has begun.
///
/// The reader decodes the group that it needs next, unless the other thread has begun it; then it
/// decodes a later one meanwhile.
// Sendable: the other thread alone uses `helper` from `start` to `ended`, and the reader alone what is
// declared after it. A buffer belongs to the thread that claimed its group until the group is finished,
// and then to the reader until it has read it. The lock and the semaphores order all of it.
final class GroupPair: @unchecked Sendable {
    enum Outcome {
        case rows
        case end
        /// Any fault of either decoder; rows that were passed on before are right.
        case fault
    }

    private struct Progress {
        /// The next group that no thread has begun.
        var claimed = 0
        /// The group that is being read.
        var reading = 0
        /// Of each buffer, true if its group is decoded.
        var isFinished = Array(repeating: false, count: SecondThread.groupBuffers)
        var isFaulty = false
        var isStopped = false
        var readerWaits = false
        var helperWaits = false

        /// The next group, if there is a buffer for it.
        mutating func claim(of count: Int) -> Int? {
            guard claimed < min(reading + SecondThread.groupBuffers, count) else { return nil }
            defer { claimed += 1 }
            return claimed
        }
    }

    private let groups: JPEGRestartGroups
    private let progress = Lock(Progress())
    private let mayRead = DispatchSemaphore(value: 0)
    private let mayDecode = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)
    private var buffers: [RowBuffer]
    private var helper: GroupDecoder?

    private var decoder: GroupDecoder?
    /// The buffer that is being read.
    private var buffer: RowBuffer?
    /// Rows of units that the reader has yet to decode of its group.
    private var unitRows = 0..<0
    private var isJoined = false

    init(_ groups: JPEGRestartGroups, _ decoder: GroupDecoder, _ helper: GroupDecoder) {
        (self.groups, self.decoder, self.helper) = (groups, decoder, helper)
        let layout = decoder.rows.layout
        let atOnce = decoder.rows.rowsAtOnce
        let bytes = zip(layout.rowBytes, atOnce).reduce(0) { $0 + $1.0 * $1.1 }
        buffers = (0..<SecondThread.groupBuffers).map { _ in
            RowBuffer(
                layout, bytes: bytes * groups.unitRows,
                rows: atOnce.reduce(0, +) * groups.unitRows)
        }
    }

    /// Starts the other thread; without one, the reader decodes every group.
    func start() {
        let isStarted = SmallThread.start(stackBytes: SecondThread.stackBytes) {
            self.help()
            self.ended.signal()
        }
        if !isStarted { ended.signal() }
    }

    private func help() {
        guard let helper else { return }
        while true {
            let (group, isOver) = progress.withLock { progress -> (Int?, Bool) in
                guard !progress.isStopped, !progress.isFaulty, progress.claimed < groups.count
                else { return (nil, true) }
                let group = progress.claim(of: groups.count)
                progress.helperWaits = group == nil
                return (group, false)
            }
            if let group {
                finish(group, helper.decode(group, into: buffers[group % buffers.count]))
            } else if isOver {
                break
            } else {
                mayDecode.wait()
            }
        }
        if !helper.isAtMarker() { progress.withLock { $0.isFaulty = true } }
    }

    private func finish(_ group: Int, _ isDecoded: Bool) {
        progress.withLock { progress in
            progress.isFinished[group % progress.isFinished.count] = isDecoded
            if !isDecoded { progress.isFaulty = true }
            if progress.readerWaits {
                progress.readerWaits = false
                mayRead.signal()
            }
        }
    }

    /// Passes on the next rows: one of a buffer, or a row of units.
    func next(_ row: (Int, UnsafeRawPointer) -> Void) -> Outcome {
        guard let decoder else { return .end }
        while true {
            if let buffer {
                if buffer.readNext(row) { return .rows }
                self.buffer = nil
                release()
            }
            if let unitRow = unitRows.first {
                unitRows = unitRows.dropFirst()
                guard decoder.decode(unitRow: unitRow, row) else { return .fault }
                if unitRows.isEmpty { release() }
                return .rows
            }
            switch progress.withLock({ nextStep(&$0) }) {
            case .fault: return .fault
            case .end: return isWhole(decoder) ? .end : .fault
            case .read(let group): buffer = buffers[group % buffers.count]
            case .decode(let group):
                unitRows = groups.unitRows(of: group)
                decoder.begin(group)
            case .decodeAhead(let group):
                finish(group, decoder.decode(group, into: buffers[group % buffers.count]))
            case .wait: mayRead.wait()
            }
        }
    }

    private enum Step {
        case fault
        case end
        case read(Int)
        case decode(Int)
        case decodeAhead(Int)
        case wait
    }

    private func nextStep(_ progress: inout Progress) -> Step {
        let group = progress.reading
        guard !progress.isFaulty else { return .fault }
        guard group < groups.count else { return .end }
        if progress.isFinished[group % progress.isFinished.count] { return .read(group) }
        guard let claimed = progress.claim(of: groups.count) else {
            progress.readerWaits = true
            return .wait
        }
        return claimed == group ? .decode(group) : .decodeAhead(claimed)
    }

    /// Leaves the buffer of the group that was read to a later one.
    private func release() {
        progress.withLock { progress in
            progress.isFinished[progress.reading % progress.isFinished.count] = false
            progress.reading += 1
            if progress.helperWaits {
                progress.helperWaits = false
                mayDecode.signal()
            }
        }
    }

    /// True if neither decoder has found a fault by the end of all groups.
    private func isWhole(_ decoder: GroupDecoder) -> Bool {
        let isAtMarker = decoder.isAtMarker()
        join()
        return isAtMarker && !progress.withLock(\.isFaulty)
    }

    private func join() {
        if !isJoined { ended.wait() }
        isJoined = true
    }

    /// Ends the other thread, waits for it, and releases decoders and buffers.
    func end() {
        progress.withLock { $0.isStopped = true }
        mayDecode.signal()
        join()
        // The thread may keep this object a little longer.
        (decoder, helper, buffer, buffers) = (nil, nil, nil, [])
    }
}
