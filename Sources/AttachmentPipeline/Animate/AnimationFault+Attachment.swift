import AttachmentContainer
import AttachmentFormats
import AttachmentModel

extension AttachmentError {
    init(_ fault: AnimationFault, of file: AttachmentFile, _ header: AttachmentHeader) {
        if let decoding = fault.decoding {
            self.init(decoding, of: file, header)
            return
        }
        let code: Code =
            switch fault.code {
            case .tooManyFrames: .tooManyFrames
            case .tooLong: .tooLong
            case .tooLarge: .canvas
            case .unwritable: .storage
            case .cancelled: .cancelled
            default: .doesNotFit
            }
        self.init(code, file: file.path, reason: fault.reason, detail: fault.description)
    }
}

extension AnimationFile {
    init(_ file: AttachmentFile, _ header: AttachmentHeader, _ strictness: DecodeStrictness) {
        self.init(
            file.openFile, format: Format(rawValue: header.format.rawValue) ?? .gif,
            isTolerant: strictness == .tolerant)
    }
}
