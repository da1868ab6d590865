import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import AttachmentPublishing

/// Inputs that the steps of one attempt share.
struct RenderingContext {
    let plan: Plan
    let file: AttachmentFile
    let strictness: DecodeStrictness
    let cancellation: Cancellation
    let grant: MemoryLedger.Grant
    /// Space for held pictures; nil to hold them in memory.
    let scratch: ScratchSpace?
    /// Heap for a large profile and its conversion tables; nil for the process's own.
    let conversionHeap: ScratchHeap?
    let outputs: RenditionOutputs

    var isCancelled: @Sendable () -> Bool { { [cancellation] in cancellation.isRequested } }

    func requiredScratch() throws(DecodingFault) -> ScratchSpace {
        guard let scratch else { throw .noScratch }
        return scratch
    }

    func decoderInput(isPreview: Bool) -> DecoderInput {
        DecoderInput(
            file, isTolerant: strictness == .tolerant, isPreview: isPreview,
            requestedSize: plan.reducedStoredSize, loadShrink: plan.loadShrink, scratch: scratch,
            isCancelled: isCancelled)
    }

    /// Runs a step that calls libvips, and converts its error to the attachment's.
    func decoding<Value: ~Copyable>(
        _ step: () throws(VipsError) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            let value = try step()
            VipsError.clearWarnings()
            return value
        } catch {
            if let fault = error.fault, !cancellation.isRequested {
                throw AttachmentError(fault, of: file, plan.header)
            }
            throw .decoding(error, of: file, header: plan.header, cancellation)
        }
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
