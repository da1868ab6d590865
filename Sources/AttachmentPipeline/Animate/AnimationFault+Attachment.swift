import AttachmentAnimation
import AttachmentContainer
import AttachmentDecoding
import AttachmentIntake
import AttachmentPlanning

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
        let format: Format =
            switch header.format {
            case .webp: .webp
            case .png: .png
            case .gif, .jpeg, .heic, .avif, .tiff: .gif
            }
        self.init(
            descriptor: file.descriptor, length: file.length.bytes, format: format,
            isTolerant: strictness == .tolerant)
    }
}
