import AttachmentContainer
import AttachmentFormats
import AttachmentModel
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
            case .doesNotFit, .undecodable: .doesNotFit
            }
        self.init(code, file: file.path, reason: fault.reason, detail: fault.description)
    }
}

extension AnimationFile {
    package init(_ context: RenderingContext) {
        self.init(
            context.file.openFile,
            format: Format(context.plan.header.format) ?? .gif,
            isTolerant: context.strictness == .tolerant)
    }
}
