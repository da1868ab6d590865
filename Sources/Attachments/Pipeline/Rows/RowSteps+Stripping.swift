import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Foundation

extension RowSteps {
    /// Copies a JPEG, PNG or GIF that is ready for display but for its metadata, without decoding it.
    func strip() throws(AttachmentError) -> EncodedRendition {
        let file = context.file.openFile
        let stripped: any SimplerFile =
            switch context.plan.header.format {
            case .gif: StrippedGIFStream(file)
            case .png: StrippedPNGStream(file, endsAtEndOfImage: true)
            default: StrippedJPEGStream(file, endsAtEndOfImage: true)
            }
        let (output, length) = try write(stripped)
        var header = context.plan.header
        (header.hasMetadata, header.gainMap, header.fileBytes) = (false, nil, length)
        return EncodedRendition(
            role: .expanded, output: output, header: header,
            notes: ["kept without its metadata"], part: nil)
    }

    /// Writes a file of at most `ceiling` bytes; a longer one is unsupported.
    func write(
        _ stream: any SimplerFile, ceiling: Int = .max
    ) throws(AttachmentError) -> (output: RenditionOutput, length: ByteCount) {
        let output = try context.nextOutput()
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var length = 0
        while true {
            let count = try context.decodingRows { () throws(DecodingFault) in
                guard !context.cancellation.isRequested else {
                    throw DecodingFault(.cancelled, at: 0, "it was cancelled")
                }
                return try bytes.withUnsafeMutableBytes { buffer in
                    Result { () throws(DecodingFault) in try stream.read(into: buffer) }
                }.get()
            }
            guard count > 0 else { break }
            length += count
            guard length <= ceiling else {
                throw AttachmentError(
                    .unsupported, file: context.file.path,
                    reason: "without loss it takes more than \(ByteCount(ceiling))")
            }
            try write(bytes[..<count], to: output.target, of: context.file.path)
        }
        return (output, ByteCount(length))
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to target: WritingTarget, of path: String
    ) throws(AttachmentError) {
        guard bytes.withUnsafeBytes({ target.writeAll($0) }) else {
            throw AttachmentError(
                .storage, file: path, reason: "the rendition cannot be written",
                detail: String(cString: strerror(errno)))
        }
    }
}
