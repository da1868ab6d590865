#if canImport(ImageIO)
    import AttachmentContainer
    import AttachmentModel
    import CoreGraphics
    import Dispatch
    import Foundation
    import QuickLookThumbnailing
    import UniformTypeIdentifiers

    /// A thumbnail by Quick Look, which decodes in a process of the system's.
    ///
    /// Only the result is in this process. It reads the file by its path.
    struct QuickLookThumbnail {
        private let request: ThumbnailRequest

        init(_ request: ThumbnailRequest) { self.request = request }

        // Sendable: an image never changes.
        private struct Answer: @unchecked Sendable {
            let image: CGImage?
            let reason: String
        }

        /// Waits for the thumbnail, at most until the request is cancelled or overdue.
        func image() throws(SystemFault) -> CGImage {
            guard !request.file.isEncrypted else {
                throw SystemFault(
                    .memory, "only another process has the memory for it, but no key")
            }
            let answer = Lock<Answer?>(nil)
            let isDone = DispatchSemaphore(value: 0)
            let question = QLThumbnailGenerator.Request(
                fileAt: URL(fileURLWithPath: request.file.path),
                size: CGSize(width: request.size.width, height: request.size.height), scale: 1,
                representationTypes: .thumbnail)
            // The name of a downloaded file may have no extension.
            if let type = UTType(request.format.uniformType) { question.contentType = type }
            QLThumbnailGenerator.shared.generateBestRepresentation(for: question) { found, error in
                let made = Answer(
                    image: found?.cgImage, reason: error.map { "\($0)" } ?? "it has no thumbnail")
                answer.withLock { $0 = made }
                isDone.signal()
            }
            while isDone.wait(timeout: .now() + .milliseconds(50)) == .timedOut {
                guard !request.isCancelled() else {
                    QLThumbnailGenerator.shared.cancel(question)
                    throw SystemFault(.cancelled, "it was cancelled")
                }
            }
            let made = answer.withLock { $0 }
            guard let image = made?.image else {
                throw SystemFault(.service, "Quick Look: \(made?.reason ?? "no answer")")
            }
            return image
        }
    }
#endif
