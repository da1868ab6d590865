import AttachmentContainer
import AttachmentModel
import CoreMetrics
package import PrometheusMetrics
import Tracing

/// Metrics of the service.
package final class ServiceMetrics: Sendable {
    /// Steps whose durations are recorded.
    enum Step: String, CaseIterable {
        /// Waiting for a place among the attachments in work.
        case queue
        /// Receiving an uploaded attachment.
        case receive
        /// Transfers from the URLs of a payload or an attachment.
        case fetch
        /// Hashing, and looking for known renditions.
        case recall
        /// Waiting for a worker.
        case place
        /// Work of a worker, its start included.
        case decode
        /// Copying, checking and storing renditions and manifest.
        case publish
        /// Transfers of renditions to the store of `--publish`.
        case store
    }

    package let registry: PrometheusRegistry
    let requests: LabelledCounter
    let requestSeconds: LabelledHistogram
    let stepSeconds: LabelledHistogram
    let refusals: LabelledCounter
    let attachments: LabelledCounter
    let rungs: LabelledCounter
    let payloads: LabelledCounter
    let payloadAttachments: LabelledCounter
    let cacheHits: Counter
    let cacheMisses: Counter
    let peakBytes: LabelledHistogram
    let peakRatio: LabelledHistogram
    let receivedBytes: Counter
    let sentBytes: Counter

    package init(_ registry: PrometheusRegistry) {
        self.registry = registry
        let counter = { (name: String, help: String) in
            registry.declare(MetricDescription(name, .counter, help))
            return Counter(label: name, factory: registry)
        }
        requests = LabelledCounter(
            "thimble_requests_total", labels: ["route", "method", "status"],
            "Requests, by route, method and status.", in: registry)
        requestSeconds = LabelledHistogram(
            "thimble_request_seconds", labels: ["route"],
            "Seconds from a request's head to the start of its answer.", in: registry)
        stepSeconds = LabelledHistogram(
            "thimble_step_seconds", labels: ["step"],
            "Seconds of the steps of an attachment: "
                + Step.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            in: registry)
        refusals = LabelledCounter(
            "thimble_refusals_total", labels: ["code"],
            "Requests and attachments that were not served, by code.", in: registry)
        attachments = LabelledCounter(
            "thimble_attachments_total", labels: ["work"],
            "Attachments processed, by the work done: made, reused, unchanged.", in: registry)
        rungs = LabelledCounter(
            "thimble_rungs_total", labels: ["rung"],
            "Attachments processed, by the rung of the ladder.", in: registry)
        payloads = LabelledCounter(
            "thimble_payloads_total", labels: ["outcome"],
            "Payloads staged, by the least of their attachments' outcomes.", in: registry)
        payloadAttachments = LabelledCounter(
            "thimble_payload_attachments_total", labels: ["outcome"],
            "Attachments of payloads staged, by outcome.", in: registry)
        cacheHits = counter(
            "thimble_cache_hits_total", "Attachments answered with known renditions.")
        cacheMisses = counter(
            "thimble_cache_misses_total", "Attachments whose renditions were made.")
        peakBytes = LabelledHistogram(
            "thimble_worker_peak_bytes", labels: [],
            "Peak footprint of a worker during an attachment.",
            bounds: [4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64].map { $0 * 0x1p20 }, in: registry)
        peakRatio = LabelledHistogram(
            "thimble_worker_peak_ratio", labels: [],
            "Peak footprint of a worker during an attachment, divided by the cap.",
            bounds: [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1], in: registry)
        receivedBytes = counter("thimble_received_bytes_total", "Bytes of request bodies.")
        sentBytes = counter("thimble_sent_bytes_total", "Bytes of answers' bodies.")
        prepare()
    }

    private func prepare() {
        for step in Step.allCases { stepSeconds.prepare(step.rawValue) }
        for work in [ProcessedAttachment.Work.made, .reused, .unchanged] {
            attachments.prepare(work.rawValue)
        }
        peakBytes.prepare()
        peakRatio.prepare()
        cacheHits.increment(by: 0)
        cacheMisses.increment(by: 0)
        receivedBytes.increment(by: 0)
        sentBytes.increment(by: 0)
    }

    /// Records a step that has just ended, in the metrics and as a span of the request.
    func record(_ step: Step, _ duration: Duration) {
        stepSeconds.record(duration, step.rawValue)
        let end = DefaultTracerClock.now.nanosecondsSinceEpoch
        let length = UInt64(max(0, duration / .nanoseconds(1)))
        let start = DefaultTracerClock.Timestamp(nanosecondsSinceEpoch: end - min(end, length))
        startSpan(step.rawValue, at: start).end()
    }

    /// Declares a gauge that is read at the time of the request.
    func gauge(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
        registry.declare(MetricDescription(name, .gauge, help)) { [.init(Double(value()))] }
    }

    /// Declares a counter that is read at the time of the request.
    func counter(_ name: String, _ help: String, _ value: @escaping @Sendable () -> Int) {
        registry.declare(MetricDescription(name, .counter, help)) { [.init(Double(value()))] }
    }
}
