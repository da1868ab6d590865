import AttachmentContainer
import AttachmentIntake

extension Rendering {
    /// With the kernel's own count, where the worker has a group.
    func counted(by group: ControlGroup?) -> Rendering {
        guard let group else { return self }
        var copy = self
        copy.memory = MemoryUse(
            baseline: memory.baseline, predictedPeak: memory.predictedPeak,
            measuredPeak: memory.measuredPeak, kernelPeak: group.counters.peak)
        return copy
    }
}

extension MemoryUse {
    /// What is answered without any worker.
    static let none = MemoryUse(
        baseline: ByteCount(0), predictedPeak: nil, measuredPeak: ByteCount(0))
}

extension AttachmentError {
    /// A worker's error, in which the name of the file is the supervisor's, and the text is that of
    /// a stranger.
    ///
    /// - Parameter file: The path of the attachment.
    /// - Returns: The error to throw.
    func reported(of file: String) -> AttachmentError {
        AttachmentError(
            code, file: file, reason: reason.printable(1024), detail: detail.printable(4096))
    }
}

extension String {
    /// As much of it as may be shown, without what controls a terminal.
    ///
    /// - Parameter count: How many characters at most.
    /// - Returns: The text, with control characters as `\u{1B}`; ends of lines stay.
    func printable(_ count: Int) -> String {
        var text = ""
        for scalar in unicodeScalars.prefix(count) {
            if scalar.isControl, scalar != "\n" {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
