import CoreMetrics
import Synchronization

/// One labelled series of a metric.
protocol Series: Sendable {
    /// The sample lines; `name` is the metric's, `labels` are rendered as `a="b",c="d"`.
    func lines(_ name: String, _ labels: String) -> [String]
}

/// A value that only grows.
final class CounterSeries: Series, CounterHandler, FloatingPointCounterHandler {
    private let value = Mutex(0.0)

    func increment(by amount: Int64) { increment(by: Double(amount)) }

    func increment(by amount: Double) { value.withLock { $0 += max(0, amount) } }

    func reset() { value.withLock { $0 = 0 } }

    func lines(_ name: String, _ labels: String) -> [String] {
        [PrometheusText.sample(name, labels, value.withLock { $0 })]
    }
}

/// A value that is set.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let value = Mutex(0.0)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { self.value.withLock { $0 = value } }

    func record(_ value: Int64) { set(Double(value)) }

    func record(_ value: Double) { set(value) }

    func increment(by amount: Double) { value.withLock { $0 += amount } }

    func decrement(by amount: Double) { value.withLock { $0 -= amount } }

    func lines(_ name: String, _ labels: String) -> [String] {
        [PrometheusText.sample(name, labels, value.withLock { $0 })]
    }
}

/// Counts of values by upper bound, with their sum.
final class HistogramSeries: Series, RecorderHandler, TimerHandler {
    private struct Counts {
        /// A count for each bound, and one for larger values.
        var buckets: [Int]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let counts: Mutex<Counts>

    init(bounds: [Double]) {
        self.bounds = bounds
        counts = Mutex(Counts(buckets: Array(repeating: 0, count: bounds.count + 1)))
    }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        let bucket = bounds.firstIndex { value <= $0 } ?? bounds.count
        counts.withLock {
            $0.buckets[bucket] += 1
            $0.sum += value
        }
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func lines(_ name: String, _ labels: String) -> [String] {
        let counts = counts.withLock { $0 }
        let prefix = labels.isEmpty ? "" : labels + ","
        var total = 0
        var lines: [String] = []
        for (bound, count) in zip(bounds.map(PrometheusText.number) + ["+Inf"], counts.buckets) {
            total += count
            lines.append(
                PrometheusText.sample("\(name)_bucket", "\(prefix)le=\"\(bound)\"", Double(total)))
        }
        lines.append(PrometheusText.sample("\(name)_sum", labels, counts.sum))
        lines.append(PrometheusText.sample("\(name)_count", labels, Double(total)))
        return lines
    }
}
