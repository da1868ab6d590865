import AttachmentModel

extension AttachmentError {
    var isDamage: Bool { code == .truncated || code == .corrupt }
}

extension AttachmentError.Code {
    /// The rungs below which a retry may succeed after this failure, in order.
    ///
    /// Damage leaves the embedded preview. A timeout, a crash or an oversized file may be avoided at a
    /// smaller size. All other failures recur on every rung, or on every untried one.
    var rungsToTryBelow: [Rung] {
        switch self {
        case .truncated, .corrupt: [.reduced]
        case .late, .crashed, .killed, .doesNotFit: [.fileBacked, .reduced]
        case .unreadable, .empty, .unsupported, .needsLibvips, .dimensions, .sparse,
            .tooManyFrames, .tooLong, .canvas, .tooLarge, .mediaTooLarge, .decoderLimit,
            .overCap, .scratchLimit, .storage, .service, .cancelled:
            []
        }
    }
}
