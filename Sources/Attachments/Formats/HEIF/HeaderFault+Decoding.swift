internal import AttachmentModel
internal import Foundation

extension DecodingFault {
    init(_ fault: HeaderFault) {
        switch fault {
        case .unreadable(let code):
            self.init(.unreadable, at: 0, String(cString: strerror(code)))
        case .truncated(let offset):
            self.init(.truncated, at: offset, "the file ends inside its header")
        case .corrupt(let what, let offset):
            self.init(.corrupt, at: offset, what)
        case .unsupported(let what):
            self.init(.unsupported, at: 0, what)
        case .noPixels(let size):
            self.init(.corrupt, at: 0, "the picture has no pixels (\(size))")
        case .overBudget:
            self.init(.limit, at: 0, "its header is too large")
        }
    }
}
