import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

extension AttachmentRenderer {
    /// Makes everything that is published.
    ///
    /// libjpeg reports damage inside a scan and what every decoder passes over in the same way, as
    /// warnings: after one of the latter the picture is decoded once more, failing only where it ends
    /// early.
    ///
    /// - Parameters:
    ///   - plan: The plan.
    ///   - file: The attachment.
    ///   - outputs: Where renditions are written.
    ///   - grant: The memory that it was granted.
    ///   - cancellation: When to stop.
    /// - Returns: Everything that is published.
    /// - Throws: `AttachmentError`.
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
            guard plan.treatment == .encode, let note = error.noteOfWarning else { throw error }
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

    /// Where the tables of a large colour conversion lie; nil for the program's own heap.
    private func conversionHeap(
        for header: AttachmentHeader, _ file: AttachmentFile
    ) throws(AttachmentError) -> ScratchHeap? {
        guard header.hasLargeConversion else { return nil }
        do {
            return try scratch?.makeHeap(bytes: Self.conversionRoom + 4 * header.profileBytes)
        } catch {
            throw AttachmentError(error, of: file, header)
        }
    }

    /// Room for the tables of a conversion, beside copies of the profile, in bytes: twice of what
    /// Little CMS was seen to take for inks.
    private static let conversionRoom = 16 << 20
}
