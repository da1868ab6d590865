#if canImport(UserNotifications)
    import AttachmentImageIO
    import Foundation

    extension PictureExplanation {
        /// Draws into a new file, which belongs to the caller.
        func write(into folder: URL) throws -> URL {
            let drawing = ExplanationDrawing(text, symbol.drawn)
            let file = folder.appendingPathComponent("\(UUID().uuidString).png")
            try drawing.png().write(to: file)
            return file
        }
    }

    extension PictureExplanation.Symbol {
        fileprivate var drawn: ExplanationDrawing.Symbol {
            switch self {
            case .camera: .camera
            case .picture: .picture
            case .lock: .lock
            }
        }
    }
#endif
