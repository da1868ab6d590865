import AttachmentContainer
import AttachmentModel
import AttachmentPlanning

/// Limits on a rendition's bytes and size, and the attempts to keep them.
struct RenditionLimits {
    /// Most bytes of a rendition.
    let ceiling: ByteCount
    /// Length that should not be exceeded, at most the ceiling.
    let allowance: ByteCount
    /// Minimum longer side of an attempt, in pixels.
    private let floor: Int
    /// The type that was asked for.
    private let type: RenditionType?

    init(of picture: PictureFacts, from plan: Plan, _ settings: ProcessingSettings) {
        type = settings.stillType
        ceiling = settings.maximumBytes(of: picture.order.role)
        // A type that was asked for may take more than the source's.
        allowance =
            type == nil
            ? min(ceiling, RenditionAllowance.bytes(of: picture, from: plan)) : ceiling
        // PNG has no qualities, so even small pictures become smaller.
        floor =
            picture.hasAlpha && allowance < ceiling
            ? min(picture.order.floor, max(picture.size.width, picture.size.height) / 2)
            : picture.order.floor
    }

    /// The end of a note on what was given up to be short enough.
    var purpose: String {
        isCeilingAlone ? "for the byte ceiling" : RenditionAllowance.purpose
    }

    /// The ladder from the ordered quality on.
    func attempts(for picture: PictureFacts) -> [EncodingLadder.Attempt] {
        attempts(for: picture, from: picture.order.quality)
    }

    /// The ladder from the quality on that a score has chosen, with the scored attempt first.
    func attempts(
        for picture: PictureFacts, scoredAt quality: Int
    ) -> [EncodingLadder.Attempt] {
        let (attempts, scored) = (
            attempts(for: picture, from: quality), picture.scoredAttempt(at: quality)
        )
        return attempts[0] == scored ? attempts : [scored] + attempts
    }

    /// True if nothing but the ceiling limits the length.
    var isCeilingAlone: Bool { allowance == ceiling }

    /// Sizes of attempts, largest first.
    func sizes(of picture: PictureFacts) -> [PixelSize] {
        allowance <= RenditionAllowance.mostBytesOfHeaders
            ? [picture.size] : EncodingLadder.sizes(from: picture.size, floor: floor)
    }

    /// True if the attempt may be taken where none is short enough.
    ///
    /// Below the floor, a size pays only if it is short enough.
    func keeps(_ attempt: EncodingLadder.Attempt, of picture: PictureFacts) -> Bool {
        attempt.size == picture.size
            || max(attempt.size.width, attempt.size.height) >= picture.order.floor
    }

    /// True if a PNG with every colour may be too long: below four samples a pixel, as many as it has.
    func mayRefusePNG(of size: PixelSize) -> Bool { allowance.bytes < 4 * size.pixelCount }

    private func attempts(
        for picture: PictureFacts, from quality: Int
    ) -> [EncodingLadder.Attempt] {
        var attempts = EncodingLadder(
            size: picture.size, isOpaque: type.map { $0 == .jpeg } ?? !picture.hasAlpha,
            quality: quality, floor: floor,
            content: type == .jpeg ? .continuous : picture.content, isFine: allowance < ceiling
        ).attempts
        if type == .jpeg { attempts.removeAll(where: \.encoding.isPNG) }
        let sizes = Set(sizes(of: picture))
        attempts.removeAll { !sizes.contains($0.size) }
        return attempts
    }
}
