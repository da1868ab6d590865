import AttachmentContainer
import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Foundation

extension AttachmentRenderer {
    /// Copies a JPEG that is ready for display but for its metadata, without decoding it.
    func strip(_ context: RenderingContext) throws(AttachmentError) -> EncodedRendition {
        let output = try context.nextOutput()
        let stream = StrippedJPEGStream(context.file.openFile, endsAtEndOfImage: true)
        var bytes = [UInt8](repeating: 0, count: 16 << 10)
        var length = 0
        while true {
            let count = try context.decodingRows { () throws(DecodingFault) in
                try bytes.withUnsafeMutableBytes { buffer in
                    Result { () throws(DecodingFault) in try stream.read(into: buffer) }
                }.get()
            }
            guard count > 0 else { break }
            try write(bytes[..<count], to: output.descriptor, of: context.file.path)
            length += count
        }
        var header = context.plan.header
        (header.hasMetadata, header.fileBytes) = (false, ByteCount(length))
        return EncodedRendition(
            output: output, header: header, notes: ["kept without its metadata"], part: nil)
    }

    private func write(
        _ bytes: ArraySlice<UInt8>, to descriptor: CInt, of path: String
    ) throws(AttachmentError) {
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw AttachmentError(
                    .storage, file: path, reason: "the rendition cannot be written",
                    detail: String(cString: strerror(errno)))
            }
            rest = rest.dropFirst(count)
        }
    }
}
