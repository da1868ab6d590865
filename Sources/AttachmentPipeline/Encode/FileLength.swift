import AttachmentContainer
import AttachmentModel
import Foundation

/// The length of an open file; `path` is the attachment's, for the error.
func fileLength(_ descriptor: CInt, of path: String) throws(AttachmentError) -> ByteCount {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
        throw AttachmentError(
            .storage, file: path,
            reason: "the rendition's length is unknown: \(String(cString: strerror(errno)))")
    }
    return ByteCount(Int(status.st_size))
}
