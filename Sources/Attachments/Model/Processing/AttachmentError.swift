public import AttachmentContainer

/// Failure to turn an attachment into renditions, with the file, the reason and the remedy.
///
/// The attachment itself is never changed, and a failure leaves no partial output behind.
public struct AttachmentError: FaultConvertible, Sendable, Hashable, Codable {
    /// Kind of failure, stable across releases.
    public let code: Code
    /// Path of the attachment, as passed by the caller.
    public let file: String
    /// Error text of the failed library, for logs; may be empty.
    public let detail: String
    /// The failure as it crosses borders; the service's own, if a service processes attachments.
    public let fault: Fault

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - file: The path of the attachment.
    ///   - reason: The finding, without a full stop.
    ///   - remedy: The action that cures this failure, without a full stop. The default is nil: the
    ///     kind's remedy.
    ///   - detail: The error text of the failed library. The default is empty.
    public init(
        _ code: Code, file: String, reason: String, remedy: String? = nil, detail: String = ""
    ) {
        self.init(code, file: file, code.fault(reason: reason, remedy: remedy), detail: detail)
    }

    /// Creates an error of a fault.
    ///
    /// - Parameters:
    ///   - code: The kind of failure, by which callers decide what to do.
    ///   - file: The path of the attachment.
    ///   - fault: The failure.
    ///   - detail: The error text of the failed library. The default is empty.
    public init(_ code: Code, file: String, _ fault: Fault, detail: String = "") {
        self.code = code
        self.file = file
        self.fault = fault
        self.detail = detail
    }

    /// Reason, without a full stop.
    public var reason: String { fault.reason }

    /// Action for the caller, without a full stop.
    public var remedy: String { fault.remedy }
}

extension AttachmentError {
    /// Kinds of failure, whose raw values appear in JSON reports.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// The file cannot be opened or read.
        case unreadable
        case empty
        /// The file is neither a supported picture nor media that the system accepts.
        case unsupported
        /// The picture needs libvips, which the process does not link.
        case needsLibvips = "needs-libvips"
        /// The file ends before the picture.
        case truncated
        /// The file violates its format.
        case corrupt
        /// The header states no pixels, or more than the limit.
        case dimensions
        /// The header states more pixels than the file's length can plausibly hold.
        case sparse
        case tooManyFrames = "too-many-frames"
        case tooLong = "too-long"
        /// The animation's canvas, or all its frames together, exceed the pixel limit.
        case canvas = "canvas-too-large"
        case tooLarge = "too-large"
        /// The sound or movie exceeds the system's limit; media is never re-encoded.
        case mediaTooLarge = "media-too-large"
        /// No quality and no size brings the rendition under its byte limit.
        case doesNotFit = "does-not-fit"
        /// The structure of the picture exceeds a limit of its decoder that no option raises.
        case decoderLimit = "decoder-limit"
        /// No rung of the ladder stays under the cap.
        case overCap = "over-cap"
        /// The picture needs more scratch files than their limit, and without any more than the cap.
        case scratchLimit = "scratch-limit"
        /// The worker was killed because of its memory.
        case killed
        case crashed
        case late
        /// The container cannot store the renditions.
        case storage
        /// The service that processes attachments failed; the fault has its code.
        case service
        case cancelled
    }
}

extension AttachmentError.Code: FaultCode {
    package static let domain = Fault.Domain.attachment

    /// Options that change the limit or the behaviour.
    package var options: [String] {
        switch self {
        case .truncated, .corrupt: ["tolerate-truncation"]
        case .dimensions: ["max-pixels"]
        case .sparse: ["max-pixels-per-byte"]
        case .tooManyFrames: ["max-frames"]
        case .tooLong: ["max-duration"]
        case .canvas: ["max-canvas", "max-frame-pixels"]
        case .tooLarge: ["max-source-bytes"]
        case .mediaTooLarge: ["max-sound-bytes", "max-movie-bytes"]
        case .doesNotFit: ["max-bytes"]
        case .overCap, .killed: ["cap"]
        case .scratchLimit: ["max-scratch"]
        case .late: ["timeout"]
        case .unreadable, .empty, .unsupported, .needsLibvips, .decoderLimit, .crashed, .storage,
            .service, .cancelled:
            []
        }
    }

    /// Default action for the caller, without a full stop.
    public var remedy: String {
        switch self {
        case .unreadable: "check that the file exists and that this process may read it"
        case .empty: "download or copy the file again"
        case .unsupported:
            "use JPEG, PNG, WebP, GIF, HEIC, AVIF, TIFF, BMP or JPEG XL; AIFF, WAV, MP3 or M4A; MPEG, MPEG-4 or AVI"
        case .needsLibvips:
            "link AttachmentVips and pass its engine, or use a picture without transparency"
        case .truncated:
            "download or copy the file again, or allow truncated files to keep the rows that can still "
                + "be decoded, if any"
        case .corrupt:
            "export the picture again from its source, or allow truncated files to keep the rows that "
                + "can still be decoded, if any"
        case .dimensions: "use a smaller picture, or raise the limit on pixels"
        case .sparse:
            "use a smaller picture, because such files are made to exhaust decoders; or raise the "
                + "limit on pixels per byte"
        case .tooManyFrames: "use fewer frames, or raise the limit on frames"
        case .tooLong: "use a shorter animation, or raise the limit on its duration"
        case .canvas:
            "use a smaller animation, or raise the limits on its canvas and on all its frames"
        case .tooLarge: "use a smaller file, or raise the limit on the file's length"
        case .mediaTooLarge:
            "use a shorter file or a lower bit rate: the system accepts no longer ones"
        case .doesNotFit: "raise the limit on a rendition's length"
        case .decoderLimit:
            "export the picture again from its source: its structure exceeds a fixed limit, whatever "
                + "the cap"
        case .overCap: "raise the cap, or use a smaller picture"
        case .scratchLimit: "raise the limit on scratch files"
        case .killed: "raise the cap, and report the picture: it took more than was predicted"
        case .crashed: "report the picture: it makes a decoder crash"
        case .late: "process the file again with more time"
        case .storage: "check the container folder's free space and permissions"
        case .service: "see the log of the service that processes attachments"
        case .cancelled: "process the file again when there is time"
        }
    }
}

extension AttachmentError {
    /// File, reason and remedy, in one line.
    public var description: String { "\(file): \(reason); \(remedy)" }

    /// The description with the code and the library's error text, for logs.
    public var detailedDescription: String {
        detail.isEmpty
            ? "[\(fault.code)] \(description)"
            : "[\(fault.code)] \(description) (\(detail))"
    }
}
