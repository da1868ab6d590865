package import AttachmentContainer
internal import Foundation

/// Why a header could not be read, before the file's name is added to it.
package enum HeaderFault: Error, Hashable {
    /// The system refused; carries `errno`.
    case unreadable(CInt)
    /// The file ends inside its header.
    case truncated(at: Int)
    /// A rule of the format is broken; carries what is wrong, and the byte offset where it shows.
    case corrupt(String, at: Int)
    /// Nothing is broken, but Thimble does not read it.
    case unsupported(String)
    /// The width or the height is zero.
    case noPixels(PixelSize)
    /// The header goes on after as many bytes as the probe may read.
    case overBudget

    /// The same as callers of the probe see it.
    ///
    /// - Parameter file: The path, as the caller gave it.
    /// - Returns: The error to throw.
    func error(file: String) -> AttachmentError {
        switch self {
        case .unreadable(let code):
            AttachmentError(.unreadable, file: file, reason: String(cString: strerror(code)))
        case .truncated(let offset):
            AttachmentError(
                .truncated, file: file, reason: "the file ends inside its header, at byte \(offset)"
            )
        case .corrupt(let what, let offset):
            AttachmentError(.corrupt, file: file, reason: "\(what), at byte \(offset)")
        case .unsupported(let what):
            AttachmentError(.unsupported, file: file, reason: what)
        case .noPixels(let size):
            AttachmentError(.dimensions, file: file, reason: "the picture has no pixels (\(size))")
        case .overBudget:
            AttachmentError(
                .unsupported, file: file,
                reason: "its header takes more than \(BoundedReader.defaultBudget) to read")
        }
    }
}

extension PixelSize {
    /// A size as a header claims it.
    ///
    /// - Parameters:
    ///   - width: Columns, in pixels.
    ///   - height: Rows, in pixels.
    /// - Throws: `noPixels` when either is zero.
    init(claimed width: Int, _ height: Int) throws(HeaderFault) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else { throw .noPixels(self) }
    }
}
