import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning
import Foundation

extension RenderingContext {
    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    func fit(
        _ picture: some SystemPicture, by order: RenditionOrder
    ) throws(AttachmentError) -> EncodedRendition {
        try fit(
            PictureFacts(
                order, size: picture.size, hasAlpha: !picture.isOpaque, isGrey: false),
            quantises: false, canScore: false,
            score: { _ throws(AttachmentError) in throw .noScore(file.path) }
        ) { attempt, output throws(AttachmentError) in
            let bytes = try calling { () throws(SystemFault) in
                try picture.scaled(to: attempt.size).encoded(as: attempt.encoding)
            }
            guard bytes.withUnsafeBytes({ output.target.writeAll($0) }) else {
                throw AttachmentError(
                    .storage, file: file.path, reason: "the rendition cannot be written",
                    detail: String(cString: strerror(errno)))
            }
        }
    }

    /// Runs a step of the system, and converts its error to the attachment's.
    func calling<Value>(
        _ step: () throws(SystemFault) -> Value
    ) throws(AttachmentError) -> Value {
        let result: Value
        do {
            result = try step()
        } catch {
            guard !cancellation.isRequested else { throw .cancelled(file.path) }
            throw AttachmentError(
                error.attachmentCode, file: file.path,
                reason: "the picture cannot be decoded: \(error.reason)")
        }
        guard !cancellation.isRequested else { throw .cancelled(file.path) }
        return result
    }
}

extension SystemFault {
    fileprivate var attachmentCode: AttachmentError.Code {
        switch code {
        case .damaged: .corrupt
        case .unknownFormat, .service: .unsupported
        case .memory: .overCap
        case .cancelled: .cancelled
        }
    }
}
