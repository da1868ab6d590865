public import AttachmentContainer
import AttachmentFootprint
import Foundation
import Synchronization

/// Looks at another process's footprint every millisecond, and kills it when it is over a limit.
///
/// It is the weakest mechanism: what comes and goes between two looks is not seen. End it before the
/// process is waited for, since its identifier may be another's afterwards.
public final class FootprintWatch: Sendable {
    private struct State {
        var isOver = false
        var hasEnded = false
        var peak = ByteCount(0)
    }

    private let state = Mutex(State())

    /// Begins to watch.
    ///
    /// - Parameters:
    ///   - process: The process.
    ///   - limit: The footprint that it is killed for; nil only to look. The default is nil.
    ///   - period: The time between two looks, in microseconds. The default is 1000.
    public init(of process: Int32, limit: ByteCount? = nil, every period: UInt32 = 1000) {
        let thread = Thread { [weak self] in
            while self?.look(at: process, limit: limit) == true { usleep(period) }
        }
        thread.name = "watch"
        thread.stackSize = 128 << 10
        thread.start()
    }

    /// The highest footprint that was seen.
    public var peak: ByteCount { state.withLock { $0.peak } }

    /// Whether the process was killed for being over the limit.
    public var hasKilled: Bool { state.withLock { $0.isOver } }

    /// Stops looking; from when it returns, nothing is killed any more.
    public func end() { state.withLock { $0.hasEnded = true } }

    /// Looks once.
    ///
    /// - Returns: Whether to look again.
    private func look(at process: Int32, limit: ByteCount?) -> Bool {
        #if os(Linux)
            let footprint = Footprint.resident(of: process)
        #else
            // Other systems do not show one process another's memory without rights to it.
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
