import AttachmentContainer
package import AttachmentIntake
package import AttachmentPlanning

extension AttachmentRenderer {
    /// Reads an attachment's header and plans it as ``render(_:)`` would now.
    ///
    /// It decodes nothing and takes no grant, so the process stays cold. The budget is stated under
    /// `cap`, even if plans are made for a lower one.
    package func inspect(
        _ file: AttachmentFile, under cap: MemoryCap
    ) throws(AttachmentError) -> InspectedAttachment {
        let probed = try probe(RenderRequest(file, to: .open([])))
        let budget = budget.restated(under: cap)
        switch probed {
        case .picture(let header):
            return InspectedAttachment(header, ladder(of: header), within: budget)
        case .media(let header): return InspectedAttachment(header, within: budget)
        }
    }
}
