import AttachmentContainer
public import AttachmentModel
import ProgramLaunch

extension Rendering {
    func counted(by group: ControlGroup?) -> Rendering {
        guard let group else { return self }
        var copy = self
        copy.memory = MemoryUse(
            baseline: memory.baseline, predictedPeak: memory.predictedPeak,
            measuredPeak: memory.measuredPeak, kernelPeak: group.peak)
        return copy
    }
}

extension MemoryUse {
    /// The memory of an attachment that no worker was needed for.
    public static let none = MemoryUse(
        baseline: ByteCount(0), predictedPeak: nil, measuredPeak: ByteCount(0))
}

extension AttachmentError {
    func reported(of file: String) -> AttachmentError {
        AttachmentError(code, file: file, fault.printable, detail: detail.printable(4096))
    }
}

extension Fault {
    /// The fault of a worker, whose text may be anybody's.
    var printable: Fault {
        Fault(
            domain, code.printable(64), reason: reason.printable(1024),
            remedy: remedy.printable(1024), options: options.prefix(8).map { $0.printable(64) })
    }
}
