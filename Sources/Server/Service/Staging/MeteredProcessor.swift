import AttachmentContainer
import AttachmentModel
import CoreMetrics
import PrometheusMetrics

/// Workers, or a fleet, whose results are counted.
struct MeteredProcessor: AttachmentProcessing {
    let processor: any AttachmentProcessing
    let metrics: ServiceMetrics
    let cap: MemoryCap

    func process(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> ProcessedAttachment {
        do throws(AttachmentError) {
            let done = try await processor.process(request)
            metrics.attachments.increment(done.work.rawValue)
            metrics.rungs.increment(done.manifest.rung)
            if done.work == .made {
                metrics.cacheMisses.increment()
                let peak = Double(done.memory.measuredPeak.bytes)
                metrics.peakBytes.record(peak)
                metrics.peakRatio.record(peak / Double(max(1, cap.footprint.bytes)))
            } else {
                metrics.cacheHits.increment()
            }
            return done
        } catch {
            metrics.refusals.increment(error.code.rawValue)
            throw error
        }
    }

    func inspect(
        _ request: AttachmentRequest
    ) async throws(AttachmentError) -> InspectedAttachment {
        try await processor.inspect(request)
    }
}
