import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

/// What every step that decodes the attachment needs besides the plan.
struct RenderingContext {
    /// Which damage is an error.
    let strictness: DecodeStrictness
    /// When to stop.
    let cancellation: Cancellation
    /// The memory that the attachment was granted.
    let grant: MemoryLedger.Grant
    /// Where pictures lie that are held whole; nil where they lie in memory.
    private(set) var scratch: ScratchSpace?
    /// Where a large profile and the tables of its conversion lie; nil where they lie in memory.
    let conversionHeap: ScratchHeap?
    /// Where renditions are written.
    let outputs: RenditionOutputs
    /// What decoders of ours threw.
    let record = DecodingRecord()

    /// The same context with scratch files for held pictures.
    ///
    /// - Parameter scratch: The space for scratch files.
    /// - Returns: The context.
    func placing(in scratch: ScratchSpace) -> RenderingContext {
        var context = self
        context.scratch = scratch
        return context
    }

    /// Runs a step that calls libvips, and says what its failure means for the attachment.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - header: What the probe learnt of it.
    ///   - step: The step.
    /// - Returns: What the step gives.
    /// - Throws: `AttachmentError`.
    func decoding<Value: ~Copyable>(
        _ file: AttachmentFile, _ header: AttachmentHeader,
        _ step: () throws(VipsError) -> Value
    ) throws(AttachmentError) -> Value {
        do {
            let value = try step()
            VipsError.forgetRemarks()
            return value
        } catch {
            if let fault = record.first, !cancellation.isRequested {
                throw AttachmentError(fault, of: file, header)
            }
            throw .decoding(error, of: file, header: header, cancellation)
        }
    }
}

/// Runs a step that writes to the container.
///
/// - Parameters:
///   - file: The attachment's path.
///   - step: The step.
/// - Returns: What the step gives.
/// - Throws: `AttachmentError` with code `storage`.
func storing<Value: ~Copyable>(
    _ file: String, _ step: () throws(ContainerError) -> Value
) throws(AttachmentError) -> Value {
    do {
        return try step()
    } catch {
        throw .storing(error, of: file)
    }
}
