import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes all renditions of a plan.
    ///
    /// libjpeg reports damage inside a scan and harmless oddities alike as warnings. After a
    /// harmless one the picture is decoded again, and then only truncation is an error.
    func makeRenditions(
        _ plan: Plan, _ file: AttachmentFile, _ outputs: OutputSource,
        _ grant: MemoryLedger.Grant, _ cancellation: Cancellation
    ) throws(AttachmentError) -> Rendered {
        let strictness = DecodeStrictness(
            for: plan.header.format, tolerant: settings.toleratesTruncation)
        do {
            return try rendered(
                plan, file, try context(for: plan, file, outputs, strictness, grant, cancellation))
        } catch {
            guard plan.treatment == .encode, let note = error.ignorableWarningNote else {
                throw error
            }
            let context = try context(for: plan, file, outputs, .truncation, grant, cancellation)
            context.record.notes = [note]
            return try rendered(plan, file, context)
        }
    }

    private func rendered(
        _ plan: Plan, _ file: AttachmentFile, _ context: RenderingContext
    ) throws(AttachmentError) -> Rendered {
        let renditions = try makeRenditions(plan, file, context)
        return Rendered(
            attachment: RenderedAttachment(renditions, plan), outputs: context.outputs.files)
    }

    private func context(
        for plan: Plan, _ file: AttachmentFile, _ outputs: OutputSource,
        _ strictness: DecodeStrictness, _ grant: MemoryLedger.Grant, _ cancellation: Cancellation
    ) throws(AttachmentError) -> RenderingContext {
        RenderingContext(
            strictness: strictness, cancellation: cancellation, grant: grant,
            scratch: plan.usesScratch ? scratch : nil,
            conversionHeap: try conversionHeap(for: plan.decodedHeader, file),
            outputs: RenditionOutputs(from: outputs))
    }

    /// Heap for the tables of a large colour conversion; nil for the process's own.
    private func conversionHeap(
        for header: AttachmentHeader, _ file: AttachmentFile
    ) throws(AttachmentError) -> ScratchHeap? {
        guard header.hasLargeConversion else { return nil }
        do {
            return try scratch?.makeHeap(bytes: Self.conversionHeapBytes + 4 * header.profileBytes)
        } catch {
            throw AttachmentError(error, of: file, header)
        }
    }

    /// Heap for the tables of a conversion, without copies of the profile, in bytes: twice the
    /// measured demand of Little CMS for CMYK.
    private static let conversionHeapBytes = 16 << 20
}
