import AttachmentContainer
import AttachmentModel

extension Rendering {
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
    static let none = MemoryUse(
        baseline: ByteCount(0), predictedPeak: nil, measuredPeak: ByteCount(0))
}

extension AttachmentError {
    func reported(of file: String) -> AttachmentError {
        AttachmentError(
            code, file: file, reason: reason.printable(1024), detail: detail.printable(4096))
    }
}

extension String {
    /// At most `count` characters, with terminal control characters escaped.
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
