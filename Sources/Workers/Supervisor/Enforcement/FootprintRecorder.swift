public import AttachmentContainer
import AttachmentModel
import Foundation

/// Records the footprints of workers over time, while they make renditions.
///
/// A series has at most ``capacity`` samples. Once it is full, pairs of samples become their maximum,
/// so that no peak is lost and the interval doubles. Only Linux shows the memory of other processes;
/// elsewhere nothing is recorded.
public final class FootprintRecorder: Sendable {
    /// One measurement.
    public struct Sample: Sendable, Hashable {
        /// Time since the recorder was made.
        public let time: Duration
        /// The highest footprint since the sample before.
        public let footprint: ByteCount
    }

    /// Maximum number of samples of one worker.
    public static let capacity = 512

    private let start = ContinuousClock.now
    private let period: UInt32
    private let all = Lock<[FootprintSeries]>([])

    /// Creates a recorder, by default with a sample every 1000 microseconds.
    public init(every period: UInt32 = 1000) { self.period = period }

    /// The samples of each worker, in order of their starts.
    public var series: [[Sample]] { all.withLock { $0.map(\.samples) } }

    /// Begins to record a process, until the result is ended or released.
    func record(_ process: Int32) -> Recording {
        let index = all.withLock { all in
            all.append(FootprintSeries())
            return all.count - 1
        }
        let recording = Recording()
        SmallThread.start(stackBytes: 128 << 10) { [weak recording, period] in
            while let recording, !recording.hasEnded, self.measure(process, index) {
                usleep(period)
            }
        }
        return recording
    }

    private func measure(_ process: Int32, _ index: Int) -> Bool {
        #if os(Linux)
            guard let footprint = Footprint.resident(of: process) else { return false }
            let sample = Sample(time: start.duration(to: .now), footprint: footprint)
            all.withLock { $0[index].add(sample) }
            return true
        #else
            return false
        #endif
    }

    /// One worker's recording.
    final class Recording: Sendable {
        private let isOver = Lock(false)

        var hasEnded: Bool { isOver.withLock { $0 } }

        func end() { isOver.withLock { $0 = true } }
    }
}

/// The samples of one worker, thinned to a bounded number.
struct FootprintSeries {
    private(set) var samples: [FootprintRecorder.Sample] = []
    /// Measurements for one sample.
    private var stride = 1
    private var pending: FootprintRecorder.Sample?
    private var pendingCount = 0

    mutating func add(_ sample: FootprintRecorder.Sample) {
        pending = Self.higher(pending, sample)
        pendingCount += 1
        guard pendingCount == stride, let next = pending else { return }
        samples.append(next)
        (pending, pendingCount) = (nil, 0)
        guard samples.count == FootprintRecorder.capacity else { return }
        samples = Swift.stride(from: 0, to: samples.count, by: 2).map {
            Self.higher(samples[$0], samples[$0 + 1])
        }
        stride *= 2
    }

    private static func higher(
        _ left: FootprintRecorder.Sample?, _ right: FootprintRecorder.Sample
    ) -> FootprintRecorder.Sample {
        guard let left, left.footprint > right.footprint else { return right }
        return left
    }
}
