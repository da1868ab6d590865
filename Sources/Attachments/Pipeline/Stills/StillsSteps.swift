package import AttachmentContainer
package import AttachmentModel
import AttachmentPlanning

/// Steps of an engine by which a ``StillsMaker`` makes renditions of a decoded picture.
package protocol StillsSteps {
    associatedtype Picture: StillPicture

    var context: RenderingContext { get }

    /// The picture at a smaller size, in pixels; the picture itself at its own.
    func reduced(_ picture: Picture, to size: PixelSize) throws(AttachmentError) -> Picture

    /// The cutout of the picture, and the part of the picture that it shows.
    func cut(
        _ picture: Picture, to cutout: Cutout
    ) throws(AttachmentError) -> (picture: Picture, part: UnitRectangle?)

    func miniature(of picture: Picture) throws(AttachmentError) -> Miniature

    /// Encodes a picture, going down the ladder until the file is under the byte ceiling.
    func encode(
        _ picture: Picture, by order: RenditionOrder
    ) throws(AttachmentError) -> EncodedRendition

    /// The attachment, copied as its plan's treatment says, `strip` or `turn`; only plans for rows do.
    func rewritten() throws(AttachmentError) -> EncodedRendition
}

extension StillsSteps {
    package func rewritten() throws(AttachmentError) -> EncodedRendition {
        EncodedRendition(keeping: context.plan.header)
    }
}

/// A decoded picture, upright, that can be read any number of times.
package protocol StillPicture {
    /// Size, in pixels.
    var size: PixelSize { get }
    /// True if no pixel is transparent.
    var isOpaque: Bool { get }
}

/// What a rendition is encoded for.
package struct RenditionOrder {
    package let role: RenditionRole
    /// The part of the attachment, or for a banner of the expanded rendition; nil for the whole.
    package let part: UnitRectangle?
    package let notes: [String]
    /// First JPEG quality.
    package let quality: Int
    /// Minimum longer side of an attempt, in pixels.
    package let floor: Int

    package init(
        _ role: RenditionRole, part: UnitRectangle?, notes: [String] = [], quality: Int, floor: Int
    ) {
        (self.role, self.part, self.notes) = (role, part, notes)
        (self.quality, self.floor) = (quality, floor)
    }
}

extension RenditionOrder {
    /// The order of the expanded rendition.
    package static func expanded(
        part: UnitRectangle?, notes: [String], _ context: RenderingContext
    ) -> RenditionOrder {
        let plan = context.plan
        return RenditionOrder(
            .expanded, part: part, notes: notes,
            quality: plan.quality(atMost: context.settings.quality, of: plan.wholeSize),
            floor: context.settings.bannerSideInPixels)
    }
}
