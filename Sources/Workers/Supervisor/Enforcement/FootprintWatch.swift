public import AttachmentContainer
import AttachmentModel
import Foundation

/// Measures another process's footprint every millisecond and kills it above a limit.
///
/// This is the weakest mechanism: peaks between two measurements go unnoticed. Call ``end()``
/// before the process is reaped, because its identifier may be reused afterwards.
public final class FootprintWatch: Sendable {
    private struct State {
        var isOver = false
        var hasEnded = false
        var peak = ByteCount(0)
    }

    private let state = Lock(State())

    /// Starts measuring, by default every 1000 microseconds; without a limit nothing is killed.
    public init(of process: Int32, limit: ByteCount? = nil, every period: UInt32 = 1000) {
        SmallThread.start(stackBytes: 128 << 10) { [weak self] in
            while self?.measure(process, limit: limit) == true { usleep(period) }
        }
    }

    /// The highest measured footprint.
    public var peak: ByteCount { state.withLock { $0.peak } }

    /// True if the process was killed for exceeding the limit.
    public var hasKilled: Bool { state.withLock { $0.isOver } }

    /// Stops measuring; nothing is killed after this returns.
    public func end() { state.withLock { $0.hasEnded = true } }

    private func measure(_ process: Int32, limit: ByteCount?) -> Bool {
        #if os(Linux)
            let footprint = Footprint.resident(of: process)
        #else
            // Other systems restrict access to another process's memory.
            let footprint: ByteCount? = nil
        #endif
        return state.withLock { state in
            guard !state.hasEnded, let footprint else { return false }
            state.peak = max(state.peak, footprint)
            guard let limit, footprint > limit else { return true }
            state.isOver = true
            kill(process, SIGKILL)
            return false
        }
    }
}
