/// Why an attachment could not be turned into renditions, with the file, the reason and the remedy.
///
/// The attachment itself is never changed, and nothing half-written stays behind an error.
public struct AttachmentError: Error, Sendable, Hashable, Codable {
    /// What kind of failure it is, stable across releases.
    public let code: Code
    /// The path of the attachment, as the caller gave it.
    public let file: String
    /// What was found, in a sentence without its full stop.
    public let reason: String
    /// The text of the library that failed, for logs; empty when the finding is ours.
    public let detail: String

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of failure it is.
    ///   - file: The path of the attachment.
    ///   - reason: What was found, in a sentence without its full stop.
    ///   - detail: The text of the library that failed. The default is empty.
    public init(_ code: Code, file: String, reason: String, detail: String = "") {
        self.code = code
        self.file = file
        self.reason = reason
        self.detail = detail
    }
}

extension AttachmentError {
    /// The kinds of failure.
    ///
    /// The raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        /// The file has no bytes.
        case empty
        /// The bytes are no picture of a kind that Thimble reads, and no sound or movie of a kind that
        /// the system attaches.
        case unsupported
        /// The file ends before the picture does.
        case truncated
        /// The bytes break the rules of their format.
        case corrupt
        /// The header claims more pixels than the ceiling, or none at all.
        case dimensions
        /// The header claims more pixels than so few bytes can sensibly stand for.
        case sparse
        /// The animation has more frames than the ceiling.
        case tooManyFrames = "too-many-frames"
        /// The animation plays longer than the ceiling.
        case tooLong = "too-long"
        /// The canvas of the animation, or all frames together, have more pixels than the ceiling.
        case canvas = "canvas-too-large"
        /// The file is longer than the source ceiling.
        case tooLarge = "too-large"
        /// The sound or movie is longer than what the system attaches, and is not made smaller.
        case mediaTooLarge = "media-too-large"
        /// No quality and no size brings the rendition under its byte ceiling.
        case doesNotFit = "does-not-fit"
        /// No rung of the ladder stays under the cap.
        case overCap = "over-cap"
        /// The worker that processed it was killed for its memory.
        case killed
        /// The worker that processed it crashed.
        case crashed
        /// It was not done in time.
        case late
        /// The container could not take the renditions.
        case storage
        /// The caller withdrew the attachment.
        case cancelled
    }
}

extension AttachmentError.Code {
    /// What the caller can do about it, in a sentence without its full stop.
    public var remedy: String {
        switch self {
        case .unreadable: "check that the file exists and that this process may read it"
        case .empty: "download or copy the file again"
        case .unsupported:
            "use JPEG, PNG, WebP, GIF, HEIC, AVIF or TIFF; AIFF, WAV, MP3 or M4A; MPEG, MPEG-4 or AVI"
        case .truncated:
            "download or copy the file again, or accept what there is with --tolerate-truncation"
        case .corrupt: "export the picture again from its source"
        case .dimensions: "use a smaller picture, or raise --max-pixels"
        case .sparse:
            "use a smaller picture: such files are made to exhaust decoders; or raise "
                + "--max-pixels-per-byte"
        case .tooManyFrames: "use fewer frames, or raise --max-frames"
        case .tooLong: "use a shorter animation, or raise --max-duration"
        case .canvas:
            "use a smaller animation, or raise --max-canvas or --max-frame-pixels"
        case .tooLarge: "use a smaller file, or raise --max-source-bytes"
        case .mediaTooLarge:
            "use a shorter one, or one of a lower bit rate: the system attaches no longer ones "
                + "(--max-sound-bytes, --max-movie-bytes)"
        case .doesNotFit: "raise --max-bytes"
        case .overCap: "raise --cap, or use a smaller picture"
        case .killed: "raise --cap, and report the picture: it took more than was predicted"
        case .crashed: "report the picture: it makes a decoder crash"
        case .late: "process the file again with more time, or raise --timeout"
        case .storage: "check the container folder's free space and permissions"
        case .cancelled: "process the file again when there is time"
        }
    }
}

extension AttachmentError: CustomStringConvertible {
    /// File, reason and remedy, in one line for a person.
    public var description: String { "\(file): \(reason); \(code.remedy)" }

    /// The same with the code and the library's own text, for a log.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(code.rawValue)] \(description)"
            : "[\(code.rawValue)] \(description) (\(detail))"
    }
}
