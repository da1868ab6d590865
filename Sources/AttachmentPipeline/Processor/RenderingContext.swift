import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPublishing

/// Environment of the steps that decode an attachment.
struct RenderingContext {
    let strictness: DecodeStrictness
    let cancellation: Cancellation
    let grant: MemoryLedger.Grant
    /// Space for held pictures; nil to hold them in memory.
    private(set) var scratch: ScratchSpace?
    /// Heap for a large profile and its conversion tables; nil for the process's own.
    let conversionHeap: ScratchHeap?
    let outputs: RenditionOutputs
    /// Faults of our own decoders.
    let record = DecodingRecord()

    /// Returns the context with scratch files for held pictures.
    func placing(in scratch: ScratchSpace) -> RenderingContext {
        var context = self
        context.scratch = scratch
        return context
    }

    /// Runs a step that calls libvips, and converts its error to the attachment's.
    func decoding<Value: ~Copyable>(
        _ file: AttachmentFile, _ header: AttachmentHeader,
        _ step: () throws(VipsError) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            let value = try step()
            VipsError.clearWarnings()
            return value
        } catch {
            if let fault = record.first, !cancellation.isRequested {
                throw AttachmentError(fault, of: file, header)
            }
            throw .decoding(error, of: file, header: header, cancellation)
        }
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
