import AttachmentModel

extension AttachmentError {
    /// File, reason, and the remedy with the command's options.
    var message: String { "\(file): \(reason); \(code.remedyWithOptions)" }
}

extension AttachmentError.Code {
    /// The remedy with the options that change the limit or the behaviour.
    var remedyWithOptions: String {
        options.isEmpty ? remedy : "\(remedy) (\(options.joined(separator: ", ")))"
    }

    private var options: [String] {
        switch self {
        case .truncated, .corrupt: ["--tolerate-truncation"]
        case .dimensions: ["--max-pixels"]
        case .sparse: ["--max-pixels-per-byte"]
        case .tooManyFrames: ["--max-frames"]
        case .tooLong: ["--max-duration"]
        case .canvas: ["--max-canvas", "--max-frame-pixels"]
        case .tooLarge: ["--max-source-bytes"]
        case .mediaTooLarge: ["--max-sound-bytes", "--max-movie-bytes"]
        case .doesNotFit: ["--max-bytes"]
        case .overCap, .killed: ["--cap"]
        case .scratchLimit: ["--max-scratch"]
        case .late: ["--timeout"]
        case .unreadable, .empty, .unsupported, .needsLibvips, .decoderLimit, .crashed, .storage,
            .cancelled:
            []
        }
    }
}
