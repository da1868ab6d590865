internal import AttachmentFormats

/// Finds the most telling frame of an animation in one pass.
///
/// Such a frame is not blank, has contrast and detail, and is not part of a transition, where it
/// would differ from the frame before. On a tie, the earliest wins, because the animation begins
/// near it. Later frames do not matter, so that the canvas can be kept while it is drawn.
struct TellingFrame {
    private(set) var index = 0
    private var bestScore = -Double.infinity
    private var thumbnail = FrameThumbnail()
    private var last: FrameThumbnail?

    /// Factor by which a later frame must beat the best, so that noise does not decide.
    private static let margin = 1.02

    /// Adds a frame, of whose pixels only those in `changed` differ from the frame before; true if
    /// it is the best so far.
    mutating func add(_ frame: Int, _ pixels: PixelView, changed: ChangedRegion) -> Bool {
        thumbnail.update(from: pixels, changed: changed)
        // A difference of 16 levels, as in a fade, halves the score.
        let instability = last.map { thumbnail.difference(to: $0) } ?? 0
        last = thumbnail
        let content = (thumbnail.contrast + 2 * thumbnail.detail) * thumbnail.coverage
        let score = content / (1 + instability / 16)
        guard bestScore < 0 || score > bestScore * Self.margin else { return false }
        (bestScore, index) = (score, frame)
        return true
    }
}

/// Pixels of a canvas or a plane.
struct PixelView {
    let pixels: UnsafePointer<UInt32>
    let width: Int
    let height: Int

    init(_ plane: PixelPlane) {
        (pixels, width, height) = (UnsafePointer(plane.pixels), plane.width, plane.height)
    }

    init(_ canvas: AnimationCanvas) throws(DecodingFault) {
        (pixels, width, height) = (
            UnsafePointer(try canvas.pixels()), canvas.width, canvas.height
        )
    }
}
