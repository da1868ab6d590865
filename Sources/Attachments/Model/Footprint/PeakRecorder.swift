public import AttachmentContainer
internal import Dispatch
internal import Foundation

/// Records peak footprints of this process over intervals.
///
/// A thread samples every two milliseconds while an interval is open. On Linux, an interval that
/// begins alone resets the kernel's high-water mark (`/proc/self/clear_refs`, if permitted), which
/// reveals peaks between samples. The mark includes file-backed pages, so their peak is subtracted.
/// `bench/README.md` states the cost of sampling.
///
/// Overlapping intervals include each other's allocations.
public final class PeakRecorder: Sendable {
    private let sampler = FootprintSampler()
    private let intervals = Lock(Intervals())
    private let wake = DispatchSemaphore(value: 0)

    /// Starts the sampling thread, which sleeps between intervals; the period is in microseconds.
    public init(every period: UInt32 = 2000) {
        // The thread retains the semaphore, not the recorder, so that the recorder can
        // deinitialise.
        SmallThread.start(stackBytes: 128 << 10) { [weak self, wake] in
            while true {
                wake.wait()
                guard self != nil else { return }
                while self?.takeSample() == true { usleep(period) }
            }
        }
    }

    deinit { wake.signal() }

    /// Begins an interval.
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

    /// Peak footprint of an interval so far; zero after the interval has ended.
    public func peak(of interval: Interval) -> ByteCount {
        takeSample()
        let mark = sampler.highWaterMark()
        return intervals.withLock { intervals in
            guard let peak = intervals.open[interval.number] else { return ByteCount(0) }
            // An unchanged mark may predate the interval.
            guard let mark, mark > peak.firstMark else { return ByteCount(peak.footprint) }
            return ByteCount(max(peak.footprint, mark - peak.fileBacked))
        }
    }

    /// Ends an interval.
    public func end(_ interval: Interval) {
        intervals.withLock { _ = $0.open.removeValue(forKey: interval.number) }
    }

    /// Takes a sample; call it before file-backed memory is unmapped, which may count otherwise.
    public func sample() { takeSample() }

    @discardableResult
    private func takeSample() -> Bool {
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
    /// Token for a recording interval.
    public struct Interval: Sendable {
        fileprivate let number: Int
    }

    private struct Intervals {
        var count = 0
        var open: [Int: Peak] = [:]
    }

    /// In bytes.
    private struct Peak {
        var footprint: Int
        var fileBacked: Int
        let firstMark: Int

        mutating func include(_ sample: FootprintSampler.Sample) {
            footprint = max(footprint, sample.footprint)
            fileBacked = max(fileBacked, sample.fileBacked)
        }
    }
}
