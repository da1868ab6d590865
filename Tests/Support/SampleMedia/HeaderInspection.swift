internal import AttachmentContainer
import AttachmentFormats
package import AttachmentModel

extension InspectedAttachment {
    /// Reads a header in this process, and plans nothing.
    package init(headerOf request: AttachmentRequest) throws(AttachmentError) {
        self.init(
            Content(try Probe().attachment(request.openFile())),
            within: MemoryBudget(cap: .serviceExtension, baseline: ByteCount(0)),
            predictedPeak: nil)
    }
}
