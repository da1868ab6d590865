package import AttachmentContainer
internal import Foundation

/// Reasons for an unreadable header, without the file name.
package enum HeaderFault: Error, Hashable {
    case unreadable(CInt)
    case truncated(at: Int)
    case corrupt(String, at: Int)
    case unsupported(String)
    case noPixels(PixelSize)
    case overBudget

    package func error(file: String) -> AttachmentError {
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
    package init(claimed width: Int, _ height: Int) throws(HeaderFault) {
        self.init(width: width, height: height)
        guard width > 0, height > 0 else { throw .noPixels(self) }
    }
}
