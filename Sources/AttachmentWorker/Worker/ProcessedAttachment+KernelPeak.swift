import AttachmentContainer
import AttachmentIntake

extension ProcessedAttachment {
    /// With the kernel's own count, where the worker has a group.
    func counted(by group: ControlGroup?) -> ProcessedAttachment {
        guard let group else { return self }
        return ProcessedAttachment(
            manifest: manifest, work: work,
            memory: MemoryUse(
                baseline: memory.baseline, predictedPeak: memory.predictedPeak,
                measuredPeak: memory.measuredPeak, kernelPeak: group.counters.peak))
    }
}
