public import AttachmentContainer
internal import Dispatch
internal import Foundation
internal import Synchronization

/// Records the highest footprint of this process over intervals.
///
/// A thread looks every two milliseconds while an interval is open. On Linux the kernel's high-water
/// mark is reset when one begins alone (`/proc/self/clear_refs`, where that is allowed), so that a
/// peak between two looks is found as well: the mark counts pages of files too, and what it passes
/// their own most by was footprint. What the looks cost stands in `bench/README.md`.
///
/// It does not tell apart what different threads allocate: intervals that overlap see each other.
public final class PeakRecorder: Sendable {
    private let sampler = FootprintSampler()
    private let intervals = Mutex(Intervals())
    private let wake = DispatchSemaphore(value: 0)

    /// Starts the thread, which sleeps until an interval begins.
    ///
    /// - Parameter period: The time between two looks, in microseconds. The default is 2000.
    public init(every period: UInt32 = 2000) {
        // The thread holds the semaphore, not the recorder, whose end it waits for.
        // It holds a few numbers.
        SmallThread.start(stackBytes: 128 << 10) { [weak self, wake] in
            while true {
                wake.wait()
                guard self != nil else { return }
                while self?.look() == true { usleep(period) }
            }
        }
    }

    deinit { wake.signal() }

    /// Begins an interval.
    ///
    /// - Returns: What its peak is asked by, and what ends it.
    public func begin() -> Interval {
        let interval = intervals.withLock { intervals in
            if intervals.open.isEmpty { sampler.resetHighWaterMark() }
            let sample = sampler.sample() ?? .init(footprint: 0, fileBacked: 0)
            intervals.count += 1
            intervals.open[intervals.count] = Peak(
                footprint: sample.footprint, fileBacked: sample.fileBacked,
                firstMark: sampler.highWaterMark() ?? .max)
            return Interval(number: intervals.count)
        }
        wake.signal()
        return interval
    }

    /// The highest footprint of an interval so far.
    ///
    /// - Parameter interval: What ``begin()`` gave.
    /// - Returns: The footprint; zero when the interval has ended.
    public func peak(of interval: Interval) -> ByteCount {
        look()
        let mark = sampler.highWaterMark()
        return intervals.withLock { intervals in
            guard let peak = intervals.open[interval.number] else { return ByteCount(0) }
            // A mark that did not move may be older than the interval.
            guard let mark, mark > peak.firstMark else { return ByteCount(peak.footprint) }
            return ByteCount(max(peak.footprint, mark - peak.fileBacked))
        }
    }

    /// Ends an interval.
    ///
    /// - Parameter interval: What ``begin()`` gave.
    public func end(_ interval: Interval) {
        intervals.withLock { _ = $0.open.removeValue(forKey: interval.number) }
    }

    /// Looks once.
    ///
    /// - Returns: Whether any interval is open.
    @discardableResult
    private func look() -> Bool {
        guard let sample = sampler.sample() else { return false }
        return intervals.withLock { intervals in
            for number in intervals.open.keys {
                intervals.open[number]?.include(sample)
            }
            return !intervals.open.isEmpty
        }
    }
}

extension PeakRecorder {
    /// A time over which a peak is recorded.
    public struct Interval: Sendable {
        fileprivate let number: Int
    }

    private struct Intervals {
        var count = 0
        var open: [Int: Peak] = [:]
    }

    /// The most of each kind over one interval, in bytes.
    private struct Peak {
        var footprint: Int
        var fileBacked: Int
        /// Where the high-water mark stood when the interval began.
        let firstMark: Int

        mutating func include(_ sample: FootprintSampler.Sample) {
            footprint = max(footprint, sample.footprint)
            fileBacked = max(fileBacked, sample.fileBacked)
        }
    }
}
