import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning

extension RowSteps {
    /// Turns a JPEG upright in its coded form, without decoding its samples.
    func turn() throws(AttachmentError) -> EncodedRendition {
        let source = context.plan.header
        let stream = try context.decodingRows { () throws(DecodingFault) in
            try TurnedJPEGStream(
                context.file.openFile, source.orientation,
                ceiling: Int(source.coding.turning(of: source)?.held ?? 0),
                scratch: context.scratch, notes: context.notes, isCancelled: context.isCancelled)
        }
        // Optimal Huffman tables seldom take longer; the coding of a progressive source may, and is
        // then encoded again.
        let ceiling = min(context.settings.maximumBytes, source.fileBytes).bytes
        let (output, length) = try write(stream, ceiling: ceiling)
        let header = AttachmentHeader(
            JPEGCoding(.baseline), storedSize: source.uprightSize,
            colourModel: source.colourModel, fileBytes: length)
        return EncodedRendition(
            role: .expanded, output: output, header: header,
            notes: ["turned without loss"], part: nil)
    }
}
