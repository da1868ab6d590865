import AttachmentContainer
package import AttachmentIntake
package import AttachmentPlanning

extension AttachmentRenderer {
    /// Reads the header of an attachment and plans it as ``render(_:)`` would now.
    ///
    /// It decodes nothing and takes no grant: a process that has only inspected is still cold.
    ///
    /// - Parameters:
    ///   - file: The attachment.
    ///   - cap: The cap to state the budget under, where plans are made for a lower one.
    /// - Returns: The header, the budget and the judged ladder.
    /// - Throws: `AttachmentError` for a file that is refused by its header.
    package func inspect(
        _ file: AttachmentFile, under cap: MemoryCap
    ) throws(AttachmentError) -> InspectedAttachment {
        let found = try look(at: RenderRequest(file, to: .open([])))
        let budget = budget.restated(under: cap)
        switch found {
        case .picture(let header):
            return InspectedAttachment(header, ladder(of: header), within: budget)
        case .media(let header): return InspectedAttachment(header, within: budget)
        }
    }
}
