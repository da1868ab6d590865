import AttachmentIntake
import AttachmentPlanning

extension AttachmentError {
    /// Whether the bytes of the attachment themselves are at fault.
    var isDamage: Bool { code == .truncated || code == .corrupt }
}

extension AttachmentError.Code {
    /// The rungs below which it is worth trying again after this failure, in order.
    ///
    /// Damage in the picture leaves the embedded preview. What took too long, crashed, or gave too
    /// long a file may do better smaller. Everything else fails alike on all rungs, or on all that
    /// stay under the cap, which were tried.
    var rungsToTryBelow: [Plan.Rung] {
        switch self {
        case .truncated, .corrupt: [.reduced]
        case .late, .crashed, .killed, .doesNotFit: [.fileBacked, .reduced]
        case .unreadable, .empty, .unsupported, .dimensions, .sparse, .tooManyFrames, .tooLong,
            .canvas, .tooLarge, .mediaTooLarge,
            .overCap, .storage, .cancelled:
            []
        }
    }
}
