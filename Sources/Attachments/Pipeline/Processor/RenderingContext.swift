package import AttachmentContainer
package import AttachmentFormats
package import AttachmentModel
package import AttachmentPlanning
import AttachmentPublishing

/// Inputs that the steps of one attempt share.
package struct RenderingContext {
    package let plan: Plan
    package let file: AttachmentFile
    package let strictness: DecodeStrictness
    /// Faults that lost no pixel, found while decoding.
    package let notes = DecodingNotes()
    package let cancellation: Cancellation
    /// Use of a second thread, whose memory is granted; nil for one thread.
    let secondThread: SecondThread?
    let grant: MemoryLedger.Grant
    package let settings: ProcessingSettings
    /// Space for held pictures; nil to hold them in memory.
    package let scratch: ScratchSpace?
    /// Space for pictures that are held whatever the plan; nil if scratch files are disabled.
    package let permittedScratch: ScratchSpace?
    /// Heap for a large profile and its conversion tables; nil for the process's own.
    package let conversionHeap: ScratchHeap?
    let outputs: RenditionOutputs

    package var isCancelled: @Sendable () -> Bool { { [cancellation] in cancellation.isRequested } }

    /// The smallest size of a picture from which the banner is cut, in pixels.
    package func sizeCoveringBanner(of size: PixelSize) -> PixelSize {
        Planner.coveringSize(of: size, side: settings.bannerSideInPixels)
    }

    package func requiredScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else { throw .noScratch }
        return scratch
    }

    package func decoderInput(isPreview: Bool) -> DecoderInput {
        var input = DecoderInput(
            file, for: plan.engine == .libvips ? .libvips : .rows,
            isTolerant: strictness == .tolerant, isPreview: isPreview,
            requestedSize: Planner(settings: settings).requestedSize(of: plan),
            loadShrink: plan.loadShrink, scratch: scratch,
            notes: notes, isCancelled: isCancelled)
        input.threads = secondThread == nil ? 1 : 2
        return input
    }

    func nextOutput() throws(AttachmentError) -> RenditionOutput {
        try storing(file.path) { () throws(ContainerError) in try outputs.next() }
    }
}

/// Runs a step that writes to the container, and converts its error to code `storage`.
func storing<Value: ~Copyable>(
    _ file: String, _ step: () throws(ContainerError) -> Value
) throws(AttachmentError) -> Value {
    do {
        return try step()
    } catch {
        throw .storing(error, of: file)
    }
}
