import NIOCore
import PrometheusMetrics
import Synchronization

/// The text of all metrics, which takes at most a tenth of the time of the one thread that makes it and
/// also answers health probes.
final class MetricsPage: Sendable {
    private struct Made {
        let text: ByteBuffer
        let end: NIODeadline
    }

    private let registry: PrometheusRegistry
    private let last = Mutex<Made?>(nil)

    init(_ registry: PrometheusRegistry) { self.registry = registry }

    /// At most nine times as old as it took to make.
    var text: ByteBuffer {
        last.withLock { last in
            let start = NIODeadline.now()
            if let last, start < last.end { return last.text }
            let text = ByteBuffer(string: registry.text)
            let now = NIODeadline.now()
            last = Made(text: text, end: now + 9 * (now - start))
            return text
        }
    }
}
